"""Exercises on the matrix of scores: softmax, masks, dropout, backward, tiles."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attention.analysis.online_softmax import Tile, online_softmax
from attention.comparisons.hiding import HIDING, hidden
from attention.exercises.exercise import ANYTHING, Case, attended, loose, numbers, weights
from attention.functional import scaled_dot_product_attention
from attention.masks import grid
from attention.trace import Trace

# Common stand-ins for minus infinity; the mistake shows beside scores that are large or far below 0.
_FILLS = (-20.0, -100.0, -1e4)


def softmax() -> Iterator[Case]:
    for scores in (
        torch.tensor([[1.0, 2, 3], [1, 1, 1]]).double(),
        torch.tensor([[1000.0, 1001, 1002]]).double(),
        torch.tensor([[0.0, 1], [1000, 1001]]).double(),
        numbers(2, 3, 5, seed=1, times=3),
        numbers(7, 11, seed=2, times=30),
    ):
        whole = weights(scores.flatten(-2)[..., None, :])[..., 0, :].unflatten(-1, scores.shape[-2:])
        wrong = {
            "naive": _shares(scores.exp()),
            "columns": weights(scores.mT.contiguous()).mT,
            "whole": whole,
            "base_two": weights(scores * math.log(2)),
            "one_maximum": _shares((scores - scores.max()).exp()),
        }
        yield Case({"scores": scores}, weights(scores), wrong)


def _shares(powers: Tensor) -> Tensor:
    return powers / powers.sum(-1, keepdim=True)


def causal() -> Iterator[Case]:
    for scores in (
        numbers(3, 3, seed=3),
        numbers(2, 3, 7, 7, seed=4, times=30),
        numbers(5, 5, seed=5, plus=-20_000),
        numbers(2, 5, 5, seed=5, plus=-5000),
        numbers(1, 1, seed=6),
    ):
        n = scores.shape[-1]
        allowed = grid("causal", n, n)
        before, inverted = allowed.tril(-1), ~allowed
        wrong = _hidden_wrongly(scores, allowed) | {
            "unmasked": weights(scores),
            "strict": loose(weights(scores, before), before),
            "transposed": weights(scores, allowed.mT),
            "inverted": loose(weights(scores, inverted), inverted),
        }
        yield Case({"scores": scores}, weights(scores, allowed), wrong)


def _hidden_wrongly(scores: Tensor, allowed: Tensor) -> dict[str, Tensor]:
    """The answers of leaking ways to hide. A fully hidden row is `ANYTHING`, since each way fills it differently."""
    leaks = {way: loose(HIDING[way](scores, allowed), allowed) for way in ("zero_before", "zero_after")}
    filled = (scores.masked_fill(~allowed, fill).softmax(-1) for fill in _FILLS)
    named = (f"finite:{fill:g}" for fill in _FILLS)
    return leaks | {name: loose(made, allowed) for name, made in zip(named, filled, strict=True)}


def padding() -> Iterator[Case]:
    yes, no = True, False
    for scores, keep in (
        (numbers(2, 1, 3, 3, seed=7, times=10, plus=-40), [[yes, yes, no], [yes, yes, yes]]),
        # The batch has as many sentences as words, so that a mask in the wrong place still runs.
        (numbers(3, 2, 3, 3, seed=8, times=30, plus=-5000), [[yes, yes, no], [yes, no, no], [no, yes, yes]]),
        (numbers(2, 3, 5, 7, seed=9, plus=-20_000), [[yes] * 4 + [no] * 3, [yes] * 6 + [no]]),
        (numbers(2, 3, 5, 5, seed=10), [[yes, yes, yes, yes, no], [no] * 5]),
    ):
        kept = torch.tensor(keep)
        allowed = kept[:, None, None, :].expand(scores.shape)
        empty = ~allowed.any(-1, keepdim=True)
        right = weights(scores, allowed)
        smallest = hidden(scores, allowed, "filled", torch.float64)
        wrong = _hidden_wrongly(scores, allowed) | {
            "unmasked": weights(scores),
            "inverted": loose(weights(scores, ~allowed), ~allowed),
            "empty_nan": right.masked_fill(empty, math.nan),
        }
        if smallest is not None:
            wrong["empty_uniform"] = smallest
        if scores.shape[-2] == scores.shape[-1]:
            rows = kept[:, None, :, None].expand(scores.shape)
            for id, seen in (("rows", rows), ("both", rows & allowed)):
                nothing = ~seen.any(-1, keepdim=True)
                for filled, share in (("nan", math.nan), ("zeros", 0.0), ("shares", 1 / scores.shape[-1])):
                    wrong[f"{id}:{filled}"] = weights(scores, seen).masked_fill(nothing, share)
        if len(kept) == scores.shape[-2]:
            moved = kept.expand(scores.shape)
            wrong["broadcast"] = loose(weights(scores, moved), moved)
        yield Case({"scores": scores, "keep": kept}, right, wrong)


def dropout() -> Iterator[Case]:
    for shape, p, training in (
        ((3, 3), 0.2, True),
        ((2, 5, 7), 0.5, True),
        ((2, 3, 5, 7), 0.8, True),
        ((3, 5), 0.2, False),
        ((2, 7, 3), 0.5, False),
    ):
        trace, one = Trace(), torch.eye(shape[-1], dtype=torch.float64)
        scores, generator = numbers(*shape, seed=11), torch.Generator().manual_seed(2)
        scaled_dot_product_attention(scores, one, one, dropout=p, generator=generator, trace=trace)
        # Rounded to float32, because the student's function starts from such numbers.
        A = trace["weights"].value.float().double()
        D = trace["kept"].value.bool()
        kept = A * D
        sums = kept.sum(-1, keepdim=True)
        grown = kept / (1 - p)
        if training:
            wrong = {
                "not_grown": kept,
                "classical": kept,
                "renormalised": (kept / sums).masked_fill(sums == 0, ANYTHING),
                "by_p": kept / p,
                "inverted": A * ~D / (1 - p),
            }
        else:
            wrong = dict.fromkeys(("not_grown", "renormalised", "by_p", "inverted"), A)
            wrong |= {"always": grown, "classical": A * (1 - p)}
        if training:
            wrong["always"] = grown
        yield Case({"weights": A, "keep": D, "p": p, "training": training}, grown if training else A, wrong)


def softmax_backward() -> Iterator[Case]:
    for shape, times in (((1, 3), 1.0), ((5, 7), 1.0), ((2, 3, 5, 2), 3.0)):
        scores, upstream = numbers(*shape, seed=12, times=times), numbers(*shape, seed=13)
        A = weights(scores).float().double()
        hands_back = A * upstream
        wrong = {
            "diagonal": A * (1 - A) * upstream,
            "product": hands_back,
            "columns": hands_back - A * hands_back.sum(-2, keepdim=True),
            "unweighted": hands_back - A * upstream.sum(-1, keepdim=True),
            "sign": A * hands_back.sum(-1, keepdim=True) - hands_back,
        }
        yield Case({"weights": A, "upstream": upstream}, _back_through(A, upstream), wrong)


def _back_through(A: Tensor, upstream: Tensor) -> Tensor:
    """Autograd's gradient for scores with these weights; the logarithms of the weights are such scores."""
    scores = A.log().requires_grad_()
    one = torch.eye(A.shape[-1], dtype=A.dtype)
    (found,) = torch.autograd.grad(attended(scores, one, one, scale=1.0), scores, upstream)
    return found


def tiles() -> Iterator[Case]:
    gaps = numbers(5, 7, seed=16)
    gaps[0, :3] = gaps[1, 2:5] = gaps[2] = -math.inf
    for scores, values, size in (
        (torch.tensor([[1.0, 3, 2, 5, 0, 4]]).double(), torch.arange(1.0, 7).double()[:, None], 2),
        (numbers(3, 7, seed=14, times=3), numbers(7, 2, seed=15), 3),
        (numbers(2, 5, 11, seed=17, plus=1000), numbers(2, 11, 3, seed=18), 4),
        (gaps, numbers(7, 2, seed=19), 3),
    ):
        allowed = scores > -math.inf
        right = weights(scores.masked_fill(~allowed, 0), allowed) @ values
        yield Case({"scores": scores, "values": values, "size": size}, right, _in_tiles(scores, values, size))


def _in_tiles(scores: Tensor, values: Tensor, size: int) -> dict[str, Tensor]:
    whole, queries = scores.shape[-1] // size * size, scores.shape[-2]
    made = online_softmax(scores, values, queries=queries, keys=size, skip=False).tiles
    sums, outputs = [tile.powers.sum(-1, keepdim=True) for tile in made], [_read(tile, values) for tile in made]
    l, O = made[-1].sum[..., None], made[-1].output
    wrong = {
        "not_rescaled": _total(outputs) / _total(sums),
        "sum_only": _total(outputs) / l,
        "output_only": O / _total(sums),
        "average": _total([o / s for o, s in zip(outputs, sums, strict=True)]) / len(made),
        "ragged": online_softmax(scores[..., :whole], values[..., :whole, :], queries=queries, keys=size).output,
        "naive": (powers := scores.exp()) @ values / powers.sum(-1, keepdim=True),
        # Minus infinity minus minus infinity, in the first tile and in all later ones.
        "first_hidden": (O / l).masked_fill((made[0].maximum == -math.inf)[..., None], math.nan),
    }
    seen = scores > -math.inf
    # With a hidden tile, other results depend on how the student skips it.
    unsure = ~torch.stack([part.any(-1) for part in seen.split(size, -1)]).all(0)[..., None]
    empty = ~seen.any(-1, keepdim=True)
    wrong["empty_nan"] = (O / l.masked_fill(l == 0, 1)).masked_fill(empty, math.nan)
    told = ("naive", "first_hidden", "empty_nan")
    return {id: one if id in told else one.masked_fill(unsure, ANYTHING) for id, one in wrong.items()}


def _read(tile: Tile, values: Tensor) -> Tensor:
    return tile.powers @ values[..., tile.keys.start : tile.keys.stop, :]


def _total(parts: list[Tensor]) -> Tensor:
    return torch.stack(parts).sum(0)
