"""The divergence of two rows of weights: torch is the oracle, and a row of zeros is no distribution."""

import math

import pytest
import torch
from torch.distributions import Categorical, kl_divergence
from torch.nn.functional import kl_div

from attention import MultiHeadAttention, Trace, notation, scaled_dot_product_attention
from attention.analysis.divergence import Rows, relative_entropy, rows, shares, total_variation, undefined
from tests.support import CLOSE, D_K, HEADS, KEYS, QUERIES, drawn, grid_of, refused

D_MODEL, TOKENS = 13, 11


def two(spread: float = 1.0, dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    shape = (HEADS, QUERIES, KEYS)
    return [(spread * scores).softmax(-1).to(dtype) for scores in drawn(shape, shape)]


def recorded(seed: int = 0, *, mask=None, tokens: int = TOKENS, **options) -> Trace:
    """A run of prime sizes, two sentences and three heads, in float32 as the app computes."""
    generator = torch.Generator().manual_seed(seed)
    module, trace = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, generator=generator, **options), Trace()
    with torch.inference_mode():
        module(torch.randn(2, tokens, D_MODEL, generator=generator), mask=mask, generator=generator, trace=trace)
    return trace


@pytest.mark.parametrize("spread", [0.0, 0.3, 1.0, 5.0, 30.0])
def test_the_relative_entropy_is_that_of_torch(spread):
    p, q = two(spread)
    measured = relative_entropy(p, q)
    assert measured.shape == (HEADS, QUERIES)
    torch.testing.assert_close(measured, kl_div(q.log(), p, reduction="none").sum(-1), rtol=1e-12, atol=1e-12)
    # torch's Categorical clamps probabilities by the rounding of their dtype, which changes small ones.
    if spread <= 1:
        expected = kl_divergence(Categorical(p, validate_args=False), Categorical(q, validate_args=False))
        torch.testing.assert_close(measured, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("dtype", CLOSE)
def test_total_variation_is_half_the_distance_of_torch(dtype):
    a, b = two(2.0, dtype)
    expected = torch.linalg.vector_norm((a.double() - b.double()), ord=1, dim=-1) / 2
    torch.testing.assert_close(total_variation(a, b).double(), expected, **CLOSE[dtype])


def test_total_variation_is_the_largest_difference_of_any_set_of_keys():
    a, b = (weights[0, 0] for weights in two(2.0))
    sets = torch.tensor([[number >> key & 1 for key in range(KEYS)] for number in range(2**KEYS)], dtype=torch.float64)
    torch.testing.assert_close(total_variation(a, b), (sets @ (a - b)).max(), rtol=0, atol=1e-12)


def test_the_bound_of_pinsker_holds():
    a, b = two(3.0)
    assert (total_variation(a, b) <= (relative_entropy(b, a) / 2).sqrt()).all()
    assert (total_variation(a, b) > 0.1).any()


def test_what_one_side_attends_to_alone_is_infinite_and_what_neither_attends_to_is_nothing():
    a = torch.tensor([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.25, 0.75, 0.0], [1.0, 0.0, 0.0]])
    b = torch.tensor([[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.0, 0.0, 1.0]])
    expected = torch.tensor([math.inf, math.log(2), math.log(3) / 2, math.inf])
    torch.testing.assert_close(relative_entropy(b, a), expected)
    torch.testing.assert_close(total_variation(a, b), torch.tensor([0.5, 0.5, 0.5, 1.0]))


def test_equal_rows_are_not_apart():
    for weights in two(30.0, torch.float32):
        assert (relative_entropy(weights, weights) == 0).all()
        assert (total_variation(weights, weights) == 0).all()


def test_rounding_makes_no_divergence_negative():
    p, _ = two(0.3)
    q = p * (1 + 1e-15 * torch.randn(p.shape, generator=torch.Generator().manual_seed(3), dtype=p.dtype))
    assert (torch.where(p > 0, p * (p.log() - q.log()), 0).sum(-1) < 0).any()
    assert (relative_entropy(p, q) >= 0).all()


@pytest.mark.parametrize("empty", [(0,), (1,), (0, 1)], ids=str)
def test_a_row_that_attends_to_nothing_is_undefined_and_leaves_the_others_alone(empty):
    pair = two()
    whole = total_variation(*pair), relative_entropy(*pair)
    for side in empty:
        pair[side][1, 3] = 0
    assert undefined(*pair).nonzero().tolist() == [[1, 3]]
    for measured, before in zip((total_variation(*pair), relative_entropy(*pair)), whole, strict=True):
        assert measured.isnan().nonzero().tolist() == [[1, 3]]
        torch.testing.assert_close(
            measured.nan_to_num(7), before.index_put((torch.tensor(1), torch.tensor(3)), torch.tensor(7.0).double())
        )


def test_a_row_that_attends_to_nothing_is_not_beyond_any_key():
    a, b = two()
    a[0, 2], b[0, 1, 4:] = 0, 0
    assert not Rows(a, b).beyond.any()
    beyond = Rows(b, a).beyond
    assert beyond[0, 1].tolist() == [key >= 4 for key in range(KEYS)]
    assert not beyond[0, 2].any()


def test_rows_of_two_records_are_those_of_their_sentences_and_heads():
    a, b = recorded(0), recorded(1)
    found = rows(a, b, a_at=(1, 2), b_at=(0, 1))
    left, right = a["weights"].value[1, 2].double(), b["weights"].value[0, 1].double()
    torch.testing.assert_close(found.a, left, rtol=0, atol=1e-6)
    torch.testing.assert_close(found.b, right, rtol=0, atol=1e-6)
    expected = kl_div(left.log(), right, reduction="none").sum(-1)
    torch.testing.assert_close(found.relative_entropy, expected, rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(found.total_variation, (left - right).abs().sum(-1) / 2, rtol=1e-4, atol=1e-6)
    assert found.total_variation.shape == (TOKENS,)


def test_a_mask_makes_it_infinite_one_way_and_finite_the_other():
    causal = grid_of("causal", TOKENS, TOKENS)
    hidden, whole = recorded(mask=causal), recorded()
    one, other = rows(hidden, whole), rows(whole, hidden)
    assert one.relative_entropy.isinf().tolist() == [True] * (TOKENS - 1) + [False]
    assert other.relative_entropy.isfinite().all()
    assert torch.equal(one.beyond, ~causal)
    assert not other.beyond.any()
    # The hidden weights go to the remaining keys, in proportion.
    left = (whole["weights"].value[0, 0].double() * causal).sum(-1)
    torch.testing.assert_close(other.relative_entropy, -left.log(), rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(other.total_variation, 1 - left, rtol=1e-4, atol=1e-6)


def test_rows_under_dropout_are_those_before_it():
    plain, dropped = recorded(), recorded(dropout=0.5)
    assert "dropped" in dropped
    assert (rows(plain, dropped).total_variation == 0).all()


def test_a_large_divergence_is_not_called_infinite_because_float32_has_no_smaller_weight():
    traces = []
    for gap in (300.0, 0.0):
        trace = Trace()
        query, key = torch.tensor([[1.0]]), torch.tensor([[gap], [0.0]])
        scaled_dot_product_attention(query[None, None], key[None, None], torch.ones(1, 1, 2, 1), trace=trace)
        traces.append(trace)
    assert traces[0]["weights"].value[0, 0, 0, 1] == 0
    found = rows(*traces)
    torch.testing.assert_close(found.relative_entropy, torch.tensor([150 - math.log(2)], dtype=torch.float64))
    assert not found.beyond.any()


def test_what_a_sink_takes_is_the_rest_of_each_row_and_never_less_than_nothing():
    trace = Trace()
    trace.record(notation.SINK, torch.zeros(2))
    weights = torch.tensor([[[0.25, 0.5, 0.0], [0.5, 0.25, 0.5]], [[0.0, 0.0, 0.0], [0.5, 0.5, 1e-6]]])
    assert shares(trace, weights)[..., -1].tolist() == [[0.25, 0.0], [0.0, 0.0]]


def test_other_numbers_of_tokens_are_refused():
    with refused("weights must have the same shape, got (11, 11) and (7, 7)"):
        rows(recorded(), recorded(tokens=7))
