"""Softmax under large scores: the published table, entry by entry, within its sampling error."""

import math

import pytest

from attention.experiments.running_sums import log_steps
from attention.experiments.saturation import crossover, saturation
from tests.support import seeded
from tests.support.covering import EXHAUSTIVE, some

# The published table has 100,000 rows and 16 keys. Half a unit of the last printed digit is allowed for rounding.
ROWS = 100_000
DRAWN = ROWS if EXHAUSTIVE else 20_000
D_KS = log_steps(1024)
MEANS = {
    ("none", "variance"): "1.00 1.99 4.00 7.98 15.99 31.99 64.17 128.0 256.0 512.3 1023",
    ("sqrt_d_k", "variance"): "1.003 .996 1.001 .997 1.000 1.000 1.003 1.000 1.000 1.001 .999",
    ("none", "largest"): ".208 .300 .425 .563 .685 .778 .844 .891 .924 .945 .962",
    ("sqrt_d_k", "largest"): ".208 .224 .234 .240 .243 .245 .246 .246 .247 .247 .247",
    ("none", "entropy"): "2.434 2.166 1.769 1.308 .903 .609 .409 .280 .191 .135 .093",
    ("sqrt_d_k", "entropy"): "2.434 2.403 2.383 2.371 2.364 2.361 2.357 2.357 2.357 2.356 2.357",
    ("none", "effective"): "12.2 9.70 6.75 4.31 2.83 2.06 1.65 1.41 1.27 1.18 1.13",
    ("sqrt_d_k", "effective"): "12.2 11.7 11.3 11.0 10.9 10.8 10.8 10.7 10.7 10.7 10.7",
    ("none", "jacobian"): ".283 .306 .323 .314 .278 .227 .176 .133 .098 .073 .052",
    ("sqrt_d_k", "jacobian"): ".283 .291 .297 .301 .303 .304 .305 .305 .305 .305 .305",
    ("none", "frozen"): ".000 .001 .002 .013 .054 .151 .295 .440 .574 .678 .767",
}
MEDIANS = ".27 .31 .33 .35 .33 .23 .11 .035 .0061 5.8e-4 1.7e-5"
EIGHT = {
    ("none", "largest"): ".305 .528 .748 .875 .937 .969",
    ("sqrt_d_k", "largest"): ".305 .344 .356 .360 .361 .361",
    ("none", "entropy"): "1.799 1.287 .674 .318 .154 .075",
}
EIGHT_MEDIANS = ".35 .37 .28 .062 .0018 1.4e-6"


def unit(number: str) -> float:
    """Half a unit of the last printed digit."""
    digits, _, exponent = number.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def around(rows):
    """A band of quantiles around the median of these rows: it contains the published median of 100,000 rows unless both
    are more than five errors apart."""
    half = 5 * 0.5 * math.sqrt(1 / rows + 1 / ROWS)
    return (0.5 - half, 0.5 + half)


def indexed(table):
    return table.set_index(["scale", "quantity", "d_k"])


def compare_means(table, published, d_ks):
    rows = indexed(table)
    for (scale, quantity), numbers in published.items():
        for d_k, number in zip(d_ks, numbers.split(), strict=True):
            row = rows.loc[(scale, quantity, d_k)]
            # Both numbers come from samples; the published sample has more rows, and so a smaller error.
            error = 5 * math.sqrt(1 + DRAWN / ROWS) * row["error"]
            assert abs(row["mean"] - float(number)) <= error + unit(number), (scale, quantity, d_k)


def compare_medians(table, published, d_ks):
    rows = indexed(table)
    for d_k, number in zip(d_ks, published.split(), strict=True):
        row = rows.loc[("none", "jacobian", d_k)]
        assert row["low"] - unit(number) <= float(number) <= row["high"] + unit(number), d_k


@pytest.fixture(scope="module")
def sixteen():
    return saturation(D_KS, 16, DRAWN, generator=seeded(1), band=around(DRAWN))


@pytest.mark.parametrize("column", MEANS, ids="-".join)
def test_sixteen_keys_have_the_published_means(sixteen, column):
    compare_means(sixteen, {column: MEANS[column]}, D_KS)


def test_sixteen_keys_have_the_published_median_jacobians(sixteen):
    compare_medians(sixteen, MEDIANS, D_KS)


def test_eight_keys_have_the_published_means_and_medians():
    d_ks = (1, 4, 16, 64, 256, 1024)
    table = saturation(d_ks, 8, DRAWN, generator=seeded(2), band=around(DRAWN))
    compare_means(table, EIGHT, d_ks)
    compare_medians(table, EIGHT_MEDIANS, d_ks)
    scaled = indexed(table).loc[("sqrt_d_k", slice(None), 1024), :].droplevel([0, 2])
    assert abs(scaled.loc["entropy", "mean"] - 1.722) <= 0.0005 + 8 * scaled.loc["entropy", "error"]
    assert scaled.loc["jacobian", "low"] - 0.0005 <= 0.367 <= scaled.loc["jacobian", "high"] + 0.0005


def test_1024_keys_have_the_published_largest_weights():
    rows = indexed(saturation((64,), 1024, 2048, generator=seeded(3)))
    # The published scaled number is .018, for an unknown number of rows; whole queries and keys give .0161(1).
    for scale, published in (("none", 0.705), ("sqrt_d_k", 0.0161)):
        row = rows.loc[(scale, "largest", 64)]
        assert abs(row["mean"] - published) <= 0.0005 + 5 * row["error"]


def test_the_mean_jacobian_falls_as_one_over_the_root_of_d_k():
    rows = indexed(saturation((256, 1024, 4096), 16, 20_000, generator=seeded(4)))
    for d_k, published in ((256, 1.57), (1024, 1.69), (4096, 1.73)):
        row = rows.loc[("none", "jacobian", d_k)]
        assert abs(row["mean"] - published / math.sqrt(d_k)) <= 5 * math.sqrt(2) * row["error"] + 0.005 / math.sqrt(d_k)


# Keys to the first power of two at which the scaled Jacobian wins, by the mean and by the median.
CROSSOVERS = {
    4: (2, 2),
    8: (2, 8),
    16: (16, 32),
    32: (64, 64),
    64: (128, 128),
    128: (256, 128),
    256: (1024, 256),
    1024: (4096, 512),
}


@pytest.mark.parametrize("keys", some(CROSSOVERS, 3))
@pytest.mark.slow
def test_the_scaled_jacobian_wins_from_the_published_d_k_on(keys):
    rows = 20_000 if keys <= 128 else 4000
    around = {d_k for published in CROSSOVERS[keys] for d_k in (published // 2, published, 2 * published)}
    table = saturation(sorted(around), keys, rows, generator=seeded(5))
    for statistic, published in zip(("mean", "median"), CROSSOVERS[keys], strict=True):
        first, sure = crossover(table, statistic)
        assert first == published
        # If 20,000 rows do not decide it, they leave at most one doubling open.
        assert sure == published or (keys, statistic, sure) == (8, "median", 16)
