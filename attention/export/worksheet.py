"""A worksheet for pen and paper: attention over small whole numbers, and the numbers that are left blank."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention import checks
from attention.modules import MultiHeadAttention
from attention.scales import BY_D_K, SCALES
from attention.trace import Trace

# Small sizes, for few products by hand; the root of d_k is a whole number.
D_MODEL, D_K, D_V = 2, 4, 2
MOST_TOKENS = 3
NAMES = (*BY_D_K, "sqrt_d_model")
_EACH_QUERY = ("scores", "scaled", "softcapped", "biased", "masked", "weights", "output")
# If the scores of a row lie further apart, the weights are zeros and a one in two decimals.
_SPREAD = 8
_DRAWS = 64
# Numbers closer than this differ by rounding alone.
_SAME = 1e-9


@dataclass(frozen=True)
class Sheet:
    """A record, and the numbers that a student has to find.

    number: the seed of its draws; trace: batch and head are 1; blank: id of a step to bool (rows, columns), True where
    the number is left out; worked: the query whose row is given in every step, None where there is only one query;
    upstream: (tokens, D_V), whole numbers, the gradient of the output, from which a backward pass begins;
    factor: the scale of the scores; capped: pairs of x and c tanh(x / c) for all scaled scores, the largest first, none
    without a cap c; powers: pairs of x and e^x for all differences that a softmax takes, from 0 downwards.
    """

    number: int
    trace: Trace
    blank: Mapping[str, Tensor]
    worked: int | None
    factor: float
    powers: tuple[tuple[float, float], ...]
    upstream: Tensor
    capped: tuple[tuple[float, float], ...] = ()


def sheet(
    number: int,
    tokens: int,
    *,
    mask: Tensor | None = None,
    scale: str = "sqrt_d_k",
    softcap: float | None = None,
    slope: float | None = None,
    sink: float | None = None,
) -> Sheet:
    """The sheet with a number, for some tokens; its whole numbers depend on these two alone.

    mask: bool (tokens, tokens), True = may attend; scale: one of NAMES; softcap, slope of a linear bias and sink: as
    in `scaled_dot_product_attention`. Rotations and norms leave no whole numbers, and one head shares no keys.
    ValueError: less than one token or more than MOST_TOKENS, an unknown scale, a mask that does not fit, a softcap that
    is not above 0.
    """
    checks.between("tokens", tokens, 1, MOST_TOKENS)
    checks.choice("scale", scale, NAMES)
    factor = SCALES[scale](D_K, D_MODEL, 1)
    generator = torch.Generator().manual_seed(number)
    has_sink = sink is not None
    module = MultiHeadAttention(D_MODEL, d_k=D_K, d_v=D_V, sink=has_sink, generator=generator).double()
    module.requires_grad_(False)
    if module.sink is not None and sink is not None:
        module.sink.fill_(sink)
    slopes = None if slope is None else torch.tensor(slope, dtype=torch.float64)
    given = {"mask": mask, "scale": None if scale == "sqrt_d_k" else factor, "softcap": softcap, "slopes": slopes}
    for _ in range(_DRAWS):
        x = _pairs(tokens, -1, 2, generator)
        for weight, most in ((module.w_q, 1), (module.w_k, 1), (module.w_v, 2)):
            weight.copy_(_pairs(weight.shape[1], -most, most, generator).T)
        trace = Trace()
        module(x[None], **given, trace=trace)
        if _fair(trace):
            break
    worked = _worked(trace, generator)
    capped = () if softcap is None else _distinct(trace["scaled"].of(), lambda x: softcap * math.tanh(x / softcap))
    blank, powers = _blank(trace, worked, generator), _powers(trace, factor)
    return Sheet(number, trace, blank, worked, factor, powers, _pairs(tokens, -1, 1, generator), capped)


def _powers(trace: Trace, factor: float) -> tuple[tuple[float, float], ...]:
    """e^x for the differences of scores: multiples of the factor, unless steps after the scale have changed them."""
    if not {"softcapped", "biased", "sink"} & trace.keys():
        apart = int(max(_SPREAD, _ranges(trace).max().item()))
        return tuple((-step * factor, math.exp(-step * factor)) for step in range(apart + 1))
    scores = trace.before("weights", "S").of()
    if "sink" in trace:
        z = trace["sink"].of().expand(len(scores), 1)
        scores = torch.cat((scores, z), -1)
    return _distinct(scores - scores.amax(-1, keepdim=True), math.exp)


def _distinct(values: Tensor, of: Callable[[float], float]) -> tuple[tuple[float, float], ...]:
    """The different finite numbers of a tensor with their values under a function, the largest first."""
    numbers = values[values.isfinite()].unique().flip(0).tolist()
    different = [x for at, x in enumerate(numbers) if at == 0 or numbers[at - 1] - x > _SAME]
    return tuple((x, of(x)) for x in different)


def _pairs(count: int, low: int, high: int, generator: Generator) -> Tensor:
    """Distinct pairs (count, 2) of whole numbers, none of them (0, 0)."""
    numbers = torch.arange(low, high + 1)
    pairs = torch.cartesian_prod(numbers, numbers)
    pairs = pairs[pairs.any(-1)]
    return pairs[torch.randperm(len(pairs), generator=generator)[:count]].double()


def _fair(trace: Trace) -> bool:
    """Whether tokens differ, and every query prefers some key, but not so much that the other weights round to 0.

    The mask plays no part, so the same number has the same matrices under each.
    """
    values, ranges = trace["values"].of(), _ranges(trace)
    spread = len(values) == 1 or ranges.min().item() > 0
    return spread and ranges.max().item() <= _SPREAD and len(values.unique(dim=0)) == len(values)


def _ranges(trace: Trace) -> Tensor:
    scores = trace["scores"].of()
    return scores.amax(-1) - scores.amin(-1)


def _worked(trace: Trace, generator: Generator) -> int | None:
    """The query of the worked example: one with several visible keys, if there is one."""
    weights = trace["weights"].of()
    if len(weights) == 1:
        return None
    telling = ((weights > 0).sum(-1) > 1).nonzero().flatten().tolist() or list(range(len(weights)))
    return int(telling[_one_of(len(telling), generator)])


def _blank(trace: Trace, worked: int | None, generator: Generator) -> dict[str, Tensor]:
    """The blank cells: a row of each projection, and in later steps every row but the worked one."""
    count = trace.sizes["query"]
    others = [row for row in range(count) if row != worked]
    chosen = {
        "queries": [others[_one_of(len(others), generator)]],
        "keys": [_one_of(count, generator)],
        "values": [_one_of(count, generator)],
    }
    chosen |= {id: others for id in _EACH_QUERY if id in trace}
    return {id: rows_of(trace[id].of(), rows) for id, rows in chosen.items()}


def _one_of(count: int, generator: Generator) -> int:
    return int(torch.randint(count, (), generator=generator))


def rows_of(like: Tensor, rows: list[int]) -> Tensor:
    """bool, of the shape of a matrix: True in some of its rows."""
    blank = torch.zeros(like.shape, dtype=torch.bool)
    blank[rows] = True
    return blank
