"""The habits that torch has taught work here: its names, its order of arguments, its layers, in both directions."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from attention import MASKS, MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.cache import Cache
from tests.support import CLOSE, EXACT, KEYS, QUERIES, drawn, grid_of, qkv, refused, rounding, seeded, summed

EXACTLY = CLOSE[torch.float64]
MASK = grid("prefix", QUERIES, KEYS, length=2)
CALLS = [
    ((), {}),
    ((MASK,), {}),
    ((), {"attn_mask": MASK, "scale": 0.3}),
    ((None, 0.0, True), {}),
    ((), {"is_causal": True}),
]


@pytest.mark.parametrize(("positional", "named"), CALLS)
def test_the_arguments_of_torch_give_what_torch_gives(positional, named):
    ours = scaled_dot_product_attention(*qkv(), *positional, **named)
    torch.testing.assert_close(ours, F.scaled_dot_product_attention(*qkv(), *positional, **named), **EXACTLY)


def test_heads_are_shared_under_the_name_of_torch():
    q, k, v = drawn((2, 6, 5, 11), (2, 3, 7, 11), (2, 3, 7, 13))
    ours = scaled_dot_product_attention(q, k, v, enable_gqa=True, is_causal=True)
    theirs = F.scaled_dot_product_attention(q, k, v, enable_gqa=True, is_causal=True)
    torch.testing.assert_close(ours, theirs, **EXACTLY)


def test_torchs_dropout_is_ours():
    by_name, by_torchs = Trace(), Trace()
    scaled_dot_product_attention(*qkv(), dropout=0.5, generator=seeded(), trace=by_name)
    scaled_dot_product_attention(*qkv(), None, 0.5, generator=seeded(), trace=by_torchs)
    torch.testing.assert_close(by_torchs["dropped"].value, by_name["dropped"].value, **EXACT)


@pytest.mark.parametrize("name", [name for name, mask in MASKS.items() if not mask.parameters])
@pytest.mark.parametrize("form", [str, MASKS.get])
def test_a_mask_is_named_or_is_a_predicate(name, form):
    trace = Trace()
    scaled_dot_product_attention(*qkv(), mask=form(name), trace=trace)
    torch.testing.assert_close(trace["mask"].value[1, 2], grid_of(name), **EXACT)


def test_with_a_past_a_named_mask_ends_at_the_last_key():
    q, k, v = qkv()
    trace, past = Trace(), Cache(k[..., :2, :], v[..., :2, :])
    scaled_dot_product_attention(q, k[..., 2:, :], v[..., 2:, :], mask="causal", past=past, trace=trace)
    torch.testing.assert_close(trace["mask"].value[0, 0], grid_of("causal", corner="lower_right"), **EXACT)


def test_a_module_takes_a_mask_by_name():
    (x,) = drawn((2, 5, 12))
    layer = MultiHeadAttention(12, 3, generator=seeded()).double()
    torch.testing.assert_close(layer(x, mask="causal"), layer(x, mask=grid("causal", 5, 5)), **EXACT)


def test_a_layer_is_made_with_the_names_of_torch():
    layer = MultiHeadAttention(embed_dim=12, num_heads=3, generator=seeded())
    ours = MultiHeadAttention(12, 3, generator=seeded())
    assert (layer.d_model, layer.heads) == (12, 3)
    torch.testing.assert_close(layer.state_dict(), ours.state_dict(), **EXACT)


LAYERS = [{}, {"bias": False}, {"kdim": 7, "vdim": 7}, {"dropout": 0.5}]


def of_torch(dtype=torch.float64, **chosen) -> nn.MultiheadAttention:
    layer = nn.MultiheadAttention(12, 3, batch_first=True, **chosen).to(dtype)
    for parameter, value in zip(layer.parameters(), drawn(*[p.shape for p in layer.parameters()], seed=6), strict=True):
        parameter.data.copy_(value / 12**0.5)
    return layer.eval()


@pytest.mark.parametrize("chosen", LAYERS, ids=str)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_a_layer_of_torch_becomes_ours_and_torchs_again(chosen, dtype):
    theirs = of_torch(dtype, **chosen)
    ours = MultiHeadAttention.from_torch(theirs)
    x, context = drawn((2, 5, 12), (2, 7, chosen.get("kdim", 12)), dtype=dtype)
    expected = theirs(x, context, context, need_weights=False)[0].detach()
    # The terms are those of successive sums; an error of a score acts on weights, which multiply values of this size.
    of = summed(x, ours.w_q.detach()) * summed(context, ours.w_k.detach()) * summed(context, ours.w_v.detach())
    close = {"rtol": 0, "atol": rounding(12, 4, 7, 12, of=of, dtype=dtype)}
    torch.testing.assert_close(ours(x, context).detach(), expected, **close)
    back = ours.to_torch()
    torch.testing.assert_close(back.state_dict(), theirs.state_dict(), **EXACT)
    assert (back.dropout, back.training, back.batch_first) == (theirs.dropout, theirs.training, True)
    assert ours.dropout == theirs.dropout


def test_the_copies_are_copies_and_the_mode_is_kept():
    theirs = of_torch().train()
    ours = MultiHeadAttention.from_torch(theirs)
    before = theirs.in_proj_weight.clone()
    with torch.no_grad():
        ours.w_q.zero_()
    torch.testing.assert_close(theirs.in_proj_weight, before, **EXACT)
    assert ours.training
    assert ours.to_torch().training


KEY = "a layer with add_bias_kv or add_zero_attn adds a key of its own, which ours does not have"


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ({"add_bias_kv": True}, KEY),
        ({"add_zero_attn": True}, KEY),
        ({"kdim": 7, "vdim": 5}, "kdim is 7, vdim 5: ours has one context for keys and values"),
    ],
)
def test_a_layer_that_ours_cannot_be_is_refused(chosen, text):
    with refused(text):
        MultiHeadAttention.from_torch(of_torch(**chosen))


def test_another_kind_of_layer_is_refused():
    with refused("layer must be a torch.nn.MultiheadAttention, got Linear"):
        MultiHeadAttention.from_torch(nn.Linear(2, 3))


@pytest.mark.parametrize(
    ("chosen", "lack"),
    [
        ({"d_k": 5}, "d_k 5 other than d_model / heads = 4"),
        ({"d_k": 4, "d_v": 5}, "d_v 5 other than d_model / heads = 4"),
        ({"d_out": 7}, "d_out 7 other than d_model 12"),
        ({"kv_heads": 1}, "1 kv_heads for 3 heads"),
        ({"qk_norm": True}, "qk_norm"),
        ({"sink": True}, "a sink"),
    ],
)
def test_a_layer_that_torch_does_not_have_is_refused(chosen, lack):
    layer = MultiHeadAttention(12, 3, generator=seeded(), **chosen)
    with refused(f"torch.nn.MultiheadAttention has no {lack}"):
        layer.to_torch()
