"""Scores of words that move: constant ones stay, and rotary scores have the published numbers over distance."""

import math

import pytest
import torch

from attention.analysis.moved_positions import KINDS, SLOPE, conventions, decay, scores, tails, turned
from tests.support import refused, seeded

SHIFT = torch.arange(13)


@pytest.mark.parametrize(("kind", "stays"), [*zip(KINDS, (True, False, False, True, True), strict=True)])
def test_a_score_stays_where_it_depends_on_the_distance_alone(kind, stays):
    made = scores(kind, SHIFT + 7, SHIFT + 2, seeded())
    assert (float(made.std()) < 1e-12) == stays


def test_a_pair_turns_by_its_own_speed_and_the_products_of_all_pairs_are_the_score():
    """The speed of pair p is base^(-2p / d); a pair adds the product of both lengths and the cosine between them."""
    base, (query, key) = 500.0, (41, 7)
    here, there = (turned(query + moved, key + moved, seeded(), base=base) for moved in (0, 13))
    speed = base ** (-torch.arange(16, dtype=torch.float64) / 16)
    for angle in ("query", "key"):
        torch.testing.assert_close(getattr(there, angle) - getattr(here, angle), 13 * speed, rtol=0, atol=1e-11)
    cosine = (here.query - here.key).cos()
    products = here.query_length * here.key_length * cosine / math.sqrt(32)
    torch.testing.assert_close(here.products, products, rtol=0, atol=1e-12)
    assert here.score == pytest.approx(float(products.sum()), abs=1e-12)
    assert here.score == pytest.approx(float(scores("rotary", *torch.tensor([[query], [key]]), seeded(), base=base)))
    torch.testing.assert_close(there.products, here.products, rtol=0, atol=1e-12)


@pytest.mark.parametrize("turning", [0, 6, 14, 32])
def test_of_some_features_that_turn_the_speeds_are_their_own_and_the_rest_of_the_score_stays(turning):
    """The speed of pair p is base^(-2p / d_r), of the d_r features that turn."""
    here, there = (turned(41 + moved, 7, seeded(), base=500.0, turning=turning) for moved in (0, 13))
    speed = 500.0 ** (-torch.arange(0, turning, 2, dtype=torch.float64) / max(turning, 1))
    moves = torch.cat((13 * speed, torch.zeros(16 - turning // 2, dtype=torch.float64)))
    torch.testing.assert_close(there.query - here.query, moves, rtol=0, atol=1e-11)
    torch.testing.assert_close(there.key, here.key, rtol=0, atol=0)
    cosine = (here.query - here.key).cos()
    products = here.query_length * here.key_length * cosine / math.sqrt(32)
    torch.testing.assert_close(here.products, products, rtol=0, atol=1e-12)
    assert here.turns == turning // 2
    assert here.still == pytest.approx(there.still, abs=1e-12)
    assert here.score == pytest.approx(float(here.products.sum()), abs=1e-12)
    moved = scores("rotary", SHIFT + 7, SHIFT * 0, seeded(), base=500.0, turning=turning)
    assert (float(moved.std()) < 1e-12) == (turning == 0)


def test_a_layer_in_which_nothing_turns_is_one_without_positions():
    at = SHIFT + 7, SHIFT * 0
    nothing, none = scores("rotary", *at, seeded(), turning=0), scores("none", *at, seeded())
    torch.testing.assert_close(nothing, none, rtol=0, atol=0)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rotary"])
def test_only_rotary_positions_have_a_base(kind):
    near, far = (scores(kind, SHIFT + 7, SHIFT * 0, seeded(), base=base) for base in (10.0, 1000.0))
    torch.testing.assert_close(near, far, rtol=0, atol=0)


def test_a_linear_bias_falls_by_its_slope_and_no_positions_leave_the_score():
    none, alibi = (scores(kind, SHIFT, torch.zeros_like(SHIFT), seeded()) for kind in ("none", "alibi"))
    torch.testing.assert_close(alibi, none - SLOPE * SHIFT, rtol=0, atol=1e-12)
    assert float(none.std()) < 1e-12


def test_both_conventions_give_one_score_and_mixing_them_another():
    found = conventions((0, 10, 100), seeded())
    torch.testing.assert_close(found["half_split"], found["interleaved"], rtol=0, atol=1e-12)
    assert float(found["half_split"].std()) < 1e-12
    assert float(found["mixed"].std()) > 0.1


def test_rotary_scores_over_distance_are_the_mean_cosine():
    """For a vector of ones, the digits follow from the formula; drawn vectors stay within four standard errors of 0."""
    distances = (0, 1, 8, 64, 1024, 4096, 8192)
    ones, mean, error = decay(distances, 1009, seeded())
    expected = torch.tensor((1, 0.970, 0.714, 0.477, 0.204, -0.053, 0.025), dtype=torch.float64)
    torch.testing.assert_close(ones.flatten(), expected, rtol=0, atol=5e-4)
    # The tolerance allows for float32 angles at distances of thousands.
    torch.testing.assert_close(error * math.sqrt(1009 * 128), torch.ones_like(error), rtol=0, atol=0.15)
    assert (mean.abs() < 4 * error).all()


def test_equal_scores_fade_by_the_slope_alone():
    """Half-lives ln 2 / m: 2.77 places at m = 1/4 and 177.4 at m = 1/256."""
    weights = tails(4, 29)
    distance = torch.arange(29, dtype=torch.float64)
    for head, slope in enumerate((1 / 4, 1 / 16, 1 / 64, 1 / 256)):
        torch.testing.assert_close(weights[head], (-slope * distance).softmax(-1), rtol=0, atol=1e-12)


def test_what_is_no_kind_is_refused():
    with refused(f"unknown kind 'x'; one of {', '.join(KINDS)}"):
        scores("x", SHIFT, SHIFT, seeded())
    with refused("turning must lie between 0 and 32, got 34"):
        scores("rotary", SHIFT, SHIFT, seeded(), turning=34)
    with refused("d_k must be even, since features turn in pairs, got 7"):
        scores("rotary", SHIFT, SHIFT, seeded(), turning=7)
    with refused("keys needs shape (13,), got (2,)"):
        scores("none", SHIFT, SHIFT[:2], seeded())
