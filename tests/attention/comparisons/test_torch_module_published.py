"""The behaviour of `nn.MultiheadAttention` with masks, as the pages describe it: its booleans are inverted."""

import pytest
import torch
from torch import nn

from attention.masks import grid
from tests.support import drawn

X = drawn((2, 5, 6), seed=4)[0]
NOTHING = torch.ones(5, 5, dtype=torch.bool)


def made(heads: int = 3, bias: bool = False, batch_first: bool = True, **options: bool) -> nn.MultiheadAttention:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        layer = nn.MultiheadAttention(6, heads, bias=bias, batch_first=batch_first, dtype=torch.float64, **options)
    weights = drawn((18, 6), (6, 6), (6,), seed=3)
    with torch.no_grad():
        layer.in_proj_weight.copy_(weights[0])
        layer.out_proj.weight.copy_(weights[1])
        if bias:
            layer.out_proj.bias.copy_(weights[2])
    return layer


def test_true_means_ignore():
    _, weights = made()(X, X, X, attn_mask=~grid("causal", 5, 5))
    assert not weights.triu(1).any()


def test_padding_hides_columns_and_leaves_the_rows_of_the_padding_alone():
    padded = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    _, weights = made()(X, X, X, key_padding_mask=padded)
    assert not weights[1, :, 3:].any()
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 5, dtype=torch.float64))


def test_a_query_without_a_key_is_not_a_number_with_weights_and_zero_without():
    output, weights = made()(X, X, X, attn_mask=NOTHING)
    assert weights.isnan().all()
    assert output.isnan().all()
    output, weights = made()(X, X, X, attn_mask=NOTHING, need_weights=False)
    assert weights is None
    assert not output.any()


def test_without_weights_a_query_that_sees_nothing_gets_the_last_bias_alone():
    layer = made(bias=True)
    output, _ = layer(X, X, X, attn_mask=NOTHING, need_weights=False)
    torch.testing.assert_close(output, layer.out_proj.bias.expand(2, 5, 6), rtol=0, atol=0)


@pytest.mark.parametrize("heads", [2, 3])
@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("gradients", [True, False])
def test_but_not_on_the_fast_path_of_evaluation(gradients, batch_first, heads):
    """The fast path needs batch_first, no gradients and an even number of heads, and returns NaN."""
    layer, x = made(heads, bias=True, batch_first=batch_first).eval(), X
    if not batch_first:
        x = x.transpose(0, 1)
    with torch.set_grad_enabled(gradients):
        output, _ = layer(x, x, x, attn_mask=NOTHING, need_weights=False)
    assert output.isnan().all() == (batch_first and not gradients and heads % 2 == 0)


@pytest.mark.parametrize(
    ("options", "extra", "parameters"),
    [
        ({"add_zero_attn": True}, [1.0], 0),
        ({"add_bias_kv": True}, [1.0], 12),
        ({"add_zero_attn": True, "add_bias_kv": True}, [0.5, 0.5], 12),
    ],
    ids=str,
)
def test_a_column_of_its_own_takes_the_weight_of_a_query_that_sees_nothing_else(options, extra, parameters):
    layer, plain = (made(bias=True, **chosen) for chosen in (options, {}))
    if "add_bias_kv" in options and "add_zero_attn" in options:
        # A key of zeros is added beside another key of zeros.
        nn.init.zeros_(layer.bias_k)
    counts = [sum(parameter.numel() for parameter in each.parameters()) for each in (layer, plain)]
    assert counts == [4 * 36 + 4 * 6 + parameters, 4 * 36 + 4 * 6]
    output, weights = layer(X, X, X, attn_mask=NOTHING)
    assert output.isfinite().all()
    expected = torch.tensor([0.0] * 5 + extra, dtype=torch.float64).expand(2, 5, 5 + len(extra))
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-12)


def test_a_key_and_a_value_of_zeros_take_weight_from_all_others():
    _, plain = made()(X, X, X)
    _, weights = made(add_zero_attn=True)(X, X, X)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 5, dtype=torch.float64))
    assert (weights[..., -1] > 0.01).all()
    assert (weights[..., :5] < plain).all()


def test_one_sentence_that_sees_nothing_spoils_the_gradient_of_the_others():
    layer = made()
    padded = torch.tensor([[False] * 5, [True] * 5])
    output, _ = layer(X, X, X, key_padding_mask=padded)
    assert output[0].isfinite().all()
    output[0].sum().backward()
    assert layer.in_proj_weight.grad.isnan().any()


def test_the_causal_flag_is_a_hint_that_wants_the_mask():
    with pytest.raises(RuntimeError, match="Need attn_mask"):
        made()(X, X, X, is_causal=True)


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_hint_that_contradicts_the_mask_wins_where_no_weights_are_wanted(need_weights):
    layer, may = made(), grid("window", 5, 5, width=2)
    output, _ = layer(X, X, X, attn_mask=~may, is_causal=True, need_weights=need_weights)
    followed = may if need_weights else grid("causal", 5, 5)
    expected, _ = layer(X, X, X, attn_mask=~followed)
    torch.testing.assert_close(output, expected)
