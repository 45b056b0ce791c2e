"""Exercises on layers: the formula, heads, two texts, a cache, positions."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attention.cache import Cache
from attention.exercises.exercise import Case, attended, numbers, weights
from attention.functional import scaled_dot_product_attention
from attention.masks import grid
from attention.modules import MultiHeadAttention
from attention.positions import frequencies
from attention.positions import rotate as rotated
from attention.scales import SCALES
from attention.trace import Trace


def attention() -> Iterator[Case]:
    for lead, queries, keys, d_k, d_v, times in (
        ((), 2, 3, 5, 1, 1.0),
        ((), 7, 5, 11, 3, 1.0),
        ((2, 3), 5, 7, 13, 2, 3.0),
    ):
        q = numbers(*lead, queries, d_k, seed=20, times=times)
        k, v = numbers(*lead, keys, d_k, seed=21), numbers(*lead, keys, d_v, seed=22)
        trace = Trace()
        right = scaled_dot_product_attention(q, k, v, trace=trace)
        factors = {"d_k": SCALES["d_k"](d_k, d_k, 1), "none": SCALES["none"](d_k, d_k, 1)}
        factors |= {"keys": 1 / math.sqrt(keys), "d_v": 1 / math.sqrt(d_v), "times": math.sqrt(d_k)}
        wrong = {id: attended(q, k, v, scale=factor) for id, factor in factors.items()}
        wrong["after_softmax"] = wrong["none"] / math.sqrt(d_k)
        wrong["columns"] = weights(trace["scaled"].value.mT.contiguous()).mT @ v
        yield Case({"query": q, "key": k, "value": v}, right, wrong)


def cross_attention() -> Iterator[Case]:
    for lead, queries, keys, d_x, d_c, d_k, d_v in (
        ((), 2, 3, 5, 5, 7, 7),
        ((3,), 2, 7, 5, 5, 11, 11),
        ((2,), 5, 5, 7, 7, 3, 3),
        ((), 3, 5, 7, 11, 13, 2),
    ):
        x, c = numbers(*lead, queries, d_x, seed=23), numbers(*lead, keys, d_c, seed=24)
        sizes = {"w_q": (d_x, d_k), "w_k": (d_c, d_k), "w_v": (d_c, d_v)}
        w = {name: numbers(*size, seed=25 + at, times=0.5) for at, (name, size) in enumerate(sizes.items())}
        q, k, v = x @ w["w_q"], c @ w["w_k"], c @ w["w_v"]
        wrong = {}
        if d_k == d_v:
            wrong["swapped"] = attended(q, v, k)
        if d_x == d_c:
            of_x = x @ w["w_k"], x @ w["w_v"]
            wrong |= {"reversed": attended(c @ w["w_q"], *of_x), "self": attended(q, *of_x)}
            if queries == keys:
                wrong |= {"own_values": attended(q, k, of_x[1]), "own_keys": attended(q, of_x[0], v)}
        yield Case({"x": x, "context": c} | w, attended(q, k, v), wrong)


def split_heads() -> Iterator[Case]:
    for x, heads in _bands():
        d = x.shape[-1] // heads
        wrong = {
            "view": x.reshape(*x.shape[:-2], heads, x.shape[-2], d),
            "dealt": x.unflatten(-1, (d, heads)).movedim(-1, -3),
            "not_moved": x.unflatten(-1, (heads, d)),
        }
        yield Case({"x": x, "heads": heads}, _split(x, heads), wrong)


def merge_heads() -> Iterator[Case]:
    for x, heads in _bands():
        split = _split(x, heads)
        wrong = {
            "view": split.reshape(x.shape),
            "dealt": split.movedim(-3, -1).flatten(-2),
            "mean": split.mean(-3),
        }
        yield Case({"x": split}, x, wrong)


def _bands() -> Iterator[tuple[Tensor, int]]:
    yield torch.arange(24.0).double().view(3, 8), 2
    yield numbers(2, 5, 21, seed=28), 3
    yield numbers(3, 7, 10, seed=29), 5


def _split(x: Tensor, heads: int) -> Tensor:
    """The queries recorded by a layer whose projection changes nothing."""
    layer = MultiHeadAttention(x.shape[-1], heads, generator=torch.Generator()).double()
    layer.w_q.data = torch.eye(x.shape[-1], dtype=x.dtype)
    trace = Trace()
    layer(x, trace=trace)
    return trace["queries"].value


def decode() -> Iterator[Case]:
    for lead, new, past, d_k, d_v in (((), 1, 2, 3, 5), ((2,), 3, 5, 7, 2), ((2, 3), 1, 7, 5, 3), ((), 5, 2, 3, 7)):
        q, k = numbers(*lead, new, d_k, seed=30, times=2), numbers(*lead, new, d_k, seed=31)
        v, past_k = numbers(*lead, new, d_v, seed=32), numbers(*lead, past, d_k, seed=33)
        past_v = numbers(*lead, past, d_v, seed=34)
        right = scaled_dot_product_attention(q, k, v, past=Cache(past_k, past_v), mask="causal")
        both = torch.cat((past_k, k), -2), torch.cat((past_v, v), -2)
        wrong = {
            "upper_left": attended(q, *both, mask=grid("causal", new, past + new)),
            "not_appended": attended(q, past_k, past_v),
            "forgotten": attended(q, k, v, mask="causal"),
            "unmasked": attended(q, *both),
        }
        given = {"query": q, "key": k, "value": v, "past_keys": past_k, "past_values": past_v}
        yield Case(given, right, wrong)


def grouped_queries() -> Iterator[Case]:
    for lead, heads, shared, queries, keys, d_k, d_v in (
        ((), 4, 2, 3, 5, 2, 7),
        ((2,), 6, 3, 5, 7, 3, 2),
        ((2,), 6, 2, 7, 3, 5, 11),
        ((), 3, 1, 2, 5, 7, 3),
        ((), 5, 5, 2, 3, 7, 2),
    ):
        q = numbers(*lead, heads, queries, d_k, seed=35)
        k, v = numbers(*lead, shared, keys, d_k, seed=36), numbers(*lead, shared, keys, d_v, seed=37)
        right = scaled_dot_product_attention(q, k, v, enable_gqa=True)
        tiled = torch.arange(heads) % shared
        wrong = {
            "tiled": attended(q, k[..., tiled, :, :], v[..., tiled, :, :]),
            "mean": attended(q, k.mean(-3, keepdim=True), v.mean(-3, keepdim=True)),
            "first": attended(q, k[..., :1, :, :], v[..., :1, :, :]),
        }
        yield Case({"query": q, "key": k, "value": v}, right, wrong)


def rotate() -> Iterator[Case]:
    for x, start, base in (
        (torch.tensor([[1.0, 2, 3, 4]]).double(), 1, 10_000.0),
        (numbers(5, 6, seed=38), 0, 100.0),
        (numbers(2, 3, 7, 10, seed=39), 11, 1000.0),
    ):
        n, d = x.shape[-2:]
        theta = frequencies(d, base=base)
        places = torch.arange(start, start + n, dtype=torch.float64)[:, None]
        wrong = {
            "interleaved": rotated(x, places * theta, interleaved=True),
            "backwards": rotated(x, -places * theta),
            "exponent": rotated(x, places * frequencies(d, base=math.sqrt(base))),
            "from_zero": rotated(x, (places - start) * theta),
            "from_one": rotated(x, (places + 1) * theta),
        }
        yield Case({"x": x, "start": start, "base": base}, rotated(x, places * theta), wrong)
