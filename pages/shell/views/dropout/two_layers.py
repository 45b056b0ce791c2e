"""The layer of the arcs, and an answer under the same cuts in a layer that learned otherwise."""

from collections.abc import Iterable
from dataclasses import replace
from math import isclose
from typing import Any, NamedTuple

import numpy as np

from attention.inputs.learned import Setting
from pages.shell.i18n import say
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import TRAINED_PS, Config
from pages.shell.views import asking, head_arcs
from pages.shell.views.dropout.series import rights, series

# The p at which the page asks how often an answer falls.
HALF = 0.5


def trained(p: float) -> str:
    """The dropout of a layer's training, in words."""
    return say("dropping.layer_with", p=f"{p:.1f}") if p else say("dropping.layer_without")


def of_which(run: Run) -> str:
    """The layer, and the p with which it is cut; "" for weights that nobody trained."""
    setting = learned.used(run.config)
    return say("dropping.arcs_of", layer=trained(setting.dropout), cut=_cut(run, setting)) if setting else ""


# An answer that is right though all its arcs are cut, beside those that are wrong (0) and right (1).
LUCK = 2


class Other(NamedTuple):
    """An answer with several arcs, in the layer that learned without dropout, or with it: its question, the training of
    that layer and of the screen's, the outcome in each draw, and the setting that shows the arcs of that layer."""

    question: int
    layer: str
    here: str
    outcomes: np.ndarray
    sets: dict[str, str]

    @property
    def name(self) -> str:
        return asking.name_of(self.question)


def other(run: Run, query: int) -> Other | None:
    """The other layer's answer; None if there is no other layer, or no such answer with the same arcs there."""
    setting = learned.used(run.config)
    if setting not in _both(run.config) or (held := survived(run, query)) is None:
        return None
    p = "0" if setting.dropout else TRAINED_PS[-1]
    there = compute(replace(run.config, trained_p=p))
    found = survived(there, query)
    if found is None or (found.question, found.arcs) != (held.question, held.arcs):
        return None
    outcome = outcomes(there, query)[held.question]
    return Other(held.question, trained(float(p)), trained(setting.dropout), outcome, {"trained_p": p})


def _both(config: Config) -> tuple[Setting, ...]:
    """The layers of these sizes that learned without dropout and with it; nothing if one of them is missing."""
    both = tuple(replace(learned.sizes(config), dropout=float(p)) for p in TRAINED_PS)
    return both if learned.KNOWN.issuperset(both) else ()


def _cut(run: Run, setting: Setting) -> str:
    """The p of the slider, beside that of the training."""
    p = run.config.dropout
    if run.config.mode != "training" or p == 0:
        return say("dropping.cut_none")
    if isclose(p, setting.dropout):
        return say("dropping.cut_same")
    return say("dropping.cut_other", p=f"{p:.2f}")


class Survived(NamedTuple):
    """A question with the arcs of its answer, as pairs of head and key; the number of draws; for each arc, the draws in
    which it alone is left, and those of them with a right answer; and all draws with a wrong one."""

    question: int
    arcs: tuple[tuple[int, int], ...]
    draws: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    fallen: int


def outcomes(run: Run, query: int) -> dict[int, np.ndarray]:
    """The outcome of each question of a query, by question and draw: 0 wrong, 1 right, LUCK."""
    found, taken = rights(run, query), series(run, query)
    made: dict[int, np.ndarray] = {}
    for question, arcs in _arcs(run, query, found).items():
        right = found[question].astype(int)
        if arcs:
            heads, keys = map(list, zip(*arcs, strict=True))
            right[(right == 1) & (taken[:, heads, keys] == 0).all(-1)] = LUCK
        made[question] = right
    return made


def _arcs(run: Run, query: int, questions: Iterable[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    """The arcs of each question's answer."""
    made = asking.asks(run, query, len(run.labels["key"]), "weights")
    return {at: tuple((one.head - 1, one.answer) for one in made if one.name == asking.name_of(at)) for at in questions}


def survived(run: Run, query: int) -> Survived | None:
    """The question with the most arcs; None if it has fewer than two."""
    found = rights(run, query)
    held = _arcs(run, query, found)
    question = max(held, key=lambda at: len(held[at]), default=None)
    if question is None or len(held[question]) < 2:
        return None
    arcs, right = held[question], found[question]
    heads, keys = map(list, zip(*arcs, strict=True))
    kept = series(run, query)[:, heads, keys] > 0
    alone = kept & (kept.sum(-1, keepdims=True) == 1)
    left, rightly = (tuple(of.sum(0).tolist()) for of in (alone, alone & right[:, None]))
    return Survived(question, arcs, len(kept), left, rightly, int((~right).sum()))


def alone(screen: Screen) -> str:
    """Whether one arc of an answer is enough, by the draws of the screen; of arcs that are not, the weakest is
    named."""
    run = screen.run
    held = survived(run, head_arcs.asked_of(screen))
    if held is None or not any(held.left):
        return ""
    told: dict[str, Any] = {"arcs": len(held.arcs), "question": asking.name_of(held.question)}
    if held.left == held.right:
        return say("dropping.alone.holds", **told, left=sum(held.left))
    tried = [at for at, left in enumerate(held.left) if left]
    least = min(tried, key=lambda at: held.right[at] / held.left[at])
    head = held.arcs[least][0] + 1
    return say("dropping.alone.fails", **told, head=head, right=held.right[least], left=held.left[least])


def falls(screen: Screen) -> Survived | None:
    """The draws of an answer with two arcs, each cut in half of them; None if no answer of the asking word has two, or
    if one of the arcs alone is not enough."""
    half = compute(replace(screen.run.config, dropout=HALF, mode="training"))
    held = survived(half, head_arcs.asked_of(screen))
    return held if held and len(held.arcs) == 2 and held.left == held.right else None
