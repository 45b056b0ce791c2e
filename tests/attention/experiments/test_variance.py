"""The variance of q.k, measured: within its error bars, from one draw, in bounded memory."""

import math
import statistics
import warnings

import pytest
import torch

from attention.experiments.distributions import DISTRIBUTIONS
from attention.experiments.dot_products import Pairs
from attention.experiments.running_sums import CHUNK, log_steps
from attention.experiments.variance import histograms, sweep, variances
from tests.support import EXACT, refused, seeded
from tests.support.hostile import Largest

SETTINGS = {
    "plain": {},
    "sigmas": {"sigma_q": 0.5, "sigma_k": 2.0},
    "means": {"mu_q": 1.0, "mu_k": -0.5},
    "correlated": {"correlation": 0.5},
    "all": {"sigma_q": 0.5, "sigma_k": 3.0, "mu_q": 0.3, "mu_k": -0.7, "correlation": -0.3},
}


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_measured_means_and_variances_lie_within_five_exact_standard_errors(name, settings):
    pairs = Pairs(name, **SETTINGS[settings])
    table = variances(sweep(pairs, log_steps(1024), generator=seeded(3)))
    assert ((table["mean"] - table["mean_theory"]).abs() <= 5 * table["mean_error"]).all()
    assert ((table["variance"] - table["variance_theory"]).abs() <= 5 * table["variance_error"]).all()
    if math.isinf(table["variance_error"].max()):
        assert table["variance"].to_numpy() == pytest.approx(table["variance_theory"].to_numpy(), rel=0.3)


def test_unscaled_variance_is_d_k_and_scaled_variance_is_1():
    table = variances(sweep(Pairs(), log_steps(4096), 256, generator=seeded()))
    theory = table.pivot(index="d_k", columns="scale", values="variance_theory")
    assert theory["none"].tolist() == list(log_steps(4096))
    assert theory["sqrt_d_k"].tolist() == pytest.approx([1.0] * 13)


def test_a_variance_is_that_of_a_sample_and_scaling_keeps_its_relative_error():
    drawn = sweep(Pairs(), (7,), 5, generator=seeded())
    table = variances(drawn)
    assert table["variance"][0] == pytest.approx(statistics.variance(drawn.at(7).tolist()))
    assert table["mean"][0] == pytest.approx(statistics.mean(drawn.at(7).tolist()), abs=1e-6)
    for quantity, factor in (("variance", 7), ("mean", math.sqrt(7))):
        assert table[quantity][0] == pytest.approx(factor * table[quantity][1])
        assert table[f"{quantity}_error"][0] == pytest.approx(factor * table[f"{quantity}_error"][1])


def test_the_scaled_mean_of_correlated_pairs_still_grows_as_the_root_and_1_over_d_k_stops_it():
    drawn = sweep(Pairs(correlation=0.5), (16, 256), generator=seeded())
    theory = variances(drawn, ("sqrt_d_k", "d_k")).pivot(index="d_k", columns="scale", values="mean_theory")
    assert theory["sqrt_d_k"].tolist() == [2, 8]
    assert theory["d_k"].tolist() == [0.5, 0.5]


def test_a_table_has_a_row_for_each_scale_and_d_k():
    table = variances(sweep(Pairs(), (2, 3, 7), 5, generator=seeded()), ("none", "d_k"))
    assert list(zip(table["scale"], table["d_k"], strict=True)) == [(s, d) for s in ("none", "d_k") for d in (2, 3, 7)]
    columns = "scale d_k mean mean_theory mean_error variance variance_theory variance_error"
    assert list(table.columns) == columns.split()


@pytest.mark.parametrize("samples", [256, 3000])
def test_every_score_is_the_dot_product_of_the_same_pair(samples):
    pairs, d_ks = Pairs(mu_q=0.3, sigma_k=2, correlation=0.5), (1, 2, 3, 100, 257)
    drawn = sweep(pairs, d_ks, samples, generator=seeded())
    assert drawn.scores.shape == (5, samples)
    features, generator, parts = max(1, 2**18 // samples), seeded(), []
    while sum(map(len, parts)) < 257:
        q, k = torch.empty(2, features, samples)
        pairs.fill(q, k, generator)
        parts.append(q.double() * k.double())
    sums = torch.cat(parts).cumsum(0)
    for d_k, scores in zip(d_ks, drawn.scores, strict=True):
        torch.testing.assert_close(scores.double(), sums[d_k - 1], rtol=0, atol=1e-4)


def test_moving_d_k_keeps_the_draws():
    few = sweep(Pairs(), (64,), generator=seeded()).at(64)
    many = sweep(Pairs(), (1, 3, 63, 64, 65, 999), generator=seeded()).at(64)
    torch.testing.assert_close(few, many, rtol=0, atol=1e-5)


def test_moving_a_spread_or_a_mean_keeps_the_draws():
    plain = sweep(Pairs(), (7,), generator=seeded()).scores
    torch.testing.assert_close(sweep(Pairs(sigma_q=2, sigma_k=4), (7,), generator=seeded()).scores, 8 * plain)


def test_signs_that_are_perfectly_correlated_have_no_variance_and_no_error():
    drawn = sweep(Pairs("signs", correlation=1), (1, 5), 256, generator=seeded())
    table = variances(drawn)
    assert (drawn.at(5) == 5).all()
    assert table["variance"].tolist() == table["variance_theory"].tolist() == [0] * 4
    assert histograms(drawn, 5, 3, ["none"])["none"].tolist() == [0, 256, 0]


def test_progress_goes_up_to_1_and_may_stop_the_work():
    seen = []
    sweep(Pairs(), (1, 700), 4096, generator=seeded(), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) == math.ceil(700 / 64)

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        sweep(Pairs(), (700,), 4096, generator=seeded(), progress=stop)


def test_histograms_share_their_bins_and_leave_no_score_out():
    drawn = sweep(Pairs("t5"), (1, 64), 4096, generator=seeded())
    table = histograms(drawn, 64, 50)
    raw, scaled = drawn.at(64), drawn.at(64) / 8
    assert table["none"].sum() == table["sqrt_d_k"].sum() == 4096
    assert (table["left"][0], table["right"][49]) == pytest.approx((raw.min().item(), raw.max().item()))
    assert table["left"][1:].tolist() == table["right"][:-1].tolist()
    widths = table["right"] - table["left"]
    assert widths.tolist() == pytest.approx([widths.mean()] * 50, rel=1e-9)
    for scores, column in ((raw, "none"), (scaled, "sqrt_d_k")):
        for _, one in table.iterrows():
            inside = ((scores >= one["left"] + 1e-4) & (scores < one["right"] - 1e-4)).sum().item()
            around = ((scores >= one["left"] - 1e-4) & (scores <= one["right"] + 1e-4)).sum().item()
            assert inside <= one[column] <= around


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_no_tensor_of_a_sweep_is_larger_than_a_chunk(name):
    """All numbers at once would be four million, but memory does not grow with d_k."""
    with Largest() as seen:
        sweep(Pairs(name), (1, 1024), 4096, generator=seeded())
    assert CHUNK // 2 < seen.elements <= CHUNK


@pytest.mark.parametrize(
    ("largest", "per_octave", "steps"),
    [(8, 1, (1, 2, 4, 8)), (1, 1, (1,)), (11, 1, (1, 2, 4, 8, 11)), (8, 2, (1, 2, 3, 4, 6, 8))],
)
def test_log_steps_double_and_include_the_largest(largest, per_octave, steps):
    assert log_steps(largest, per_octave) == steps


def test_log_steps_reach_4096_in_thirteen():
    assert log_steps() == tuple(2**i for i in range(13))


def call(d_ks=(2, 3), samples=256):
    return sweep(Pairs(), d_ks, samples, generator=seeded())


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (lambda: call(samples=0), "samples must be at least 1, got 0"),
        (lambda: call(()), "d_ks must ascend from at least 1, got none"),
        (lambda: call((0, 3)), "d_ks must ascend from at least 1, got 0, 3"),
        (lambda: call((3, 3)), "d_ks must ascend from at least 1, got 3, 3"),
        (lambda: call((5, 3)), "d_ks must ascend from at least 1, got 5, 3"),
        (lambda: call().at(5), "d_k 5 is not in this sweep; one of 2, 3"),
        (lambda: variances(call(samples=1)), "samples must be at least 2, got 1"),
        (lambda: variances(call(), ["root"]), "unknown scale 'root'; one of none, sqrt_d_k, d_k"),
        (lambda: histograms(call(), 3, 0), "bins must be at least 1, got 0"),
        (lambda: histograms(call(), 4), "d_k 4 is not in this sweep; one of 2, 3"),
        (lambda: log_steps(0), "largest must be at least 1, got 0"),
        (lambda: log_steps(8, 0), "per_octave must be at least 1, got 0"),
    ],
)
def test_what_does_not_fit_is_refused(work, text):
    """The refusal comes before torch would warn of a variance of one number."""
    with warnings.catch_warnings(action="error"), refused(text):
        work()


def test_the_same_seed_gives_the_same_scores():
    torch.testing.assert_close(call().scores, call().scores, **EXACT)
