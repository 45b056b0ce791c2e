"""Softmax over tiles of the scores, with a running maximum and a running sum; every intermediate is recorded.

Milakov and Gimelshein 2018, algorithm 3; with the output carried along, Dao et al. 2022 (FlashAttention), algorithm 1,
and queries outermost as in Dao 2023, algorithm 1. The scores are those of a record, already scaled and masked;
only the softmax and the product with V are done in another order, and the result is the same up to rounding.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attention import checks, tensor_checks
from attention.trace import Step, Trace

_PAIRS = ("query", "key")


@dataclass(frozen=True)
class Tile:
    """The update of the running numbers of `a` queries by a tile of `b` keys.

    queries, keys: the rows and columns of the tile; scores (..., a, b). Before and after the tile: maximum m and sum l
    (..., a), and output (..., a, d_v), the sum of values before its division by l. factor r (..., a) multiplies the old
    sum and output; powers p (..., a, b) is exp(scores - m). skipped: whether nothing was computed, because the mask
    hides every pair of the tile.
    """

    queries: range
    keys: range
    scores: Tensor
    maximum_before: Tensor
    maximum: Tensor
    factor: Tensor
    powers: Tensor
    sum_before: Tensor
    sum: Tensor
    output_before: Tensor
    output: Tensor
    skipped: bool


@dataclass(frozen=True)
class Tiled:
    """The tiles in the order in which they are computed, and their result.

    output (..., L, d_v); log_sum_exp (..., L), the logarithm of the sum of exp(scores), which merging two halves of the
    keys needs. Both are 0 and -inf for a query whose scores are all minus infinity.
    """

    tiles: tuple[Tile, ...]
    output: Tensor
    log_sum_exp: Tensor


def online_softmax(
    scores: Tensor, values: Tensor, *, queries: int, keys: int, sink: Tensor | None = None, skip: bool = True
) -> Tiled:
    """softmax(scores) values, in tiles of so many queries and keys; the last ones are smaller if the sizes do not
    divide.

    scores (..., L, S), minus infinity where the mask hides a pair; values (..., S, d_v); one floating dtype, in which
    everything is computed. sink: a logit (...), broadcast to (..., L), that joins the sum of each row and has no value.
    skip: leave out the tiles that the mask hides entirely, whose scores a kernel would not compute either. A row of
    minus infinity alone has an output of zero; NaN and infinity stay visible, as in softmax. ValueError: sizes below 1,
    scores and values that do not fit together.
    """
    checks.positive(queries=queries, keys=keys)
    if min(scores.ndim, values.ndim) < 2 or scores.shape[-1] != values.shape[-2]:
        shapes = f"{tuple(scores.shape)} and {tuple(values.shape)}"
        raise ValueError(f"scores (..., L, S) and values (..., S, d_v) must share S, got {shapes}")
    tensor_checks.same_kind({"scores": scores, "values": values})
    lead = torch.broadcast_shapes(scores.shape[:-2], values.shape[:-2])
    scores, values = scores.expand(*lead, *scores.shape[-2:]), values.expand(*lead, *values.shape[-2:])
    tiles, outputs, ends = [], [], []
    for rows in _parts(scores.shape[-2], queries):
        m, l, O = _start(scores[..., rows.start : rows.stop, 0], values.shape[-1], sink)
        for columns in _parts(scores.shape[-1], keys):
            S = scores[..., rows.start : rows.stop, columns.start : columns.stop]
            tile = _tile(rows, columns, S, values[..., columns.start : columns.stop, :], (m, l, O), skip)
            m, l, O = tile.maximum, tile.sum, tile.output
            tiles.append(tile)
        empty = l == 0
        outputs.append(O / l.masked_fill(empty, 1)[..., None])
        ends.append(torch.where(empty, -math.inf, m + l.log()))
    return Tiled(tuple(tiles), torch.cat(outputs, -2), torch.cat(ends, -1))


def _start(row: Tensor, d_v: int, sink: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """Maximum, sum and output before the first key, which are those of the sink if there is one."""
    O = row.new_zeros(*row.shape, d_v)
    if sink is None:
        return torch.full_like(row, -math.inf), torch.zeros_like(row), O
    m = sink.to(row.dtype)[..., None].expand(row.shape)
    return m, (m - _reference(m)).exp(), O


def _tile(rows: range, columns: range, S: Tensor, V: Tensor, before: tuple[Tensor, Tensor, Tensor], skip: bool) -> Tile:
    m, l, O = before
    if skip and bool((S == -math.inf).all()):
        return Tile(rows, columns, S, m, m, torch.ones_like(m), torch.zeros_like(S), l, l, O, O, True)
    new = torch.maximum(m, S.amax(-1))
    reference = _reference(new)
    r, p = (m - reference).exp(), (S - reference[..., None]).exp()
    return Tile(rows, columns, S, m, new, r, p, l, l * r + p.sum(-1), O, O * r[..., None] + p @ V, False)


def _reference(m: Tensor) -> Tensor:
    """The number that is subtracted from scores: the maximum, or 0 while it is -inf, since -inf - (-inf) is NaN."""
    return m.masked_fill(m == -math.inf, 0)


def _parts(length: int, size: int) -> list[range]:
    return [range(start, min(start + size, length)) for start in range(0, length, size)]


def last_scores(trace: Trace) -> Step:
    """The scores that the softmax of a record reads: scaled, and masked if there is a mask.

    ValueError: a record without weights.
    """
    if "weights" not in trace:
        raise ValueError(f"no step 'weights' in this trace; it has {', '.join(trace) or 'none'}")
    before = list(trace.values())[: list(trace).index("weights")]
    return [step for step in before if step.axes[-2:] == _PAIRS and not step.quantity.given][-1]


def tiled(trace: Trace, *, queries: int, keys: int, batch: int = 0, head: int = 0) -> Tiled:
    """The tiles of a sentence and a head of a record, with its sink where it has one, in float64 on the CPU."""
    scores, values = (
        step.of(batch=batch, head=head).to("cpu", torch.float64) for step in (last_scores(trace), trace["values"])
    )
    sink = trace["sink"].of(batch=batch, head=head).to("cpu", torch.float64) if "sink" in trace else None
    return online_softmax(scores, values, queries=queries, keys=keys, sink=sink)


def merged(parts: list[Tiled]) -> Tensor:
    """The output over all keys (..., L, d_v) from those over parts of them: a softmax of log_sum_exp weighs the parts.

    Parts of a long cache that are held by several processors are combined like this ("split K").
    """
    ends = torch.stack([part.log_sum_exp for part in parts])
    empty = (ends == -math.inf).all(0)
    shares = ends.masked_fill(empty, 0).softmax(0).masked_fill(empty, 0)
    return (shares[..., None] * torch.stack([part.output for part in parts])).sum(0)
