"""Reruns of a record with something changed agree with torch."""

import pytest
import torch
from torch.nn import functional as F

from attention import Trace, scaled_dot_product_attention
from attention.analysis.rerun import rerun
from attention.masks import grid
from attention.positions import frequencies
from tests.support import BATCH, CLOSE, D_K, D_V, EXACT, HEADS, KEYS, QUERIES, drawn, qkv

EXACTLY = CLOSE[torch.float64]


def first(sizes: tuple[int, int] = (HEADS, D_K), **options) -> Trace:
    """sizes: query heads and features of queries and keys."""
    heads, d_k = sizes
    trace = Trace()
    parts = drawn((BATCH, heads, QUERIES, d_k), (BATCH, HEADS, KEYS, d_k), (BATCH, HEADS, KEYS, D_V))
    scaled_dot_product_attention(*parts, trace=trace, **options)
    return trace


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mask": grid("causal", QUERIES, KEYS)},
        {"scale": 0.7},
        {"sizes": (6, 10), "enable_gqa": True, "rotary": frequencies(10), "interleaved": True},
        {"sizes": (3, 10), "rotary": frequencies(10), "positions": torch.arange(QUERIES) + 7},
    ],
    ids=str,
)
def test_with_nothing_changed_it_is_the_same_run(options):
    trace = first(**options)
    second = rerun(trace)
    assert list(second) == list(trace)
    for id, step in trace.items():
        torch.testing.assert_close(second[id].value, step.value, **EXACT)


def test_a_mask_and_a_scale_replace_those_of_the_record():
    mask = grid("window", QUERIES, KEYS, width=2)
    second = rerun(first(mask=grid("causal", QUERIES, KEYS), scale=0.7), mask=mask, scale=0.3)
    expected = F.scaled_dot_product_attention(*qkv(), attn_mask=mask, scale=0.3)
    torch.testing.assert_close(second["output"].value, expected, **EXACTLY)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_changed_part_replaces_the_recorded_one(place):
    parts = qkv()
    (parts[place],) = drawn(tuple(parts[place].shape), seed=5)
    name = ("queries", "keys", "values")[place]
    second = rerun(first(), **{name: parts[place]})
    torch.testing.assert_close(second["output"].value, F.scaled_dot_product_attention(*parts), **EXACTLY)


def test_dropout_is_left_out():
    trace = first(dropout=0.5, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(rerun(trace)["output"].value, F.scaled_dot_product_attention(*qkv()), **EXACTLY)


def test_it_may_be_computed_in_another_precision():
    assert rerun(first(), dtype=torch.float32)["weights"].value.dtype == torch.float32


def test_a_rerun_keeps_the_steps_that_are_wanted_and_they_are_those_of_the_whole_run():
    trace = first(mask=grid("causal", QUERIES, KEYS))
    draws = [torch.Generator().manual_seed(7) for _ in range(2)]
    whole = rerun(trace, dropout=0.3, generator=draws[0])
    second = rerun(trace, dropout=0.3, generator=draws[1], wanted=("dropped", "output"))
    assert list(second) == ["dropped", "output"]
    for id, step in second.items():
        assert step.axes == whole[id].axes
        torch.testing.assert_close(step.value, whole[id].value, **EXACT)
