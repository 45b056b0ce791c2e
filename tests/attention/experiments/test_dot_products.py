"""Theory of q.k against exact enumeration, the published special cases, and the scatter of repeated experiments."""

import math
from itertools import product

import pytest
import torch

from attention.experiments.distributions import DISTRIBUTIONS
from attention.experiments.dot_products import Pairs
from attention.experiments.variance import sweep
from tests.support import refused, seeded

# Every parameter is away from its default, and all are pairwise distinct.
SKEW = {"sigma_q": 0.5, "sigma_k": 2.0, "mu_q": 0.7, "mu_k": -0.3}
CORRELATIONS = (-1.0, -0.5, 0.0, 0.3, 1.0)


def enumerated(pairs):
    """Mean, variance and fourth central moment of one product of signs, from its four equally likely cases."""
    rho, rest = pairs.correlation, math.sqrt(1 - pairs.correlation**2)
    cases = [
        (pairs.mu_q + pairs.sigma_q * a) * (pairs.mu_k + pairs.sigma_k * (rho * a + rest * b))
        for a, b in product((-1, 1), repeat=2)
    ]
    mean = sum(cases) / 4
    return mean, *(sum((case - mean) ** order for case in cases) / 4 for order in (2, 4))


@pytest.mark.parametrize("rho", CORRELATIONS)
@pytest.mark.parametrize("d_k", [1, 2, 7])
def test_mean_variance_and_standard_error_of_signs_are_those_of_all_cases(rho, d_k):
    pairs = Pairs("signs", correlation=rho, **SKEW)
    mean, variance, fourth = enumerated(pairs)
    assert pairs.mean(d_k) == pytest.approx(d_k * mean)
    assert pairs.variance(d_k) == pytest.approx(d_k * variance)
    of_sum = d_k * (fourth - 3 * variance**2) + 3 * (d_k * variance) ** 2
    samples = 11
    squared = of_sum / samples - (d_k * variance) ** 2 * (samples - 3) / (samples * (samples - 1))
    assert pairs.standard_error(d_k, samples) == pytest.approx(math.sqrt(max(0, squared)), abs=1e-6)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_independent_entries_have_the_textbook_variance_whatever_their_distribution(name):
    assert Pairs(name).variance(64) == 64
    assert Pairs(name, sigma_q=0.5, sigma_k=2).variance(64) == 64
    assert Pairs(name, sigma_q=2, sigma_k=2).variance(64) == 1024
    assert Pairs(name, mu_q=1, mu_k=1).variance(64) == 192
    assert Pairs(name, mu_q=1, mu_k=1).variance(256) == 768
    assert Pairs(name, mu_q=1, mu_k=1).mean(64) == 64


def test_correlated_normal_pairs_have_mean_rho_d_and_variance_d_times_1_plus_rho_squared():
    pairs = Pairs(correlation=0.5)
    assert pairs.mean(64) == 32
    assert pairs.variance(64) == 80


@pytest.mark.parametrize(("d_k", "samples", "relative"), [(1, 256, 0.1768), (64, 4096, 0.0226), (1, 4096, 0.0442)])
def test_the_relative_standard_error_of_normal_pairs_is_the_published_one(d_k, samples, relative):
    pairs = Pairs()
    assert pairs.standard_error(d_k, samples) / pairs.variance(d_k) == pytest.approx(relative, abs=2e-4)
    formula = math.sqrt((2 + 6 / d_k) / samples)
    assert pairs.standard_error(d_k, samples) / d_k == pytest.approx(formula, rel=1 / samples)


@pytest.mark.parametrize("settings", [{}, SKEW, {"correlation": 0.5}, {**SKEW, "correlation": -0.5}])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_exact_standard_error_is_the_scatter_of_repeated_experiments(name, settings):
    pairs, samples, repeats = Pairs(name, **settings), 64, 4000
    if pairs.standard_error(1, samples) == math.inf:
        return
    drawn = sweep(pairs, (1, 16), samples * repeats, generator=seeded(2))
    for d_k, scores in zip(drawn.d_ks, drawn.scores, strict=True):
        variances = scores.double().reshape(repeats, samples).var(1)
        scatter = variances.std().item()
        kurtosis = ((variances - variances.mean()) / scatter).pow(4).mean().item()
        # The error of the scatter comes from the sample's own kurtosis, which is too low for t5 (no eighth moment).
        error = scatter * math.sqrt((kurtosis - 1) / (4 * repeats))
        assert abs(scatter - pairs.standard_error(d_k, samples)) <= 5 * error + (0.1 * scatter if name == "t5" else 0)


def test_correlated_t5_pairs_have_a_variance_but_no_standard_error_of_it():
    pairs = Pairs("t5", correlation=-0.5)
    assert pairs.variance(2) == 2 * (1 + 0.25 * 7)
    assert pairs.standard_error(2, 4096) == math.inf


@pytest.mark.parametrize(
    ("d_k", "n", "naive", "exact"),
    [
        (1, 64, 0.044, 0.252),
        (4, 64, 0.029, 0.127),
        (16, 64, 0.024, 0.067),
        (64, 64, 0.023, 0.038),
        (1024, 64, 0.022, 0.023),
        (4, 8, 0.234, 0.405),
    ],
)
def test_the_standard_errors_of_a_matrix_are_the_published_ones(d_k, n, naive, exact):
    pairs = Pairs()
    # The naive error is that of a variance about a measured mean: a factor of sqrt(64/63) for 64 scores.
    assert pairs.standard_error(d_k, n * n) / d_k == pytest.approx(naive, abs=0.0021 if n == 8 else 0.0006)
    assert pairs.matrix_standard_error(d_k, n, n) / d_k == pytest.approx(exact, abs=0.00051)
    formula = math.sqrt((2 + 6 / d_k) / n**2 + 2 / d_k * (2 * n - 2) / n**2)
    assert pairs.matrix_standard_error(d_k, n, n) / d_k == pytest.approx(formula)


def test_a_matrix_of_one_score_is_one_pair():
    pairs = Pairs("laplace", **SKEW)
    fourth = pairs.matrix_standard_error(3, 1, 1) ** 2
    assert pairs.standard_error(3, 10**8) == pytest.approx(math.sqrt(fourth / 10**8), rel=1e-6)


def test_a_mean_of_the_keys_cancels_within_a_row_and_a_mean_of_the_queries_does_not():
    assert Pairs(mu_q=1, mu_k=1).row_variance(64) == 128
    assert Pairs(mu_k=1).row_variance(64) == 64
    squares = ((SKEW["mu_q"] + side * SKEW["sigma_q"]) ** 2 for side in (-1, 1))
    assert Pairs("signs", **SKEW).row_variance(7) == pytest.approx(7 * sum(squares) / 2 * SKEW["sigma_k"] ** 2)
    q, k = torch.empty(400, 1, 64), torch.empty(400, 64, 64)
    Pairs(mu_q=1, mu_k=1).fill(q, k, seeded())
    rows = (q @ k.mT).squeeze(1).var(1)
    assert abs(rows.mean().item() - 128) <= 5 * rows.std().item() / math.sqrt(400)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"distribution": "t4"}, "unknown distribution 't4'; one of normal, uniform, signs, laplace, t5"),
        ({"sigma_q": 0.0}, "sigma_q must be a finite number above 0, got 0.0"),
        ({"sigma_k": math.inf}, "sigma_k must be a finite number above 0, got inf"),
        ({"mu_q": math.nan}, "mu_q must be a finite number, got nan"),
        ({"mu_k": -math.inf}, "mu_k must be a finite number, got -inf"),
        ({"correlation": 1.5}, "correlation must lie between -1 and 1, got 1.5"),
        ({"correlation": math.nan}, "correlation must lie between -1 and 1, got nan"),
    ],
)
def test_impossible_pairs_are_refused(arguments, text):
    with refused(text):
        Pairs(**arguments)


def test_standard_errors_refuse_what_has_none():
    with refused("samples must be at least 2, got 1"):
        Pairs().standard_error(3, 1)
    with refused("d_k must be at least 1, got 0"):
        Pairs().standard_error(0, 5)
    with refused("queries must be at least 1, got 0"):
        Pairs().matrix_standard_error(3, 0, 5)
    with refused("correlation must be 0 in a matrix of scores, which has no pairs, got 0.5"):
        Pairs(correlation=0.5).matrix_standard_error(3, 5, 5)
