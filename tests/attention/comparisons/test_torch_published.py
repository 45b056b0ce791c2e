"""PyTorch's behaviour with masks, as the pages describe it in comparison with ours."""

import math
from contextlib import nullcontext

import pytest
import torch
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from attention import scaled_dot_product_attention
from attention.masks import grid, padding
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
    # At 1e9 neighbouring numbers of float64 are 1.2e-7 apart: every score is rounded by up to half of that.
    eye = torch.eye(7, dtype=torch.float64).expand(2, 3, 7, 7)
    weights = [attend(Q, K, eye, mask) for mask in (None, torch.full((5, 7), -1e9).double())]
    assert 0 < (weights[1] - weights[0]).abs().max() <= 6e-8
    torch.testing.assert_close(attend(Q, K, V, torch.full((5, 7), -1e9).double()), unmasked, rtol=0, atol=3e-7)
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


BACKENDS = {"default": (), "math": (SDPBackend.MATH,), "flash": (SDPBackend.FLASH_ATTENTION,)}
MAY = grid("window", 5, 5, width=2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mask_and_the_causal_flag_are_both_obeyed_or_refused_as_the_backend_has_it(backend):
    q, k, v = drawn((2, 3, 5, 8), (2, 3, 5, 8), (2, 3, 5, 8), dtype=torch.float32)
    with sdpa_kernel(list(BACKENDS[backend])) if backend != "default" else nullcontext():
        if backend == "math":
            with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal=True"):
                attend(q, k, v, MAY, is_causal=True)
            return
        both = attend(q, k, v, MAY, is_causal=True)
    torch.testing.assert_close(both, scaled_dot_product_attention(q, k, v, mask=MAY & grid("causal", 5, 5)))


def test_a_mask_and_the_causal_flag_are_refused_with_dropout():
    with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal=True"):
        attend(Q, K[..., :5, :], V[..., :5, :], MAY, is_causal=True, dropout_p=0.5)


def test_with_one_seed_the_fused_function_drops_what_dropout_drops():
    """The fused function drops weights after the softmax, in training or not; torch does not promise this."""
    weights = (Q @ K.mT / math.sqrt(11)).softmax(-1)
    answers = []
    with torch.random.fork_rng():
        for answer in (
            lambda: attend(Q, K, V, dropout_p=0.4),
            lambda: torch.dropout(weights, 0.4, True) @ V,
            lambda: attend(Q, K, V, dropout_p=1.0),
        ):
            torch.manual_seed(7)
            answers.append(answer())
    torch.testing.assert_close(*answers[:2], rtol=0, atol=1e-6)
    assert (answers[0] - weights @ V).abs().max() > 0.1
    assert not answers[2].any()


def test_a_padding_mask_of_two_axes_is_read_as_queries_by_keys():
    """torch does so silently if there are as many sentences as queries; our function refuses the mask."""
    q, k, v = drawn((5, 3, 5, 11), (5, 3, 7, 11), (5, 3, 7, 13))
    real = padding([7, 5, 3, 2, 1], 7)
    flat = real[:, 0, 0, :]
    torch.testing.assert_close(attend(q, k, v, flat), attend(q, k, v, flat[None, None]))
    assert (attend(q, k, v, flat) - attend(q, k, v, real)).abs().max() > 0.1
    torch.testing.assert_close(scaled_dot_product_attention(q, k, v, mask=real), attend(q, k, v, real))
    with pytest.raises(RuntimeError, match="must match the size"):
        attend(Q, K, V, flat[:2])
    with pytest.raises(ValueError, match=r"\[:, None, None, :\]"):
        scaled_dot_product_attention(Q, K, V, mask=flat[:2])


def test_grouped_queries_repeat_each_key_head_for_its_neighbours():
    q, k, v = drawn((2, 8, 5, 11), (2, 2, 7, 11), (2, 2, 7, 13))
    grouped = attend(q, k, v, enable_gqa=True)
    torch.testing.assert_close(grouped, attend(q, *(each.repeat_interleave(4, 1) for each in (k, v))))
    assert (grouped - attend(q, *(each.repeat(1, 4, 1, 1) for each in (k, v)))).abs().max() > 0.1
    with pytest.raises(RuntimeError, match="must match the size"):
        attend(q, k, v)
    with pytest.raises(RuntimeError, match="must divide"):
        attend(q, *drawn((2, 3, 7, 11), (2, 3, 7, 13)), enable_gqa=True)
    torch.testing.assert_close(attend(q, k[:, :1], v[:, :1]), scaled_dot_product_attention(q, k[:, :1], v[:, :1]))
