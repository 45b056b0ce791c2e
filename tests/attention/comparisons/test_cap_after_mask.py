"""A cap after the mask leaks: with a small cap a test sees it, with the cap of Gemma 2 none does."""

import math

import pytest
import torch

from attention import Trace, grid, scaled_dot_product_attention
from attention.comparisons.cap_after_mask import cap_after_mask, leak, most_weight
from tests.support import CLOSE, drawn, refused

NEAR = CLOSE[torch.float64]


def record(n: int, mask: torch.Tensor | None) -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*drawn((2, 3, n, 7), (2, 3, n, 7), (2, 3, n, 5)), mask=mask, trace=trace)
    return trace


@pytest.mark.parametrize("cap", [0.5, 2.0, 30.0])
def test_it_is_tanh_after_the_mask(cap):
    trace = record(11, grid("causal", 11, 11))
    expected = (cap * torch.tanh(trace["masked"].value / cap)).softmax(-1)
    mistaken = cap_after_mask(trace, cap)
    torch.testing.assert_close(mistaken["weights"].value, expected, **NEAR)
    assert leak(trace, mistaken) == pytest.approx(expected.triu(1).sum(-1).max().item())


def test_the_numbers_of_the_reference():
    """Equal scores: at c = 1/2, row 0 of 12 leaks nearly all but one of the keys; at c = 50, 1,000 keys leak 2e-19."""
    trace = Trace()
    q = torch.zeros(12, 3, dtype=torch.float64)
    scaled_dot_product_attention(q, q, q, mask=grid("causal", 12, 12), trace=trace)
    seen = 1 / (1 + 11 * math.exp(-0.5))
    assert leak(trace, cap_after_mask(trace, 0.5)) == pytest.approx(1 - seen)
    assert 1000 * math.exp(-50) == pytest.approx(2e-19, rel=0.04)
    assert most_weight(2, 10) == pytest.approx(0.858, abs=5e-4)


@pytest.mark.parametrize("mask", [None, torch.zeros(5, 5, dtype=torch.float64)], ids=["none", "float"])
def test_without_a_boolean_mask_nothing_is_hidden_that_could_leak(mask):
    with refused("the record needs a boolean mask, whose hidden pairs would be capped"):
        cap_after_mask(record(5, mask), 1.0)
