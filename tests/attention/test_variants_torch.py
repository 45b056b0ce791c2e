"""Variants beside those that torch itself has: flex_attention, masks, a zero key, cosines."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

from attention import Trace, grid, scaled_dot_product_attention
from attention.positions import slopes
from tests.support import CLOSE, qkv
from tests.support.published import CAUSAL, HEADS, NEAR, PAIR, SINK, D, K, N, Q, V, attend


def test_torchs_causal_flag_with_a_cache_sees_the_first_key_alone():
    """The corner that the cache needs is the lower right one."""
    trap = F.scaled_dot_product_attention(Q[:, :, -1:], K, V, is_causal=True)
    torch.testing.assert_close(trap, V[:, :, :1], **NEAR)
    ours = scaled_dot_product_attention(Q[:, :, -1:], K, V, mask=grid("causal", 1, N, corner="lower_right"))
    torch.testing.assert_close(ours, attend()[:, :, -1:], **NEAR)


def block_mask():
    return create_block_mask(lambda b, h, i, j: i >= j, None, None, N, N, device="cpu")


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({"softcap": 0.5}, lambda s, b, h, i, j: 0.5 * torch.tanh(s / 0.5)),
        ({"slopes": slopes(HEADS)}, lambda s, b, h, i, j: s - slopes(HEADS)[h] * (i - j)),
        ({"enable_gqa": True}, None),
    ],
    ids=["softcap", "slopes", "grouped"],
)
def test_flex_attention_agrees(options, score):
    parts = PAIR if "enable_gqa" in options else (K, V)
    gqa = {"enable_gqa": True} if "enable_gqa" in options else {}
    theirs = flex_attention(Q, *parts, score_mod=score, block_mask=block_mask(), **gqa)
    torch.testing.assert_close(attend(parts, **options), theirs, **NEAR)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
def test_a_sink_is_a_gate_on_each_row_of_flex_attention():
    out, more = flex_attention(Q, K, V, block_mask=block_mask(), return_aux=AuxRequest(lse=True))
    gated = out * torch.sigmoid(more.lse[..., None] - SINK[:, None, None])
    torch.testing.assert_close(attend(sink=SINK), gated, **NEAR)


def test_a_zero_key_beside_the_others_is_the_sink_zero():
    """nn.MultiheadAttention(add_zero_attn=True) is softmax-one."""
    torchs = torch.nn.MultiheadAttention(D, 1, bias=False, add_zero_attn=True, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        torchs.in_proj_weight.copy_(torch.cat([torch.eye(D, dtype=torch.float64)] * 3))
        torchs.out_proj.weight.copy_(torch.eye(D, dtype=torch.float64))
        expected = torchs(Q[:, 0], K[:, 0], V[:, 0], need_weights=False)[0]
    ours = scaled_dot_product_attention(Q[:, 0], K[:, 0], V[:, 0], sink=torch.tensor(0.0))
    torch.testing.assert_close(ours, expected, **NEAR)


def test_scores_of_normalised_queries_and_keys_are_cosines():
    trace = Trace()
    attend(qk_norm=True, trace=trace)
    cosines = math.sqrt(D) * F.cosine_similarity(Q[..., :, None, :], K[..., None, :, :], dim=-1)
    torch.testing.assert_close(trace["scaled"].value, cosines, **NEAR)
    assert cosines.abs().max() < math.sqrt(D)
    larger = scaled_dot_product_attention(100 * Q, K, V, qk_norm=True, mask=CAUSAL)
    torch.testing.assert_close(larger, attend(qk_norm=True), **NEAR)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_distances_and_slopes_are_rounded_once_however_short_the_numbers_are(dtype):
    """bfloat16 has no 257; the slopes of three heads are no powers of two."""
    trace, keys = Trace(), 599
    q, k = torch.zeros(3, 1, 2, dtype=dtype), torch.zeros(3, keys, 2, dtype=dtype)
    scaled_dot_product_attention(q, k, k, slopes=slopes(3), positions=torch.tensor([keys - 1]), trace=trace)
    expected = -slopes(3)[:, None, None] * torch.arange(keys - 1, -1, -1.0)
    torch.testing.assert_close(trace["bias"].value, expected.to(dtype), rtol=0, atol=0)


@pytest.mark.parametrize("dtype", CLOSE)
def test_a_sink_of_another_format_joins_the_scores_in_theirs(dtype):
    sink = torch.tensor([0.3, -1.0, 2.0])
    ours = scaled_dot_product_attention(*qkv(dtype), sink=sink)
    assert ours.dtype == dtype
    q, k, v = (each.double() for each in qkv(dtype))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    terms = scores.exp()
    expected = terms / (terms.sum(-1, keepdim=True) + sink.to(dtype).double()[:, None, None].exp()) @ v
    torch.testing.assert_close(ours.double(), expected, **CLOSE[dtype])
