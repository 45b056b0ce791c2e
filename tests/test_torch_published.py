"""What PyTorch answers where masks are concerned, as the pages say it: the behaviour that our own is compared with."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention import scaled_dot_product_attention
from attention.masks import grid
from tests.support import drawn

Q, K, V = drawn((2, 3, 5, 11), (2, 3, 7, 11), (2, 3, 7, 13))
NOTHING = torch.zeros(5, 7, dtype=torch.bool)
SHORT = (torch.float32, torch.bfloat16)


def attend(q, k, v, mask=None, **options):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, **options)


def test_a_float_mask_of_ones_and_zeros_adds_one_to_the_scores_it_should_keep():
    may = grid("causal", 5, 7)
    scores = Q @ K.mT / math.sqrt(11)
    torch.testing.assert_close(attend(Q, K, V, may.double()), (scores + may).softmax(-1) @ V)
    assert (attend(Q, K, V, may.double()) - attend(Q, K, V, may)).abs().max() > 0.1


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8])
def test_a_mask_of_whole_numbers_is_refused_by_torch_and_here(dtype):
    mask = grid("causal", 5, 7).to(dtype)
    with pytest.raises(RuntimeError):
        attend(Q, K, V, mask)
    with pytest.raises(ValueError, match="mask has dtype"):
        scaled_dot_product_attention(Q, K, V, mask=mask)


@pytest.mark.parametrize("dtype", SHORT)
@pytest.mark.parametrize("low", [-1e9, "min"])
def test_a_large_negative_number_added_in_few_digits_gives_the_mean_of_all_values(dtype, low):
    q, k, v = (tensor.to(dtype) for tensor in (Q, K, V))
    added = torch.finfo(dtype).min if low == "min" else low
    output = attend(q, k, v, torch.full((5, 7), added, dtype=dtype))
    mean = v.float().mean(-2, keepdim=True).expand(2, 3, 5, 13)
    torch.testing.assert_close(output.float(), mean, rtol=0, atol=1e-6 if dtype == torch.float32 else 0.02)


def test_in_float64_a_thousand_million_hides_nothing_and_the_smallest_number_hides_everything():
    unmasked = attend(Q, K, V)
    torch.testing.assert_close(attend(Q, K, V, torch.full((5, 7), -1e9).double()), unmasked, rtol=0, atol=5e-7)
    smallest = torch.full((5, 7), torch.finfo(torch.float64).min, dtype=torch.float64)
    torch.testing.assert_close(attend(Q, K, V, smallest), V.mean(-2, keepdim=True).expand(2, 3, 5, 13))


@pytest.mark.parametrize("dtype", [torch.float64, *SHORT])
def test_filled_scores_are_uniform_in_any_dtype(dtype):
    scores = (Q @ K.mT).to(dtype).masked_fill(~NOTHING, -1e9)
    weights = scores.softmax(-1)
    assert (weights == weights[..., :1]).all()
    assert weights.sum(-1).float() == pytest.approx(1, abs=0.02)


def test_half_precision_cannot_hold_a_thousand_million():
    with pytest.raises(RuntimeError, match="overflow"):
        (Q @ K.mT).half().masked_fill(~NOTHING, -1e9)
    lowest = torch.tensor(torch.finfo(torch.float16).min, dtype=torch.float16)
    assert (lowest - 20).item() == -math.inf


def test_rows_of_zeros_have_finite_gradients():
    inputs = [tensor.clone().requires_grad_() for tensor in (Q, K, V)]
    attend(*inputs, NOTHING).sum().backward()
    assert not attend(Q, K, V, NOTHING).any()
    assert all(tensor.grad.isfinite().all() for tensor in inputs)


def test_a_query_of_zeros_gets_the_mean_of_the_values():
    output = scaled_dot_product_attention(torch.zeros_like(Q), K, V)
    torch.testing.assert_close(output, V.mean(-2, keepdim=True).expand(2, 3, 5, 13))
    torch.testing.assert_close(output, attend(torch.zeros_like(Q), K, V))


class TestModule:
    """`nn.MultiheadAttention`: boolean masks the other way round."""

    def layer(self) -> nn.MultiheadAttention:
        torch_layer = nn.utils.skip_init(nn.MultiheadAttention, 6, 3, bias=False, batch_first=True, dtype=torch.float64)
        weights = drawn((18, 6), (6, 6), seed=3)
        with torch.no_grad():
            torch_layer.in_proj_weight.copy_(weights[0])
            torch_layer.out_proj.weight.copy_(weights[1])
        return torch_layer

    X = drawn((2, 5, 6), seed=4)[0]

    def test_true_means_ignore(self):
        _, weights = self.layer()(self.X, self.X, self.X, attn_mask=~grid("causal", 5, 5))
        assert not weights.triu(1).any()

    def test_padding_hides_columns_and_leaves_the_rows_of_the_padding_alone(self):
        padded = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
        _, weights = self.layer()(self.X, self.X, self.X, key_padding_mask=padded)
        assert not weights[1, :, 3:].any()
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 5, dtype=torch.float64))

    def test_a_query_without_a_key_is_not_a_number_with_weights_and_zero_without(self):
        nothing = torch.ones(5, 5, dtype=torch.bool)
        output, weights = self.layer()(self.X, self.X, self.X, attn_mask=nothing)
        assert weights.isnan().all()
        assert output.isnan().all()
        output, weights = self.layer()(self.X, self.X, self.X, attn_mask=nothing, need_weights=False)
        assert weights is None
        assert not output.any()
