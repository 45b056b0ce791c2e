"""The scatter of a score matrix's variance, and the puzzle of the 2 by 2 experiment."""

import math

import pytest
import torch

from attention.experiments.distributions import DISTRIBUTIONS
from attention.experiments.dot_products import Pairs
from attention.experiments.score_matrices import error_bars, matrices, two_by_two
from tests.support import refused, seeded


def scatter_error(variances):
    """The standard error of a standard deviation, from the sample's own kurtosis."""
    scatter = variances.std()
    kurtosis = ((variances - variances.mean()) / scatter).pow(4).mean()
    return (scatter * ((kurtosis - 1) / (4 * len(variances))).sqrt()).item()


@pytest.mark.parametrize(
    ("n", "published"),
    [(64, {1: 0.246, 4: 0.129, 16: 0.066, 64: 0.038, 1024: 0.024}), (8, {4: 0.404})],
)
@pytest.mark.slow
def test_the_scatter_is_that_of_the_formula_and_the_published_one(n, published):
    measured = matrices(Pairs(), tuple(published), n, n, repeats=600, generator=seeded(1))
    table = error_bars(measured)
    for d_k, variances, row in zip(published, measured.variances, table.itertuples(), strict=True):
        error = scatter_error(variances)
        assert abs(row.scatter - row.exact) <= 5 * error
        # The published number has three digits, from an unknown number of repeats.
        assert abs(row.scatter / d_k - published[d_k]) <= 5 * error / d_k + 0.0005 + 0.02 * published[d_k]
        assert abs(row.variance - d_k) <= 5 * row.exact / math.sqrt(600)
        assert row.within_exact >= 0.93


def test_the_naive_band_misses_most_matrices_at_small_d_k_and_few_at_large():
    table = error_bars(matrices(Pairs(), (1, 1024), 64, 64, generator=seeded())).set_index("d_k")
    assert table["within_naive"][1] < 0.4
    assert table["within_naive"][1024] > 0.9
    assert table["exact"][1] > 5 * table["naive"][1]


@pytest.mark.parametrize(
    "settings", [{}, {"sigma_q": 0.5, "sigma_k": 2.0, "mu_q": 0.7, "mu_k": -0.3}, {"mu_k": 2.0}], ids=str
)
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_exact_standard_error_holds_for_every_distribution_with_means_and_unequal_sides(name, settings):
    pairs = Pairs(name, **settings)
    measured = matrices(pairs, (2, 11), 5, 13, repeats=20_000, generator=seeded(2))
    for variances, row in zip(measured.variances, error_bars(measured).itertuples(), strict=True):
        slack = 0.1 * row.exact if name == "t5" else 1e-6
        assert abs(row.scatter - row.exact) <= 5 * scatter_error(variances) + slack
        assert abs(row.variance - row.variance_theory) <= 5 * row.exact / math.sqrt(20_000) + 1e-5


def test_one_draw_serves_every_d_k():
    few = matrices(Pairs(), (64,), 5, 7, 11, generator=seeded()).variances[0]
    many = matrices(Pairs(), (1, 3, 64, 65), 5, 7, 11, generator=seeded()).variances[2]
    torch.testing.assert_close(few, many, rtol=1e-5, atol=0)


def test_the_2_by_2_experiment_is_right_on_average_and_low_most_of_the_time():
    variance = two_by_two(200_000, generator=seeded())["variance"]
    error = variance.std() / math.sqrt(len(variance))
    assert abs(variance.mean() - 2) <= 5 * error
    assert abs(variance.median() - 1.01) < 0.02
    assert abs(variance.quantile(0.05) - 0.06) < 0.006
    assert abs(variance.quantile(0.95) - 7.22) < 0.1
    assert abs((variance <= 1.6).mean() - 0.63) <= 0.005 + 5 * math.sqrt(0.63 * 0.37 / 200_000)


def test_a_thousand_repetitions_say_so_already():
    variance = two_by_two(generator=seeded())["variance"]
    assert len(variance) == 1000
    assert abs((variance <= 1.6).mean() - 0.63) <= 5 * math.sqrt(0.63 * 0.37 / 1000)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"queries": 0}, "queries must be at least 1, got 0"),
        ({"keys": 0}, "keys must be at least 1, got 0"),
        ({"repeats": 1}, "repeats must be at least 2, got 1"),
        ({"d_ks": (4, 2)}, "d_ks must ascend from at least 1, got 4, 2"),
        (
            {"pairs": Pairs(correlation=0.5)},
            "correlation must be 0 in a matrix of scores, which has no pairs, got 0.5",
        ),
    ],
)
def test_matrices_that_cannot_be_are_refused(arguments, text):
    with refused(text):
        matrices(**{"pairs": Pairs(), "d_ks": (2,), "queries": 3, "keys": 5, "generator": seeded()} | arguments)


def test_no_repetition_of_the_experiment_is_refused():
    with refused("repeats must be at least 1, got 0"):
        two_by_two(0, generator=seeded())
