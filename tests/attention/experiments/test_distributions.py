"""The five distributions of entries: their shape against the distribution function, and their moments."""

import math
from statistics import NormalDist

import pytest
import torch

from attention.experiments.distributions import DISTRIBUTIONS, distribution
from tests.support import refused, seeded

N = 200_000


def t5_density(t):
    return math.gamma(3) / (math.sqrt(5 * math.pi) * math.gamma(2.5)) * (1 + t * t / 5) ** -3


def t5_below(z):
    t = z * math.sqrt(5 / 3)
    u = t / math.sqrt(5)
    return 0.5 + (math.atan(u) + u / (1 + u * u) * (1 + 2 / (3 * (1 + u * u)))) / math.pi


def laplace_below(z):
    return 0.5 * math.exp(z * math.sqrt(2)) if z < 0 else 1 - 0.5 * math.exp(-z * math.sqrt(2))


BELOW = {
    "normal": NormalDist().cdf,
    "uniform": lambda z: min(1.0, max(0.0, 0.5 + z / math.sqrt(12))),
    "signs": lambda z: 0.5 * (z >= -1) + 0.5 * (z >= 1),
    "laplace": laplace_below,
    "t5": t5_below,
}


def draw(name, *shape, seed=0):
    return DISTRIBUTIONS[name].fill(torch.empty(shape), seeded(seed))


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_share_of_entries_below_any_point_is_that_of_the_distribution(name):
    z = draw(name, N)
    for point in (-5.0, -2.0, -1.1, -0.5, -0.1, 0.1, 0.5, 1.1, 2.0, 5.0):
        expected = BELOW[name](point)
        error = math.sqrt(expected * (1 - expected) / N)
        assert abs((z <= point).double().mean().item() - expected) <= 5 * error + 1 / N


@pytest.mark.parametrize("name", ["normal", "uniform", "signs", "laplace"])
def test_the_moments_are_those_of_the_entries(name):
    z = draw(name, N, seed=1).double()
    for order in range(9):
        powers = z**order
        error = powers.std().item() / math.sqrt(N)
        # The sixth and eighth moments of Laplace scatter by themselves more than their sample shows.
        assert abs(powers.mean().item() - DISTRIBUTIONS[name].moment(order)) <= (8 if order > 4 else 5) * error + 1e-6


@pytest.mark.parametrize("order", [2, 4, 6, 8])
def test_the_even_moments_are_those_of_the_textbook(order):
    expected = {
        "normal": math.prod(range(1, order, 2)),
        "uniform": 3 ** (order / 2) / (order + 1),
        "signs": 1,
        "laplace": math.factorial(order) / 2 ** (order / 2),
    }
    assert {name: DISTRIBUTIONS[name].moment(order) for name in expected} == pytest.approx(expected)


def test_a_t5_entry_has_variance_1_kurtosis_9_and_no_sixth_moment():
    t = torch.linspace(-2000, 2000, 4_000_001, dtype=torch.float64)
    density = torch.tensor(t5_density(0)) * (1 + t * t / 5) ** -3
    z = t * math.sqrt(3 / 5)
    for order, tail in ((2, 1e-6), (4, 0.03)):
        assert abs((z**order * density).sum().item() * 1e-3 - DISTRIBUTIONS["t5"].moment(order)) < tail
    assert DISTRIBUTIONS["t5"].moment(6) == DISTRIBUTIONS["t5"].moment(8) == math.inf
    assert DISTRIBUTIONS["t5"].kurtosis == 9


def test_a_laplace_entry_is_finite_at_the_end_of_the_uniform_numbers(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "uniform_", lambda self, *_, **__: self.fill_(-1))
    assert draw("laplace", 3).isfinite().all()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_entries_are_drawn_in_place_and_again_from_the_same_seed(name):
    out = torch.empty(7, 11)
    assert DISTRIBUTIONS[name].fill(out, seeded()) is out
    torch.testing.assert_close(out, draw(name, 7, 11), rtol=0, atol=0)


def test_an_unknown_distribution_is_refused_with_the_choices():
    with refused("unknown distribution 'cauchy'; one of normal, uniform, signs, laplace, t5"):
        distribution("cauchy")
