"""A chart on its way to the browser: every number and every word arrives, and every change has a new stamp."""

from dataclasses import replace

import numpy as np
import pytest

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n.numbers import apart, digits, fixed, fraction, interval, share
from tests.support.app import charts, linked, points

CURVE = Series("measured", [1, 2, 5], [0.5, np.nan, -3.0], low=[0.25, np.nan, -4.0], high=[1.0, np.nan, 0.0])
CHART = Chart("id", "title", [CURVE], Axis("x"), Axis("y"), "note")


def test_the_numbers_arrive():
    (sent,) = CHART.sent()["chart"]["series"]
    found = points(sent)
    for name, expected in {"x": CURVE.x, "y": CURVE.y, "low": CURVE.low, "high": CURVE.high}.items():
        np.testing.assert_array_equal(found[name], np.array(expected, dtype="<f4"))


def test_a_series_without_a_band_sends_none():
    (sent,) = replace(CHART, series=[Series("bare", [1], [2])]).sent()["chart"]["series"]
    assert {"low", "high"} & set(sent) == set()


@pytest.mark.parametrize(
    "other",
    [
        replace(CHART, series=[replace(CURVE, y=[0.5, np.nan, -3.5])]),
        replace(CHART, series=[replace(CURVE, low=[0.0, np.nan, -4.0])]),
        replace(CHART, series=[replace(CURVE, name="theory")]),
        replace(CHART, series=[replace(CURVE, style="dots")]),
        replace(CHART, series=[replace(CURVE, colour=1)]),
        replace(CHART, series=[CURVE, CURVE]),
        replace(CHART, x=Axis("x", log=True)),
        replace(CHART, y=Axis("y", range=(0, 1))),
        replace(CHART, y=Axis("y", ticks=(0, 1))),
        replace(CHART, marks=[(2, "here")]),
    ],
)
def test_whatever_is_drawn_differently_has_another_stamp(other):
    """The browser redraws by the stamp alone."""
    assert other.sent()["stamp"] != CHART.sent()["stamp"]
    assert CHART.sent()["stamp"] == replace(CHART).sent()["stamp"]


# Measured charts may be drawn, too, if an earlier test of this process has measured them.
MEASURED = ("costs-time-", "costs-memory")
# For each page's opening charts, the axes on which equal steps are equal factors.
LOGARITHMIC = {
    "backward": {"backward-scaled": "xy"},
    "costs": {"costs-parts": "xy", "costs-shares": "x"},
    "dropout": {"dropout-scores": "x", "running": "x", "distance": "xy"},
    "fewer_keys": {"cache": "y"},
    "one_token": {"work-dots": "xy", "work-projected": "xy"},
    "positions": {"wavelengths": "y", "beyond": "y"},
    "state": {"state-memory": "xy"},
    "taming": {"taming-length": "x"},
    "tiles": {"tiles-memory": "xy", "tiles-traffic": "xy"},
}


@pytest.mark.parametrize("page", LOGARITHMIC)
def test_numbers_over_many_powers_stand_on_a_logarithmic_axis_which_has_no_place_for_0(page):
    found = {id: one for id, one in charts(linked(page)).items() if not id.startswith(MEASURED)}
    logarithmic = {id: "".join(axis for axis in "xy" if one["chart"][axis]["log"]) for id, one in found.items()}
    assert {id: axes for id, axes in logarithmic.items() if axes} == LOGARITHMIC[page]
    for id, axes in logarithmic.items():
        for axis in axes:
            assert min(found[id]["chart"][axis].get("ticks", [1])) > 0, id
            assert all(np.nanmin(series[axis]) > 0 for series in found[id]["series"].values()), id


@pytest.mark.parametrize(
    ("number", "read"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "−2.5"),
        (64.489, "64.5"),
        (4130.2, "4130"),
        (-0.000123, "−0.000123"),
        (6.94e-6, "6.94 · 10⁻⁶"),
        (1.23456e12, "1.23 · 10¹²"),
        (float("inf"), "∞"),
        (-float("inf"), "−∞"),
        (float("nan"), "–"),
    ],
)
def test_numbers_are_written_as_people_read_them(number, read):
    assert digits(number) == read


@pytest.mark.parametrize(
    ("number", "read"),
    [(0.125, "0.13"), (0.145, "0.14"), (-3, "−3.00"), (-0.001, "0.00"), (-float("inf"), "−∞"), (float("inf"), "∞")],
)
def test_so_many_decimals_and_no_negative_zero(number, read):
    assert fixed(number) == read
    assert fixed(-2.0625, 3) == "−2.063"


@pytest.mark.parametrize(
    ("number", "read"),
    [(0.4998, "½"), (-0.25, "−¼"), (0.3333, "⅓"), (0.667, "⅔"), (0.7501, "¾"), (0.49, "0.49"), (-1.0, "−1.00")],
)
def test_a_simple_fraction_is_written_as_one(number, read):
    assert fraction(number) == read


def test_an_interval_of_one_number_is_that_number():
    assert (interval("0.50", "0.75"), interval("0.50", "0.50")) == ("0.50–0.75", "0.50")


@pytest.mark.parametrize(("part", "read"), [(0, "0%"), (1, "100%"), (0.63, "63%"), (0.0625, "6.2%"), (0.973, "97.3%")])
def test_shares_are_per_cent(part, read):
    assert share(part) == read


@pytest.mark.parametrize(
    ("far", "read"), [(0, "0"), (5.6e-17, "5.6 · 10⁻¹⁷"), (2e-4, "2.0 · 10⁻⁴"), (0.34, "0.34"), (3.51, "3.51")]
)
def test_a_difference_says_whether_it_is_rounding(far, read):
    assert apart(far) == read
