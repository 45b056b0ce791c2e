"""Dropout of weights: inverted, recorded, drawn from the generator."""

import math

import pytest
import torch

from attention import Trace, grid, scaled_dot_product_attention
from tests.support import CLOSE, EXACT, KEYS, QUERIES, drawn, qkv, seeded, with_gradients

MASK = grid("causal", QUERIES, KEYS)


def by_hand(kept, dropout, mask=None):
    def attend(q, k, v):
        scores = torch.einsum("...if,...jf->...ij", q, k) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = torch.where(mask, scores, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return torch.einsum("...ij,...jv->...iv", torch.where(kept, weights / (1 - dropout), 0), v)

    return attend


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("mask", [None, MASK], ids=["unmasked", "causal"])
@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9])
def test_kept_weights_grow_by_one_over_one_minus_p(dropout, mask, dtype):
    trace = Trace()

    def ours(q, k, v):
        return scaled_dot_product_attention(q, k, v, mask=mask, dropout=dropout, generator=seeded(), trace=trace)

    mine = with_gradients(ours, qkv(dtype))
    kept = trace["kept"].value
    assert kept.dtype == torch.bool
    assert 0 < kept.double().mean() < 1
    # Gradients grow with 1/(1-p), and so does their rounding.
    bound = {"rtol": 0, "atol": CLOSE[dtype]["atol"] / (1 - dropout)}
    torch.testing.assert_close(mine, with_gradients(by_hand(kept, dropout, mask), qkv(dtype)), **bound)


def test_the_recorded_probability_and_weights_are_those_that_were_used():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), dropout=0.3, generator=seeded(), trace=trace)
    dropped = trace["weights"].value * trace["kept"].value / 0.7
    assert trace["dropout"].value.item() == 0.3
    torch.testing.assert_close(trace["dropped"].value, dropped, **CLOSE[torch.float64])


def test_one_seed_gives_one_result_and_another_seed_another():
    first, again, other = (
        scaled_dot_product_attention(*qkv(), dropout=0.5, generator=seeded(seed)) for seed in (0, 0, 1)
    )
    torch.testing.assert_close(first, again, **EXACT)
    assert not first.equal(other)


def test_a_generator_moves_on_from_run_to_run():
    generator = seeded()
    first, second = (scaled_dot_product_attention(*qkv(), dropout=0.5, generator=generator) for _ in range(2))
    assert not first.equal(second)


def test_every_weight_is_drawn_by_itself():
    trace = Trace()
    scaled_dot_product_attention(*qkv(), dropout=0.5, generator=seeded(), trace=trace)
    kept = trace["kept"]
    assert kept.sizes == trace["weights"].sizes
    for axis in range(kept.value.ndim):
        assert not kept.value.equal(kept.value.select(axis, 0).unsqueeze(axis).expand_as(kept.value))


def test_without_a_generator_the_draw_is_that_of_torch_at_large():
    state = torch.get_rng_state()
    first = scaled_dot_product_attention(*qkv(), dropout=0.5)
    second = scaled_dot_product_attention(*qkv(), dropout=0.5)
    assert not first.equal(second)
    torch.set_rng_state(state)
    torch.testing.assert_close(scaled_dot_product_attention(*qkv(), dropout=0.5), first, **EXACT)


def test_a_generator_leaves_that_of_torch_at_large_alone():
    state = torch.get_rng_state()
    scaled_dot_product_attention(*qkv(), dropout=0.5, generator=seeded())
    assert torch.get_rng_state().equal(state)


def test_dropping_everything_gives_zeros_with_zero_gradients():
    results = with_gradients(
        lambda q, k, v: scaled_dot_product_attention(q, k, v, dropout=1.0, generator=seeded()), qkv()
    )
    torch.testing.assert_close(results, [torch.zeros_like(tensor) for tensor in results], **EXACT)


def test_dropping_nothing_draws_nothing():
    generator, trace = seeded(), Trace()
    output = scaled_dot_product_attention(*qkv(), dropout=0.0, generator=generator, trace=trace)
    torch.testing.assert_close(output, scaled_dot_product_attention(*qkv()), **EXACT)
    assert generator.get_state().equal(seeded().get_state())
    assert not {"dropout", "kept", "dropped"} & set(trace)


def test_a_query_that_may_attend_to_nothing_stays_zero_under_dropout():
    mask = MASK.clone()
    mask[2] = False
    results = with_gradients(
        lambda q, k, v: scaled_dot_product_attention(q, k, v, mask=mask, dropout=0.5, generator=seeded()), qkv()
    )
    assert all(tensor.isfinite().all() for tensor in results)
    torch.testing.assert_close(results[0][..., 2, :], torch.zeros_like(results[0][..., 2, :]), **EXACT)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_dropout_keeps_a_short_dtype(dtype):
    trace = Trace()
    output = scaled_dot_product_attention(*qkv(dtype), dropout=0.5, generator=seeded(), trace=trace)
    assert output.dtype == dtype
    exact = by_hand(trace["kept"].value, 0.5)(*(tensor.double() for tensor in qkv(dtype)))
    torch.testing.assert_close(output.double(), exact, rtol=0, atol=2 * CLOSE[dtype]["atol"])


@pytest.mark.parametrize("dropout", [0.1, 0.5, 0.9])
def test_the_mean_over_draws_is_near_the_weights_without_dropout(dropout):
    draws = 4000
    q, k, v = drawn((QUERIES, 11), (KEYS, 11), (KEYS, 13))
    trace = Trace()
    scaled_dot_product_attention(q.expand(draws, 1, -1, -1), k, v, dropout=dropout, generator=seeded(), trace=trace)
    weights, dropped = trace["weights"].value[0, 0], trace["dropped"].value[:, 0]
    standard_error = weights * math.sqrt(dropout / (1 - dropout) / draws)
    assert ((dropped.mean(0) - weights).abs() <= 5 * standard_error).all()
