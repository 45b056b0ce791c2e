"""One row of the page on scaling: the walks of its scores, and the softmax of their ends."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention.experiments.softmax_row import row_scores
from attention.inputs.grammar import EXAMPLE
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, row, walk
from tests.support.app import charts
from tests.support.lab import RAW, SCALED, numbers, opened_at

# The part of the page that these tests read.
opened = partial(opened_at, "variance")


@pytest.mark.parametrize("link", [{}, {"lab_seed": 3}, {"sigma_q": 2.0, "mu_k": 1.0, "correlation": 0.5}], ids=str)
@pytest.mark.parametrize("d", [4, 256, 4096])
def test_each_walk_ends_at_the_score_of_its_word_and_both_panels_tell_of_the_one_in_front(d, link):
    """The walks' caption named the word that leads in the end, that of the bars the word that takes the most now."""
    drawn = charts(opened(d=d, **link))
    lab = Laboratory(**link)
    scores = row_scores(row.independent(lab), [d], len(row.WORDS), generator=common.generator(lab.lab_seed))
    scores = scores[0].double().numpy()
    first = int(scores.argmax())
    word = EXAMPLE.split()[first]
    # The softmax of the scores stands beside the walks.
    for name, by in ((RAW, 1.0), (SCALED, math.sqrt(d))):
        powers = np.exp((scores - scores.max()) / by)
        assert_allclose(drawn["softmax_row"]["series"][name]["y"], powers / powers.sum(), rtol=1e-3, atol=1e-6)
    walks = drawn["walk"]["series"]
    bold = walks[say("lab.walk.one", word=word)]
    assert_allclose((bold["x"][0], bold["y"][0]), 0)
    assert (bold["x"][-1], bold["y"][-1]) == (d, pytest.approx(scores[first], rel=1e-4, abs=1e-4))
    others = walks[say("lab.walk.others", count=walk.OTHERS)]
    gaps = np.flatnonzero(np.isnan(others["y"]))
    assert_allclose(others["y"][gaps - 1], np.delete(scores, first), rtol=1e-3, atol=1e-3)
    # No line connects the end of one walk with the start of the next.
    assert len(gaps) == walk.OTHERS == (np.diff(others["x"]) < 0).sum() + 1
    # The caption gives d, the score, the d of the root, and the divided score.
    told = [d, scores[first], d, scores[first] / math.sqrt(d)]
    assert_allclose(numbers(drawn["walk"]["note"])[:4], told, rtol=5e-3)
    assert f"'{word}'" in drawn["walk"]["note"]
    assert f"'{word}'" in drawn["softmax_row"]["note"]
    # The name of the word stands at the end of its walk.
    [named] = [one["said"] for one in drawn["walk"]["chart"]["series"] if one.get("said", {}).get("text") == word]
    assert (named["x"], named["y"]) == (d, pytest.approx(scores[first], rel=1e-4, abs=1e-4))


@pytest.mark.parametrize("link", [{}, {"lab_seed": 3}, {"lab_seed": 5, "sigma_k": 2.0}], ids=str)
def test_under_the_slider_the_axes_stand_still_and_names_stand_beside_their_lines(link):
    """The axis had jumped from ±8 to ±40, and words had floated over other lines."""
    drawn = [charts(opened(d=d, **link))["walk"] for d in (1, 8, 16, 64, 256)]
    for part in ("x", "y"):
        assert len({str(one["chart"][part]) for one in drawn}) == 1
    for each in drawn:
        _, divided, edge = (one["said"] for one in each["chart"]["series"] if "said" in one)
        # Each name stands beside the end of its own line: the word for divided walks, and the edge of the usual range.
        assert all(one["beside"] and one["x"] == common.NEAR for one in (divided, edge))
        lab = Laboratory(**link)
        # The label gives the spread of the divided scores: the square root of the variance of one product.
        spread = math.sqrt(lab.pairs.variance(1))
        assert divided["text"] == say("lab.walk.by_root", spread=digits(spread))
        ends = row.walks(lab)[common.NEAR] / math.sqrt(common.NEAR)
        assert divided["y"] == pytest.approx(ends.mean(), rel=1e-4, abs=1e-4)
        usual = each["series"][say("lab.walk.usual")]
        assert edge["y"] == pytest.approx(-abs(usual["y"][-1]), rel=1e-4)


@pytest.mark.parametrize("d", [1, 64, 256])
def test_what_is_to_come_goes_on_where_the_walks_stand(d):
    """At few products, the chart would be empty, since its axes have room for all of them."""
    drawn = charts(opened(d=d))["walk"]["series"]
    lab = Laboratory()
    further, divided = (drawn[say(f"lab.walk.{name}")] for name in ("further", "further_divided"))
    walks = row.walks(lab)[d:]
    gaps = np.flatnonzero(np.isnan(further["y"]))
    assert len(gaps) == len(row.WORDS)
    assert_allclose(np.delete(further["y"], gaps), walks.T.flatten(), rtol=1e-4, atol=1e-4)
    assert_allclose(np.delete(further["x"], gaps), np.tile(np.arange(d, common.NEAR + 1), len(row.WORDS)))
    # Divided walks have fewer points, including both ends.
    gaps = np.flatnonzero(np.isnan(divided["y"]))
    assert len(gaps) == len(row.WORDS)
    steps, heights = np.delete(divided["x"], gaps), np.delete(divided["y"], gaps)
    assert {steps[0], steps[-1]} == {d, common.NEAR}
    each = np.repeat(np.arange(len(row.WORDS)), len(steps) // len(row.WORDS))
    assert_allclose(heights * np.sqrt(steps), row.walks(lab)[steps.astype(int), each], rtol=1e-4, atol=1e-4)


def test_axes_stay_as_far_as_the_slider_goes_and_hold_what_a_link_asks_for():
    few, many, linked = (charts(opened(d=d)) for d in (16, 256, 4096))
    for figure in ("softmax_row", "shares"):
        for axis in ("x", "y"):
            assert few[figure]["chart"][axis]["range"] == many[figure]["chart"][axis]["range"]
        assert few["softmax_row"]["chart"]["x"]["names"] == EXAMPLE.split()
    for drawn, last in ((few, 256), (many, 256), (linked, 4096)):
        low, high = drawn["walk"]["chart"]["y"]["range"]
        walks = [one["y"] for name, one in drawn["walk"]["series"].items() if name != say("lab.walk.usual")]
        assert np.nanmax(np.abs(np.concatenate(walks))) <= high == -low
        assert drawn["walk"]["series"][say("lab.walk.usual")]["x"].max() == last
        assert drawn["variance"]["chart"]["x"]["range"][1] >= last
        raw = drawn["histogram"]["series"][RAW]
        low, high = drawn["histogram"]["chart"]["x"]["range"]
        # The axis shows all but the far tails.
        assert raw["y"][(low < raw["x"]) & (raw["x"] < high)].sum() > 0.97 * raw["y"].sum()


@pytest.mark.parametrize("d", [2, 64, 256])
def test_the_told_walk_stands_beside_itself_divided(d):
    """The chart showed the problem, but the remedy was only a number below it."""
    drawn = charts(opened(d=d))
    lab = Laboratory(d=str(d))
    word = row.WORDS[row.first(lab)]
    walked = drawn["walk"]["series"][say("lab.walk.one", word=word)]
    divided = drawn["walk"]["series"][say("lab.walk.divided", word=word)]
    assert_allclose(divided["y"] * np.sqrt(divided["x"]), walked["y"][1:], rtol=1e-4, atol=1e-5)
    assert divided["x"][-1] == d
    raw, scaled = numbers(drawn["walk"]["note"])[1], numbers(drawn["walk"]["note"])[3]
    assert (walked["y"][-1], divided["y"][-1]) == (pytest.approx(raw, rel=5e-3), pytest.approx(scaled, rel=5e-3))


@pytest.mark.parametrize(("link", "factor"), [({}, 1.0), ({"sigma_q": 2.0, "mu_k": 1.0}, math.sqrt(8))])
def test_the_edges_of_the_walks_are_those_of_the_theory(link, factor):
    shown = charts(opened(d=64, **link))["walk"]
    edge = shown["series"][say("lab.walk.usual")]
    assert (edge["x"][0], edge["x"][-1]) == (0, common.NEAR)
    assert_allclose(np.abs(edge["y"]), factor * np.sqrt(edge["x"]), rtol=1e-4)
    # Where the root is steep, its points are close together, so that it is nearly straight between two of them.
    between = np.sqrt((edge["x"][1:] + edge["x"][:-1]) / 2)
    assert_allclose(np.abs(edge["y"][1:] + edge["y"][:-1]) / 2, factor * between, atol=0.3 * factor)


def test_what_the_broken_lines_are_is_said_of_a_mean_too():
    """A mean of queries and keys moves the middle away from 0, and the edges with it."""
    notes = {mu: charts(opened(mu_q=mu, mu_k=mu))["walk"] for mu in (0.0, 1.0)}
    assert say("lab.walk.edge", root="√dₖ") in notes[0.0]["note"]
    assert say("lab.walk.edge_from_mean", root="1.73 · √dₖ") in notes[1.0]["note"]
    # With a mean, the edge stands among other lines, and has no name.
    assert [len([one for one in each["chart"]["series"] if "said" in one]) for each in notes.values()] == [3, 2]


@pytest.mark.slow
def test_many_walks_spread_as_the_edges_say():
    ends = np.concatenate([row.walks(Laboratory(d="256", lab_seed=seed))[-1] for seed in range(40)])
    assert ends.std() == pytest.approx(math.sqrt(common.NEAR), rel=0.12)


def test_the_spread_of_many_scores_is_the_root_of_the_variance_beside():
    drawn = charts(opened(d=64))
    d, variance = numbers(drawn["variance"]["note"])
    told = numbers(drawn["histogram"]["note"])
    root = math.sqrt(variance)
    assert d == 64
    assert told == pytest.approx([4, 96, 64, root, 64, root / 8], rel=5e-3)
