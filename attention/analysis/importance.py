"""Why a large weight does not make a key important: values differ in length, other weights may give the same output,
and every row has to sum to 1.

A key adds a_ij v_j to an output (Kobayashi et al. 2020, "Attention is Not Only a Weight"); many weights mix the same
output if there are more keys than features of a value (Brunner et al. 2020, "On Identifiability in Transformers").
"""

import torch
from torch import Tensor

from attention.analysis.rerun import rerun
from attention.trace import Trace

# The most steps for each key; numbers below this count as zero.
_STEPS, _ROUNDING = 10, 1e-9


def added(trace: Trace) -> Tensor:
    """The length of each key's contribution to an output, a_ij |v_j| (..., query, key)."""
    lengths: Tensor = trace["values"].value.norm(dim=-1)
    return trace["weights"].value * lengths.unsqueeze(-2)


def same_output(weights: Tensor, values: Tensor) -> Tensor:
    """Other weights (keys,) with the same sum and the same output, in float64 on the CPU, none of them negative, which
    leave as little as possible to the key with the largest weight. values: (keys, d_v).

    A linear program, solved by an active set: the weights go downhill where sum and output stay; a weight that becomes
    zero is held there until going downhill would make it larger. If nothing can move, as with keys <= d_v + 1 in
    general position, the weights are returned unchanged. ValueError: as many weights as values are needed.
    """
    if len(weights) != len(values):
        raise ValueError(f"as many weights as values are needed, got {len(weights)} and {len(values)}")
    at, values = (each.to("cpu", torch.float64) for each in (weights, values))
    kept = torch.cat((values.T, torch.ones(1, len(values), dtype=torch.float64)))
    cost = torch.zeros_like(at)
    cost[at.argmax()] = 1
    free = at > 0
    for _ in range(_STEPS * len(at)):
        # The multiplier of each conserved number, and the gain of each weight beyond it.
        price = torch.linalg.pinv(kept[:, free].T, rtol=_ROUNDING) @ cost[free]
        gain = price @ kept - cost
        down = torch.where(free, gain, 0.0)
        if down.abs().max() > _ROUNDING:
            room = (at / -down).masked_fill(down >= 0, torch.inf)
            at = (at + room.min() * down).clamp_min(0)
            held = int(room.argmin())
            at[held], free[held] = 0, False
            continue
        wanted = gain.masked_fill(free, -torch.inf)
        if wanted.max() <= _ROUNDING:
            break
        free[int(wanted.argmax())] = True
    return at


def zero_key(trace: Trace) -> Trace:
    """Rerun with one more key and value, all zeros, that every query may attend to: `add_zero_attn` of
    `torch.nn.MultiheadAttention`. Its score is 0, and its value adds nothing to the output."""
    mask = torch.nn.functional.pad(trace["mask"].value, (0, 1), value=True) if "mask" in trace else None
    keys, values = (torch.nn.functional.pad(trace[id].value, (0, 0, 0, 1)) for id in ("keys", "values"))
    return rerun(trace, mask=mask, keys=keys, values=values)
