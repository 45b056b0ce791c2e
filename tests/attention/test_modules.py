"""The layer: sizes, names, parameters from a generator, dropout in training, self-attention as context = x."""

import math

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.masks import padding
from tests.support import CLOSE, EXACT, drawn, seeded, with_gradients

SIZES = [
    # d_model, heads, arguments -> d_k, d_v, d_context, d_out
    ((6, 1, {}), (6, 6, 6, 6)),
    ((6, 3, {}), (2, 2, 6, 6)),
    ((6, 3, {"d_k": 5}), (5, 5, 6, 6)),
    ((6, 3, {"d_v": 5}), (2, 5, 6, 6)),
    ((6, 3, {"d_context": 11}), (2, 2, 11, 6)),
    ((7, 3, {"d_k": 5, "d_v": 11, "d_context": 13, "d_out": 17}), (5, 11, 13, 17)),
]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("given", "sizes"), SIZES)
def test_parameters_have_the_names_and_shapes_of_the_paper(given, sizes, bias):
    d_model, heads, arguments = given
    d_k, d_v, d_context, d_out = sizes
    layer = MultiHeadAttention(d_model, heads, bias=bias, **arguments)
    expected = {
        "w_q": (d_model, heads * d_k),
        "w_k": (d_context, heads * d_k),
        "w_v": (d_context, heads * d_v),
        "w_o": (heads * d_v, d_out),
    }
    if bias:
        expected |= {"b_q": (heads * d_k,), "b_k": (heads * d_k,), "b_v": (heads * d_v,), "b_o": (d_out,)}
    assert {name: tuple(parameter.shape) for name, parameter in layer.named_parameters()} == expected
    assert set(layer.state_dict()) == set(expected)


def test_without_bias_the_biases_are_none():
    layer = MultiHeadAttention(6)
    assert (layer.b_q, layer.b_k, layer.b_v, layer.b_o) == (None, None, None, None)


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
@pytest.mark.parametrize(("given", "sizes"), SIZES)
def test_the_output_has_a_row_for_each_query(given, sizes, lead):
    d_model, heads, arguments = given
    d_context, d_out = sizes[2:]
    layer = MultiHeadAttention(d_model, heads, **arguments)
    x, context = drawn((*lead, 5, d_model), (*lead, 7, d_context), dtype=torch.float32)
    assert layer(x, context).shape == (*lead, 5, d_out)


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("bias", [False, True])
def test_a_layer_is_its_projections_around_the_function(heads, bias):
    layer = MultiHeadAttention(6, heads, d_k=5, d_v=7, d_out=11, bias=bias, generator=seeded()).double()
    (x,) = drawn((2, 5, 6))
    outputs = []
    for h in range(heads):
        k_block, v_block = slice(5 * h, 5 * (h + 1)), slice(7 * h, 7 * (h + 1))
        q, k, v = x @ layer.w_q[:, k_block], x @ layer.w_k[:, k_block], x @ layer.w_v[:, v_block]
        if bias:
            q, k, v = q + layer.b_q[k_block], k + layer.b_k[k_block], v + layer.b_v[v_block]
        outputs.append(scaled_dot_product_attention(q, k, v))
    expected = torch.cat(outputs, -1) @ layer.w_o
    if bias:
        expected = expected + layer.b_o
    torch.testing.assert_close(layer(x), expected, **CLOSE[torch.float64])


@pytest.mark.parametrize("bias", [False, True])
def test_self_attention_is_the_case_of_x_as_context(bias):
    layer = MultiHeadAttention(6, 3, bias=bias, generator=seeded()).double()
    (x,) = drawn((2, 5, 6))
    mask = grid("causal", 5, 5)
    torch.testing.assert_close(layer(x, x, mask=mask), layer(x, mask=mask), **EXACT)


@pytest.mark.parametrize("scale", [1.0, 0.0, -0.3])
def test_the_scale_reaches_the_function(scale):
    layer = MultiHeadAttention(6, 3, generator=seeded()).double()
    trace = Trace()
    layer(*drawn((2, 5, 6)), scale=scale, trace=trace)
    torch.testing.assert_close(trace["scaled"].value, trace["scores"].value * scale, **EXACT)


def test_a_generator_makes_the_parameters_reproducible():
    first, again, other = (MultiHeadAttention(6, 3, bias=True, generator=seeded(seed)) for seed in (0, 0, 1))
    torch.testing.assert_close(first.state_dict(), again.state_dict(), **EXACT)
    assert not any(mine.equal(theirs) for mine, theirs in zip(first.parameters(), other.parameters(), strict=True))


def test_a_generator_leaves_that_of_torch_at_large_alone():
    state = torch.get_rng_state()
    MultiHeadAttention(6, 3, bias=True, generator=seeded())
    assert torch.get_rng_state().equal(state)


def test_switching_the_bias_on_leaves_the_weights_as_they_are():
    without, biased = (MultiHeadAttention(6, 3, bias=bias, generator=seeded()) for bias in (False, True))
    weights = {name: value for name, value in biased.state_dict().items() if name.startswith("w_")}
    torch.testing.assert_close(weights, without.state_dict(), **EXACT)


def test_parameters_are_drawn_with_the_variance_one_over_fan_in():
    layer = MultiHeadAttention(64, 2, d_k=96, d_v=80, d_context=256, d_out=500, bias=True, generator=seeded())
    fan_in = {"q": 64, "k": 256, "v": 256, "o": 160}
    for name, parameter in layer.named_parameters():
        variance = parameter.detach().square().mean() * fan_in[name[-1]]
        assert abs(variance - 1) < 5 * math.sqrt(2 / parameter.numel()), name


def test_scaled_scores_of_a_new_layer_have_unit_variance():
    trace = Trace()
    layer = MultiHeadAttention(256, 16, generator=seeded())
    layer(*drawn((128, 2, 256), dtype=torch.float32), trace=trace)
    by_run = trace["scaled"].value.square().mean((-1, -2))
    # The scores of a head share its two matrices, so only different heads are nearly independent.
    assert abs(by_run.mean() - 1) < 5 * by_run.mean(0).std() / math.sqrt(16)


def test_dropout_is_active_in_training_only():
    layer = MultiHeadAttention(6, 3, dropout=0.5, generator=seeded())
    (x,) = drawn((2, 5, 6), dtype=torch.float32)
    training, evaluating, generator = Trace(), Trace(), seeded()
    layer(x, generator=seeded(), trace=training)
    output = layer.eval()(x, generator=generator, trace=evaluating)
    assert {"dropout", "kept", "dropped"} <= set(training)
    assert not {"dropout", "kept", "dropped"} & set(evaluating)
    assert generator.get_state().equal(seeded().get_state())
    plain = MultiHeadAttention(6, 3, generator=seeded())
    torch.testing.assert_close(output, plain(x), **EXACT)


def test_dropout_in_training_is_drawn_from_the_generator():
    layer = MultiHeadAttention(6, 3, dropout=0.5, generator=seeded())
    (x,) = drawn((2, 5, 6), dtype=torch.float32)
    first, again, other = (layer(x, generator=seeded(seed)) for seed in (0, 0, 1))
    torch.testing.assert_close(first, again, **EXACT)
    assert not first.equal(other)


@pytest.mark.parametrize("causal", [False, True])
def test_padded_sentences_are_what_they_are_one_by_one(causal):
    lengths = [5, 3, 1]
    layer = MultiHeadAttention(6, 3, bias=True, generator=seeded()).double()
    (x,) = drawn((3, 5, 6))
    mask = padding(lengths, 5)
    together = layer(x, mask=mask & grid("causal", 5, 5) if causal else mask)
    for sentence, length in enumerate(lengths):
        alone = layer(x[sentence, :length], mask=grid("causal", length, length) if causal else None)
        torch.testing.assert_close(together[sentence, :length], alone, **CLOSE[torch.float64])


def test_a_query_that_may_attend_to_nothing_gives_the_last_bias_alone():
    layer = MultiHeadAttention(6, 3, bias=True, generator=seeded()).double()
    (x,) = drawn((2, 5, 6))
    mask = padding([5, 0], 5)
    output, *gradients = with_gradients(lambda x: layer(x, mask=mask), [x])
    torch.testing.assert_close(output[1], layer.b_o.detach().expand(5, 6), **EXACT)
    assert all(gradient.isfinite().all() for gradient in gradients)


def test_shuffled_tokens_give_shuffled_outputs():
    layer = MultiHeadAttention(6, 3, generator=seeded()).double()
    (x,) = drawn((2, 5, 6))
    order = torch.randperm(5, generator=seeded())
    torch.testing.assert_close(layer(x[:, order]), layer(x)[:, order], **CLOSE[torch.float64])
