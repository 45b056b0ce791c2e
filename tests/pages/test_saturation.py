"""The section on softmax draws the package's measurements, and each caption describes its figure."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention.experiments.saturation import crossover, saturation
from attention.scales import BY_D_K
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, jacobian
from tests.support import seeded
from tests.support.app import charts
from tests.support.lab import RAW, SCALED, opened_at

# The part of the page that these tests read.
opened = partial(opened_at, "saturation")


@pytest.mark.parametrize("keys", [4, 8, 16, 64])
def test_saturation_is_drawn_as_the_package_measures_it(keys):
    table = saturation(common.D_KS, keys, 2000, generator=seeded(0))
    drawn = charts(opened(keys=keys))
    for quantity in ("largest", "entropy", "effective", "jacobian"):
        for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
            rows = table[(table["quantity"] == quantity) & (table["scale"] == scale)]
            for statistic, sent in (("median", "y"), ("low", "low"), ("high", "high")):
                assert_allclose(drawn[quantity]["series"][name][sent], rows[statistic], rtol=1e-4, atol=1e-30)
    # The gradient through softmax falls by powers of ten, down to an edge below which it looks like nothing.
    axis = drawn["jacobian"]["chart"]["y"]
    assert (axis["log"], axis["range"]) == (True, [common.EDGE, 1])
    at_64 = table[table["d_k"] == 64].set_index(["quantity", "scale"])
    assert drawn["entropy"]["note"].startswith(
        f"At dₖ = 64 the median row has an entropy of {digits(at_64['median']['entropy', 'none'])} nats"
    )


# Each parameter is a case: no smaller d_k but 1; undecided by these rows; a smaller d_k at which scaling loses.
@pytest.mark.parametrize(
    ("keys", "by_mean", "by_median"),
    [(4, "same", "same"), (8, "same", "between"), (16, "smaller", "smaller"), (64, "smaller", "smaller")],
)
def test_the_caption_says_where_scaling_lets_more_gradient_by(keys, by_mean, by_median):
    table, note = (
        saturation(common.D_KS, keys, 2000, generator=seeded(0)),
        charts(opened(keys=keys))["jacobian"]["note"],
    )
    rows = table[table["quantity"] == "jacobian"].set_index(["scale", "d_k"])
    for statistic, case in (("mean", by_mean), ("median", by_median)):
        first, sure = crossover(table, statistic)
        by = say(f"lab.saturation.by.{statistic}")
        if case == "between":
            assert (first, sure) == (8, 16)
            assert say("lab.saturation.between", by=by, first=8, sure=16, undecided=8) in note
            continue
        assert first == sure
        assert say(f"lab.saturation.crossover.{case}", by=by, d=sure) in note
        before = rows[statistic]["sqrt_d_k", sure // 2] - rows[statistic]["none", sure // 2]
        assert (before < 0) == (case == "smaller")
    assert ([mark["x"] for mark in charts(opened(keys=keys))["jacobian"]["chart"]["marks"]]) == [
        crossover(table, "mean")[1]
    ]


def test_where_scaling_never_wins_the_caption_says_so():
    lab, table = Laboratory(keys="64", d="2"), saturation((1, 2, 4), 64, 2000, generator=seeded(0))
    drawn = jacobian.chart(lab, table, [])
    for statistic in ("mean", "median"):
        assert say("lab.saturation.no_crossover", by=say(f"lab.saturation.by.{statistic}"), last=4) in drawn.note
    assert not drawn.marks


@pytest.mark.parametrize("link", [{}, {"correlation": 0.9}], ids=str)
def test_what_the_chart_of_the_jacobian_cuts_off_is_said(link):
    drawn = charts(opened(**link))["jacobian"]
    told = drawn["note"].partition("The chart ends at")[2]
    for name, one in drawn["series"].items():
        for line, numbers_of in (("median", one["y"]), ("low", one["low"])):
            below = one["x"][numbers_of < common.EDGE]
            first = say(f"lab.saturation.below.{line}", scale=name, d=int(below[0]) if len(below) else "")
            assert (first in told) == (len(below) > 0), (name, line)


@pytest.mark.parametrize(("keys", "near"), [(16, 0.15), (256, 0.02)])
def test_the_approximation_of_small_scores_is_the_nearer_the_more_keys_there_are(keys, near):
    drawn = charts(opened(keys=keys))
    for quantity, value in (("entropy", np.log(keys) - 0.5), ("effective", keys * np.exp(-0.5))):
        series = drawn[quantity]["series"]
        small = series[say(f"lab.saturation.small.{quantity}")]
        assert_allclose(small["y"], value, rtol=1e-5)
        assert series[SCALED]["y"][-1] == pytest.approx(value, rel=near)
    assert say("lab.saturation.small.entropy") not in charts(opened(correlation=0.3))["entropy"]["series"]


def test_with_correlation_the_weight_of_the_matching_key_is_drawn_for_every_scale():
    drawn = charts(opened(correlation=0.3))["matching"]["series"]
    at_64 = {name: dict(zip(one["x"], one["y"], strict=True))[64] for name, one in drawn.items()}
    names = [say(f"lab.scale.{scale}") for scale in BY_D_K]
    means = [say("lab.saturation.mean", scale=name) for name in names]
    assert list(drawn) == [*names, *means]
    assert [at_64[name] for name in means] == pytest.approx([0.69, 0.35, 0.08], abs=0.03)
    assert at_64[RAW] > at_64[SCALED] > at_64[say("lab.scale.d_k")] > 1 / 16
    assert "matching" not in charts(opened())
