"""The first pictures of the page on scaling: a row of scores with its softmax, and a score on its way."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention.experiments.dot_products import Pairs
from attention.inputs.grammar import EXAMPLE
from pages.shell.i18n import say
from pages.shell.views.scaling import variance, walk
from tests.support.app import charts
from tests.support.lab import RAW, SCALED, numbers, opened


@pytest.mark.parametrize("d", [1, 64, 256])
def test_weights_are_the_softmax_of_the_scores_beside_them(d):
    drawn = charts(opened(d=d))
    for name in (RAW, SCALED):
        scores, weights = (drawn[figure]["series"][name]["y"] for figure in ("scores", "softmax_row"))
        powers = np.exp(scores - scores.max())
        assert_allclose(weights, powers / powers.sum(), rtol=1e-4, atol=1e-6)
    raw, scaled = (drawn["scores"]["series"][name]["y"] for name in (RAW, SCALED))
    assert_allclose(raw, scaled * math.sqrt(d), rtol=1e-5)


def test_divided_bars_and_both_axes_stay_at_every_d_k_while_the_others_grow():
    few, many = (charts(opened(d=d)) for d in (16, 256))
    for figure in ("scores", "softmax_row"):
        assert_allclose(few[figure]["series"][SCALED]["y"], many[figure]["series"][SCALED]["y"], rtol=1e-4)
        assert few[figure]["chart"]["y"]["range"] == many[figure]["chart"]["y"]["range"]
        assert few[figure]["chart"]["x"]["names"] == EXAMPLE.split()
    assert_allclose(many["scores"]["series"][RAW]["y"], 4 * few["scores"]["series"][RAW]["y"], rtol=1e-5)
    low, high = many["scores"]["chart"]["y"]["range"]
    assert np.abs(many["scores"]["series"][RAW]["y"]).max() <= high == -low


def test_the_notes_say_the_spread_and_the_word_that_takes_most():
    drawn = charts(opened(d=4))
    spread = drawn["scores"]["series"][RAW]["y"].std(ddof=1)
    assert numbers(drawn["scores"]["note"]) == pytest.approx([4, spread, spread / 2], rel=5e-3)
    weights = drawn["softmax_row"]["series"][RAW]["y"]
    assert f"'{EXAMPLE.split()[int(weights.argmax())]}'" in drawn["softmax_row"]["note"]


@pytest.mark.parametrize(("link", "factor"), [({}, 1.0), ({"sigma_q": 2.0, "mu_k": 1.0}, math.sqrt(8))])
def test_a_walk_adds_product_after_product_between_the_edges_of_the_theory(link, factor):
    shown = charts(opened(d=64, **link))["walk"]
    told = shown["series"][say("lab.walk.one")]
    walks = walk.walks(Pairs(**link), 0)
    assert_allclose(told["x"], range(65))
    assert_allclose(told["y"], walks[:65, 0], rtol=1e-5, atol=1e-5)
    edge = shown["series"][say("lab.walk.usual")]
    assert_allclose(np.abs(edge["y"]), factor * np.sqrt(np.arange(walk.LAST + 1)), rtol=1e-4)
    at = numbers(shown["note"])
    assert at == pytest.approx([64, walks[64, 0], 8 * factor, 64 * factor**2], rel=5e-3)


def test_many_walks_spread_as_the_edges_say():
    ends = np.concatenate([walk.walks(Pairs(), seed)[-1] for seed in range(40)])
    assert ends.std() == pytest.approx(math.sqrt(walk.LAST), rel=0.12)


def test_a_walk_ends_at_the_slider_and_its_axes_stay():
    first, second = (charts(opened(d=d))["walk"] for d in (16, 4096))
    assert first["series"][say("lab.walk.one")]["x"].max() == 16
    assert second["series"][say("lab.walk.one")]["x"].max() == walk.LAST == variance.NEAR
    assert first["chart"]["y"]["range"] == second["chart"]["y"]["range"]
    assert first["chart"]["x"]["range"] == second["chart"]["x"]["range"]
    # A gap between one walk and the next: no line leads back.
    others = second["series"][say("lab.walk.others", count=walk.OTHERS)]
    jumps = np.diff(others["x"]) < 0
    assert jumps.sum() == walk.OTHERS - 1
    assert np.isnan(others["y"][:-1][jumps]).all()
