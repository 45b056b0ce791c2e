"""The contributions of keys, other weights with the same output, and a key of zeros, compared with torch."""

import pytest
import torch
from torch import nn

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.analysis.importance import added, same_output, zero_key
from tests.support import drawn, refused, seeded

N = 7


def recorded(mask=None, d_v: int = 3) -> Trace:
    q, k, v = drawn((2, 5, 11), (2, N, 11), (2, N, d_v))
    trace = Trace()
    scaled_dot_product_attention(q, k, v, mask=mask, trace=trace)
    return trace


def test_what_a_key_adds_is_its_weight_times_the_length_of_its_value():
    trace = recorded()
    terms = trace["weights"].value[..., None] * trace["values"].value[:, None]
    torch.testing.assert_close(added(trace), terms.norm(dim=-1))
    torch.testing.assert_close(terms.sum(-2), trace["output"].value)


@pytest.mark.parametrize("d_v", [1, 2, 3])
def test_other_weights_mix_the_same_output(d_v):
    trace = recorded(d_v=d_v)
    weights, values = trace["weights"].value[0, 0], trace["values"].value[0]
    other = same_output(weights, values)
    assert other.min() >= 0
    torch.testing.assert_close(other.sum().item(), 1.0)
    torch.testing.assert_close(other @ values, weights @ values)
    assert other[weights.argmax()] < weights.max() - 0.05


def test_as_little_as_possible_is_left_to_the_key_that_has_most():
    """For values of one number, with the largest weight on the third of four keys, the least weight left is known."""
    values = torch.tensor([[0.0], [1.0], [2.0], [5.0]], dtype=torch.float64)
    weights = torch.tensor([0.1, 0.1, 0.6, 0.2], dtype=torch.float64)
    other = same_output(weights, values)
    assert other[2].item() == pytest.approx(0, abs=1e-12)
    assert (other @ values).item() == pytest.approx(2.3)
    # An output at the end of the range that values can mix leaves no choice, so all of the weight stays.
    edge = torch.tensor([0.0, 0.0, 0.3, 0.7], dtype=torch.float64)
    assert same_output(edge, values)[3].item() == pytest.approx(0.7 - 0.3 * (2 - 0) / 5 + 0.3 * 2 / 5)
    ends = torch.tensor([0.0, 0.0, 0.0, 1.0], dtype=torch.float64)
    torch.testing.assert_close(same_output(ends, values), ends)


def test_no_drawn_direction_leads_farther():
    """No step in a direction that keeps the sum and the output takes more from the key with the most weight."""
    generator = seeded()
    scores, values = drawn((31, N), (N, 2))
    for weights in (3 * scores).softmax(-1):
        other = same_output(weights, values)
        kept = torch.cat((values.T, torch.ones(1, N, dtype=values.dtype)))
        free = torch.linalg.svd(kept)[2][3:]
        directions = torch.randn(1009, len(free), generator=generator, dtype=torch.float64) @ free
        room = (other / -directions).masked_fill(directions >= -1e-12, torch.inf).amin(-1, keepdim=True)
        reached = (other + room * directions)[:, weights.argmax()]
        assert reached.min() >= other[weights.argmax()] - 1e-9


def test_where_there_are_too_few_keys_the_output_has_one_cause():
    trace = recorded(d_v=N - 1)
    weights, values = trace["weights"].value[0, 0], trace["values"].value[0]
    torch.testing.assert_close(same_output(weights, values), weights)


def test_as_many_weights_as_values():
    with refused("as many weights as values are needed, got 2 and 3"):
        same_output(torch.ones(2) / 2, torch.ones(3, 5))


@pytest.mark.parametrize("mask", [None, "causal"])
def test_a_key_of_zeros_is_that_of_torch(mask):
    module = nn.MultiheadAttention(6, 2, bias=False, add_zero_attn=True, batch_first=True, dtype=torch.float64)
    x = drawn((3, 5, 6))[0]
    allowed = None if mask is None else grid(mask, 5, 5)
    twin, trace = MultiHeadAttention(6, 2, generator=seeded()).double(), Trace()
    with torch.no_grad():
        for name, block in zip("qkv", module.in_proj_weight.chunk(3), strict=True):
            twin.get_parameter(f"w_{name}").copy_(block.T)
    twin(x, mask=allowed, trace=trace)
    expected = module(x, x, x, attn_mask=None if allowed is None else ~allowed, average_attn_weights=False)[1]
    torch.testing.assert_close(zero_key(trace)["weights"].value, expected.detach())
