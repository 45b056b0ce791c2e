"""The first pictures of the page on scaling: scores on their way, and the softmax of what they come to."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention.experiments.softmax_row import row_scores
from attention.inputs.grammar import EXAMPLE
from pages.shell.i18n import say
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common, minute, row, walk
from tests.support.app import charts
from tests.support.lab import RAW, SCALED, numbers, opened_at

# Of the page, the part that these tests read.
opened = partial(opened_at, "variance")


@pytest.mark.parametrize("link", [{}, {"lab_seed": 3}, {"sigma_q": 2.0, "mu_k": 1.0, "correlation": 0.5}], ids=str)
@pytest.mark.parametrize("d", [4, 256, 4096])
def test_each_walk_ends_at_the_score_of_its_word_and_the_highest_one_is_bold(d, link):
    drawn = charts(opened(d=d, **link))
    lab = Laboratory(**link)
    scores = row_scores(row.independent(lab), [d], len(row.WORDS), generator=common.generator(lab.lab_seed))
    scores = scores[0].double().numpy()
    first = int(scores.argmax())
    word = EXAMPLE.split()[first]
    # What softmax makes of them stands beside the walks.
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
    # No line leads from one walk back to the next.
    assert len(gaps) == walk.OTHERS == (np.diff(others["x"]) < 0).sum() + 1
    # Each of the three, and the number below the root.
    told = [d, scores[first], d, scores[first] / math.sqrt(d)]
    assert_allclose(numbers(drawn["walk"]["note"])[:4], told, rtol=5e-3)
    for figure in ("walk", "softmax_row"):
        assert f"'{word}'" in drawn[figure]["note"]


def test_axes_stay_as_far_as_the_slider_goes_and_hold_what_a_link_asks_for():
    few, many, linked = (charts(opened(d=d)) for d in (16, 256, 4096))
    for figure in ("softmax_row", "rows"):
        for axis in ("x", "y"):
            assert few[figure]["chart"][axis]["range"] == many[figure]["chart"][axis]["range"]
        assert few["softmax_row"]["chart"]["x"]["names"] == EXAMPLE.split()
    for drawn, last, nearest in ((few, 256, 16), (many, 256, 256), (linked, 4096, 4096)):
        low, high = drawn["walk"]["chart"]["y"]["range"]
        walks = [one["y"] for name, one in drawn["walk"]["series"].items() if name != say("lab.walk.usual")]
        assert np.nanmax(np.abs(np.concatenate(walks))) <= high == -low
        assert drawn["walk"]["series"][say("lab.walk.usual")]["x"].max() == nearest
        assert drawn["walk"]["chart"]["x"]["title"] == say("lab.walk.products", last=f"{nearest:,}")
        assert drawn["variance"]["chart"]["x"]["range"][1] >= last
        raw = drawn["histogram"]["series"][RAW]["x"]
        low, high = drawn["histogram"]["chart"]["x"]["range"]
        assert low <= raw.min() < raw.max() <= high


def test_the_axes_of_walks_change_in_one_step_while_d_k_is_dragged():
    """Few products were crushed at the edge of an axis for all of them; axes that follow each d_k would jump."""
    ranges = [charts(opened(d=d))["walk"]["chart"] for d in (1, 8, 16, 32, 128)]
    for axis in ("x", "y"):
        one, *same = (each[axis]["range"] for each in ranges[:3])
        other, *alike = (each[axis]["range"] for each in ranges[3:])
        assert same == [one, one]
        assert alike == [other]
        assert one != other
    assert ranges[2]["x"]["range"][1] < 17


def test_many_rows_have_the_d_k_of_the_slider_at_equal_steps():
    axis = charts(opened(d=64))["rows"]["chart"]["x"]
    assert axis["log"]
    assert axis["ticks"] == [1, 4, 16, 64, 256]


@pytest.mark.parametrize("d", [2, 64, 256])
def test_the_told_walk_stands_beside_itself_divided(d):
    """The remedy was a number below the chart alone."""
    drawn = charts(opened(d=d))
    lab = Laboratory(d=str(d))
    word = row.WORDS[row.first(lab)]
    walked = drawn["walk"]["series"][say("lab.walk.one", word=word)]
    divided = drawn["walk"]["series"][say("lab.walk.divided", word=word)]
    assert_allclose(divided["y"] * np.sqrt(divided["x"]), walked["y"][1:], rtol=1e-4, atol=1e-5)
    assert divided["x"][-1] == d
    raw, scaled = numbers(drawn["walk"]["note"])[1], numbers(drawn["walk"]["note"])[3]
    assert (walked["y"][-1], divided["y"][-1]) == (pytest.approx(raw, rel=5e-3), pytest.approx(scaled, rel=5e-3))


def test_that_no_gradient_passes_is_said_where_one_word_has_nearly_everything():
    notes = {d: charts(opened(d=d))["softmax_row"] for d in (1, 64)}
    for drawn in notes.values():
        is_frozen = drawn["series"][RAW]["y"].max() >= minute.FROZEN
        assert (say("lab.minute.frozen") in drawn["note"]) == is_frozen
    assert say("lab.minute.frozen") in notes[64]["note"]
    assert say("lab.minute.frozen") not in notes[1]["note"]


@pytest.mark.parametrize(("link", "factor"), [({}, 1.0), ({"sigma_q": 2.0, "mu_k": 1.0}, math.sqrt(8))])
def test_the_edges_of_the_walks_are_those_of_the_theory(link, factor):
    shown = charts(opened(d=64, **link))["walk"]
    edge = shown["series"][say("lab.walk.usual")]
    assert_allclose(np.abs(edge["y"]), factor * np.sqrt(np.arange(common.NEAR + 1)), rtol=1e-4)
    few = charts(opened(d=4, **link))["walk"]["series"][say("lab.walk.usual")]
    assert_allclose(np.abs(few["y"]), factor * np.sqrt(np.arange(common.NEARER + 1)), rtol=1e-4)


def test_many_walks_spread_as_the_edges_say():
    ends = np.concatenate([row.walks(Laboratory(d="256", lab_seed=seed))[-1] for seed in range(40)])
    assert ends.std() == pytest.approx(math.sqrt(common.NEAR), rel=0.12)


def test_the_spread_of_many_scores_is_the_root_of_the_variance_beside():
    drawn = charts(opened(d=64))
    count, d, variance = numbers(drawn["variance"]["note"].replace("4,096", "4096"))
    told = numbers(drawn["histogram"]["note"].replace("4,096", "4096"))
    assert (count, d) == (4096, 64)
    assert told == pytest.approx([4096, 64, math.sqrt(variance), variance], rel=5e-3)
