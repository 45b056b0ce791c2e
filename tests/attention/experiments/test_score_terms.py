"""The lines of the derivation of sqrt(d_k): measured terms agree with the theory of `Pairs`."""

import math

import pytest
import torch

from attention.experiments.dot_products import Pairs
from attention.experiments.score_terms import LINES, score_terms
from tests.support import refused, seeded

SCREENS = [Pairs(), Pairs("uniform"), Pairs(correlation=0.5), Pairs(mu_q=0.5, sigma_k=2.0)]


@pytest.mark.parametrize("pairs", SCREENS, ids=str)
@pytest.mark.parametrize("d_k", [13, 67])
def test_each_line_is_measured_within_its_error(pairs, d_k):
    table, scores = score_terms(pairs, d_k, 4999, generator=seeded())
    assert tuple(table["line"]) == LINES
    assert ((table["measured"] - table["theory"]).abs() <= 5 * table["error"]).all()
    theory = dict(zip(table["line"], table["theory"], strict=True))
    assert theory["sum_mean"] == pairs.mean(d_k) == pytest.approx(d_k * theory["term_mean"])
    assert theory["sum_variance"] == pairs.variance(d_k) == pytest.approx(d_k * theory["term_variance"])
    assert theory["scaled_variance"] == pytest.approx(theory["term_variance"])
    assert theory["term_covariance"] == 0
    measured = dict(zip(table["line"], table["measured"], strict=True))
    assert measured["sum_mean"] == pytest.approx(scores.mean().item())
    torch.testing.assert_close(measured["sum_variance"], (scores - pairs.mean(d_k)).square().mean().item())


def test_how_much_is_drawn_at_once_is_no_matter_of_the_terms():
    """There are more samples than a chunk holds for 67 features, so neighbours meet across its edge, too."""
    table, _ = score_terms(Pairs(mu_q=1.0, mu_k=1.0), 67, 8191, generator=seeded())
    off = table.set_index("line").loc["term_covariance"]
    assert abs(off["measured"]) <= 5 * off["error"] < 0.1


def test_one_term_has_no_neighbour():
    table, scores = score_terms(Pairs(), 1, 257, generator=seeded())
    assert math.isnan(table.set_index("line").loc["term_covariance", "measured"])
    assert scores.shape == (257,)


def test_scores_of_512_features_hardly_reach_a_hundred():
    """An article says that scores are easily hundreds."""
    _, scores = score_terms(Pairs(), 512, 20_000, generator=seeded())
    assert scores.std().item() == pytest.approx(22.6, abs=0.5)
    assert 80 < scores.abs().max() < 120


def test_bad_sizes_are_named():
    with refused("d_k must be at least 1, got 0"):
        score_terms(Pairs(), 0, 5, generator=seeded())
    with refused("samples must be at least 2, got 1"):
        score_terms(Pairs(), 3, 1, generator=seeded())
