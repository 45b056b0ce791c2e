"""A zero key of torch's is a sink of 0, under masks, other scales and empty rows."""

import pytest
import torch
from torch import nn

from attention import Trace, grid, scaled_dot_product_attention
from attention.comparisons.zero_key import apart_from_zero_key
from tests.support import drawn, refused, rounding, summed

MASK = grid("causal", 7, 7) & (torch.arange(7) > 0)[:, None]


@pytest.mark.parametrize("mask", [None, MASK], ids=["none", "empty row"])
@pytest.mark.parametrize("scale", [None, 1.7])
def test_torch_says_the_same(mask, scale):
    trace = Trace()
    inputs = drawn((2, 3, 7, 5), (2, 3, 7, 5), (2, 3, 7, 5))
    scaled_dot_product_attention(*inputs, mask=mask, scale=scale, trace=trace)
    q, k, v = inputs
    most = rounding(5, 8, of=(scale or 1) * summed(q, k.mT) * v.abs().max().item())
    for batch in range(2):
        assert apart_from_zero_key(trace, batch=batch, head=2) <= most < 1e-9


def test_the_function_of_torch_is_what_its_module_calls():
    """The module has one head whose projections are identities."""
    module = nn.MultiheadAttention(5, 1, bias=False, add_zero_attn=True, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.eye(5).repeat(3, 1))
        module.out_proj.weight.copy_(torch.eye(5))
    (x,) = drawn((1, 7, 5))
    sunk = scaled_dot_product_attention(x, x, x, sink=torch.tensor(0.0, dtype=torch.float64))
    torch.testing.assert_close(module(x, x, x, need_weights=False)[0], sunk)


def test_sizes_and_masks_that_torch_does_not_have_are_refused():
    trace = Trace()
    scaled_dot_product_attention(*drawn((7, 5), (7, 5), (7, 3)), trace=trace)
    with refused("torch has one size for d_k and d_v, got 5 and 3"):
        apart_from_zero_key(trace)
    other = Trace()
    scaled_dot_product_attention(*drawn((7, 5), (7, 5), (7, 5)), mask=torch.zeros(7, 7), trace=other)
    with refused("the mask must be boolean"):
        apart_from_zero_key(other)
