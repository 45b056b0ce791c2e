"""Why a large weight does not make a key important: values differ in length, other weights may give the same output,
and every row has to sum to 1.

What a key adds to an output is a_ij v_j (Kobayashi et al. 2020, "Attention is Not Only a Weight"); weights that mix the
same output are many where there are more keys than features of a value (Brunner et al. 2020, "On Identifiability in
Transformers").
"""

import torch
from torch import Generator, Tensor

from attention.analysis.rerun import rerun
from attention.trace import Trace

_DIRECTIONS = 200


def added(trace: Trace) -> Tensor:
    """The length of what each key adds to an output, a_ij |v_j| (..., query, key)."""
    lengths: Tensor = trace["values"].value.norm(dim=-1)
    return trace["weights"].value * lengths.unsqueeze(-2)


def same_output(weights: Tensor, values: Tensor, generator: Generator) -> Tensor:
    """Other weights (keys,) that also sum to one and give the same output, in float64 on the CPU: of several drawn
    directions, those that lead farthest from weights (keys,), for values (keys, d_v).

    Where there is no such direction, as with keys <= d_v + 1 in general position, the weights are returned unchanged.
    ValueError: as many weights as values are needed.
    """
    if len(weights) != len(values):
        raise ValueError(f"as many weights as values are needed, got {len(weights)} and {len(values)}")
    weights, values = (each.to("cpu", torch.float64) for each in (weights, values))
    kept = torch.cat((values.T, torch.ones(1, len(values), dtype=torch.float64)))
    _, singular, basis = torch.linalg.svd(kept)
    free = basis[int((singular > 1e-9 * singular[0]).sum()) :]
    if not len(free):
        return weights
    directions = torch.randn(_DIRECTIONS, len(free), generator=generator, dtype=torch.float64) @ free
    # As far as possible without a negative weight.
    far = (weights / -directions).masked_fill(directions >= 0, torch.inf).amin(-1, keepdim=True)
    others: Tensor = (weights + far * directions).clamp_min(0)
    return others[int((others - weights).abs().sum(-1).argmax())]


def zero_key(trace: Trace) -> Trace:
    """Rerun with one more key and value, all zeros, that every query may attend to: `add_zero_attn` of
    `torch.nn.MultiheadAttention`. Its score is 0, and its value adds nothing to the output."""
    mask = torch.nn.functional.pad(trace["mask"].value, (0, 1), value=True) if "mask" in trace else None
    keys, values = (torch.nn.functional.pad(trace[id].value, (0, 0, 0, 1)) for id in ("keys", "values"))
    return rerun(trace, mask=mask, keys=keys, values=values)
