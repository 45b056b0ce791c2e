"""Grouped key heads compared with torch's `enable_gqa`: the key head of each query head, and the axis of the record."""

import pytest
import torch
import torch.nn.functional as F

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.masks import grid
from attention.positions import frequencies
from tests.support import BATCH, CLOSE, D_V, EXACT, KEYS, QUERIES, drawn, refused, seeded, with_gradients

KV, GROUP, D_K = 3, 2, 10
HEADS = KV * GROUP
NEAR = CLOSE[torch.float64]


def inputs(kv: int = KV) -> list[torch.Tensor]:
    return drawn((BATCH, HEADS, QUERIES, D_K), (BATCH, kv, KEYS, D_K), (BATCH, kv, KEYS, D_V))


@pytest.mark.parametrize("kv", [1, KV, HEADS])
@pytest.mark.parametrize("masked", [False, True])
def test_torch_agrees_in_values_and_gradients(kv, masked):
    mask = grid("causal", QUERIES, KEYS) if masked else None
    ours = with_gradients(lambda q, k, v: scaled_dot_product_attention(q, k, v, enable_gqa=True, mask=mask), inputs(kv))
    torchs = with_gradients(
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True, attn_mask=mask), inputs(kv)
    )
    torch.testing.assert_close(ours, torchs, **NEAR)


def test_heads_that_are_tiled_in_place_of_repeated_leave_the_outer_ones_right():
    q, k, v = inputs()
    ours = scaled_dot_product_attention(q, k, v, enable_gqa=True)
    tiled = F.scaled_dot_product_attention(q, k.repeat(1, GROUP, 1, 1), v.repeat(1, GROUP, 1, 1))
    right = [torch.allclose(ours[:, head], tiled[:, head]) for head in range(HEADS)]
    assert right == [True, False, False, False, False, True]


def test_the_record_has_an_axis_for_them_and_a_query_head_finds_its_own():
    q, k, v = inputs()
    trace = Trace()
    scaled_dot_product_attention(q, k, v, enable_gqa=True, rotary=frequencies(D_K), trace=trace)
    assert trace["keys"].sizes == {"batch": BATCH, "kv_head": KV, "key": KEYS, "feature": D_K}
    assert trace["keys_rotated"].axes == trace["keys"].axes
    assert trace["values"].sizes["kv_head"] == KV
    assert trace["weights"].sizes["head"] == trace["queries"].sizes["head"] == HEADS
    for head in range(HEADS):
        torch.testing.assert_close(trace["keys"].of(batch=1, head=head), k[1, head // GROUP], **EXACT)
    assert trace["keys"].matrix_axes == ("key", "feature")


def test_as_many_key_heads_as_query_heads_are_plain_attention():
    trace = Trace()
    scaled_dot_product_attention(*inputs(HEADS), enable_gqa=True, trace=trace)
    assert "kv_head" not in trace.sizes


def test_a_module_has_columns_for_its_key_heads_alone():
    layer = MultiHeadAttention(17, HEADS, kv_heads=KV, d_k=D_K, d_v=D_V, bias=True, generator=seeded(1)).double()
    assert (layer.w_q.shape, layer.w_k.shape, layer.w_v.shape) == ((17, 60), (17, 30), (17, 39))
    assert (layer.b_q.shape, layer.b_k.shape, layer.b_v.shape) == ((60,), (30,), (39,))
    (x,) = drawn((BATCH, QUERIES, 17))
    trace = Trace()
    output = layer(x, rotary=frequencies(D_K), trace=trace)
    # The oracle is a module in which the shared heads are copied.
    whole = MultiHeadAttention(17, HEADS, d_k=D_K, d_v=D_V, bias=True).double()
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            if name[-1] in "kv":
                parameter = parameter.unflatten(-1, (KV, -1)).repeat_interleave(GROUP, -2).flatten(-2)
            whole.get_parameter(name).copy_(parameter)
    torch.testing.assert_close(output, whole(x, rotary=frequencies(D_K)), **NEAR)
    assert trace["w_k"].axes == ("kv_head", "model", "feature")


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        (((6, 5, 11), (4, 7, 11), (4, 7, 13)), "enable_gqa: 6 query heads are no multiple of 4 key heads"),
        (((6, 5, 11), (3, 7, 11), (2, 7, 13)), "enable_gqa: key has 3 heads, value has 2"),
        (((5, 11), (7, 11), (7, 13)), "enable_gqa: query needs an axis of heads, got shape (5, 11)"),
        (
            ((2, 6, 5, 11), (3, 3, 7, 11), (3, 3, 7, 13)),
            "the leading axes do not broadcast: query (2, 6), key (3, 3), value (3, 3)",
        ),
    ],
)
def test_heads_that_do_not_fit_are_refused(shapes, text):
    with refused(text):
        scaled_dot_product_attention(*drawn(*shapes), enable_gqa=True)


def test_a_module_whose_heads_are_no_multiple_is_refused():
    with refused("heads 6 are no multiple of kv_heads 4"):
        MultiHeadAttention(12, 6, kv_heads=4)
    with refused("kv_heads must be at least 1, got 0"):
        MultiHeadAttention(12, 6, kv_heads=0)


def test_a_mask_is_held_against_the_query_heads():
    q, k, v = inputs()
    with refused(f"mask (3, 1, 1) does not broadcast to the scores {(BATCH, HEADS, QUERIES, KEYS)}"):
        scaled_dot_product_attention(q, k, v, enable_gqa=True, mask=torch.ones(KV, 1, 1, dtype=torch.bool))
