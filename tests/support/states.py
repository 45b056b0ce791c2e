"""Every kind of run of a state, for the tests that must hold in all of them."""

from typing import NamedTuple

import torch

from attention import Trace, state
from tests.support import BATCH, D_K, D_V, HEADS, KEYS, drawn
from tests.support.covering import cases

DECAYS = ("no", "of heads", "of features")


class StateRun(NamedTuple):
    """form: all at once, or the step of one token."""

    form: str
    rule: str
    decay: str
    scale: float | None
    unit: bool
    batched: bool

    def __str__(self):
        return "-".join(map(str, self))


STATE_RUNS = [
    StateRun(*chosen)
    for chosen in cases(
        ("all at once", "step"), state.RULES, DECAYS, (None, 0.3), (True, False), (True, False), exhaustively=3
    )
]
# Every kind of decay with both forms, for the rows of decays.
STATE_RUNS += [StateRun(form, "delta", decay, None, True, True) for form in ("all at once", "step") for decay in DECAYS]


def givens(decay: str, tokens: int, dtype: torch.dtype = torch.float64, *, lead: tuple[int, ...] = (BATCH, HEADS)):
    """Queries, keys, values, beta and decay of so many tokens; beta between 0 and 2, a decay between 0 and 1."""
    q, k, v, b, a = drawn(
        *((*lead, tokens, size) for size in (D_K, D_K, D_V)),
        (*lead, tokens),
        (*lead, tokens, D_K) if decay == "of features" else (*lead, tokens),
        dtype=dtype,
    )
    return q, k, v, 2 * b.sigmoid(), None if decay == "no" else a.sigmoid()


def traced_state(run: StateRun) -> Trace:
    trace, lead = Trace(), (BATCH, HEADS) if run.batched else ()
    given = givens(run.decay, KEYS if run.form == "all at once" else 1, lead=lead)
    chosen = {"rule": run.rule, "scale": run.scale, "unit": run.unit, "trace": trace}
    if run.form == "step":
        (past,) = drawn((*lead, D_K, D_V), seed=3)
        state.step(*given, state=past, **chosen)
    else:
        state.all_at_once(*given, **chosen)
    return trace
