"""Key heads that are averaged: PyTorch's own grouped attention with the mean keys and values is the oracle."""

import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention
from attention.analysis.shared_keys import share_keys
from tests.support import CLOSE

HEADS, N, D_MODEL, D_K, D_V = 6, 7, 11, 5, 3


def layer(**options) -> MultiHeadAttention:
    made = MultiHeadAttention(
        D_MODEL, HEADS, d_k=D_K, d_v=D_V, generator=torch.Generator().manual_seed(2), **options
    ).double()
    for name in ("b_q", "b_k", "b_v", "b_o"):
        if options.get("bias"):
            torch.nn.init.normal_(getattr(made, name), generator=torch.Generator().manual_seed(4))
    return made


def blocks(projected: torch.Tensor, heads: int) -> torch.Tensor:
    return projected.unflatten(-1, (heads, -1)).transpose(0, 1)


@pytest.mark.parametrize("kv_heads", [6, 3, 2, 1])
@pytest.mark.parametrize("bias", [False, True])
def test_the_output_is_that_of_torch_with_the_mean_keys_and_values_of_each_group(kv_heads, bias):
    whole = layer(bias=bias)
    x = torch.randn(N, D_MODEL, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    q, k, v = (
        blocks(x @ getattr(whole, f"w_{one}") + (getattr(whole, f"b_{one}") if bias else 0), HEADS) for one in "qkv"
    )
    of_groups = [one.unflatten(0, (kv_heads, -1)).mean(1) for one in (k, v)]
    read = F.scaled_dot_product_attention(q, *of_groups, enable_gqa=True)
    expected = read.transpose(0, 1).flatten(-2) @ whole.w_o + (whole.b_o if bias else 0)
    found = share_keys(whole, kv_heads)(x)
    torch.testing.assert_close(found, expected, **CLOSE[torch.float64])


def test_the_layer_itself_stays_and_nothing_global_is_drawn():
    whole = layer()
    before, state = whole.w_k.clone(), torch.get_rng_state()
    share_keys(whole, 2)
    assert torch.equal(whole.w_k, before)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("kv_heads", [0, 4, 12])
def test_key_heads_that_do_not_divide_those_of_the_layer_are_refused(kv_heads):
    with pytest.raises(ValueError, match=rf"kv_heads {kv_heads} does not divide the 6 key heads of the layer"):
        share_keys(layer(), kv_heads)
