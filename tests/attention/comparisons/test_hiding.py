"""Ways to hide the future, and the answers to a query that may attend to nothing."""

import pytest
import torch
from torch.nn import functional as F

from attention.comparisons.empty_rows import ANSWERS
from attention.comparisons.hiding import HIDING, dependence
from tests.support import refused, rounding

SCORES = torch.tensor([1.8060, -3.2700, 0.6421, 0.2389, -0.5974, -0.1973], dtype=torch.float64)
ALLOWED = torch.tensor([True, True, False, False, False, False])
# The bound for two sums of a row, the second of which is the divisor: each weight is at most 1.
NEAR = rounding(len(SCORES), len(SCORES))
PRINTED = {
    "before": [0.9938, 0.0062, 0, 0, 0, 0],
    "zero_before": [0.6011, 0.0038, 0.0988, 0.0988, 0.0988, 0.0988],
    "zero_after": [0.5706, 0.0036, 0, 0, 0, 0],
    "renormalised": [0.9938, 0.0062, 0, 0, 0, 0],
}


@pytest.mark.parametrize("way", HIDING)
def test_the_four_ways_give_the_published_numbers(way):
    weights = HIDING[way](SCORES, ALLOWED)
    torch.testing.assert_close(weights, torch.tensor(PRINTED[way], dtype=torch.float64), rtol=0, atol=5e-5)


@pytest.mark.parametrize("way", HIDING)
def test_rows_are_hidden_one_by_one(way):
    scores = torch.stack((SCORES, -SCORES, SCORES.flip(0)))
    allowed = torch.stack((ALLOWED, ~ALLOWED, ALLOWED))
    rows = torch.stack([HIDING[way](*row) for row in zip(scores, allowed, strict=True)])
    torch.testing.assert_close(HIDING[way](scores, allowed), rows, rtol=0, atol=NEAR)


def test_a_score_of_zero_leaks_two_fifths():
    assert float(HIDING["zero_before"](SCORES, ALLOWED)[~ALLOWED].sum()) == pytest.approx(0.395, abs=5e-4)


def test_a_weight_of_zero_afterwards_leaves_a_sum_that_has_seen_the_future():
    assert float(HIDING["zero_after"](SCORES, ALLOWED).sum()) == pytest.approx(0.5742, abs=5e-5)
    changed = SCORES.clone()
    changed[-1] = -1.0076
    assert float(HIDING["zero_after"](changed, ALLOWED).sum()) == pytest.approx(0.5998, abs=5e-5)


@pytest.mark.parametrize("way", ["before", "renormalised"])
def test_the_right_ways_do_not_depend_on_the_future(way):
    changed = torch.where(ALLOWED, SCORES, torch.randn(6, generator=torch.Generator().manual_seed(1)).double())
    torch.testing.assert_close(HIDING[way](changed, ALLOWED), HIDING[way](SCORES, ALLOWED), rtol=0, atol=NEAR)


def test_only_zero_before_and_zero_after_let_a_hidden_score_act_on_what_may_be_seen():
    changed = SCORES.clone()
    changed[-1] = -1.0076
    moved = {way: dependence(way, SCORES, ALLOWED, changed) for way in HIDING}
    assert max(moved["before"], moved["renormalised"]) <= NEAR
    assert moved["zero_before"] == 0
    # The weight is .9938 of a row whose sum goes from .5742 to .5998.
    assert moved["zero_after"] == pytest.approx(0.9938 * (0.5998 - 0.5742), abs=1e-4)


def test_dependence_is_asked_about_hidden_scores_only():
    with refused("changed differs from scores where a key is allowed; only hidden scores may differ"):
        dependence("before", SCORES, ALLOWED, SCORES + 1)
    with refused("unknown way 'banana'; one of before, zero_before, zero_after, renormalised"):
        dependence("banana", SCORES, ALLOWED, SCORES)


@pytest.fixture
def vectors():
    generator = torch.Generator().manual_seed(7)
    return torch.randn(1, 5, generator=generator), torch.randn(7, 5, generator=generator)


def test_softmax_and_the_module_answer_nan(vectors):
    assert ANSWERS["softmax"](*vectors).isnan().all()
    assert ANSWERS["module"](*vectors).isnan().all()


def test_the_fused_function_and_this_package_answer_zero(vectors):
    assert not ANSWERS["fused"](*vectors).any()
    assert not ANSWERS["ours"](*vectors).any()


def test_a_large_negative_number_is_uniform_in_float32_and_nothing_in_float64(vectors):
    torch.testing.assert_close(ANSWERS["large_negative"](*vectors), torch.full((1, 7), 1 / 7))
    q, k = (tensor.double() for tensor in vectors)
    unmasked = F.scaled_dot_product_attention(q, k, torch.eye(7, dtype=torch.float64))
    torch.testing.assert_close(ANSWERS["large_negative"](q, k), unmasked, rtol=0, atol=5e-7)


def test_no_answer_draws_from_the_generator_that_everybody_shares(vectors):
    before = torch.get_rng_state()
    for answer in ANSWERS.values():
        answer(*vectors)
    assert torch.equal(torch.get_rng_state(), before)
