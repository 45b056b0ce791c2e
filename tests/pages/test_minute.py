"""The page on scaling begins with one slider over three figures; what stands below computes when it is opened."""

import pytest
from numpy.testing import assert_allclose

from attention.experiments.dot_products import Pairs
from attention.experiments.softmax_row import largest_weights, softmax_row
from pages.shell.i18n import say
from pages.shell.runs.results import results
from pages.shell.state.opens_with import OPENS_WITH
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import answered
from pages.shell.views.scaling import common, row, rows
from tests.support import seeded
from tests.support.app import app, charts, no_exception, seen, widget
from tests.support.lab import HEADINGS, RAW, SCALED, numbers

MINUTE = {"walk", "softmax_row", "rows", "variance", "histogram"}


def open_headings(at) -> set[str]:
    return {name for name in HEADINGS if at.session_state[f"open-{name}"]}


@pytest.mark.parametrize("d", [1, 64, 4096])
def test_the_row_is_the_experiment_and_its_caption_the_largest_weights(d):
    table = softmax_row(Pairs(), common.D_KS, len(row.WORDS), generator=seeded(), scales=("none", "sqrt_d_k"))
    drawn, here = charts(app("scaling", d=d))["softmax_row"], table[table["d_k"] == d].set_index("scale")
    for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
        assert_allclose(drawn["series"][name]["y"], here.loc[scale]["weight"], rtol=1e-5, atol=1e-30)
    first = here.loc["none"].set_index("key")["weight"].idxmax()
    weight, scaled = (here.loc[one].set_index("key")["weight"][first] for one in ("none", "sqrt_d_k"))
    # What the other words have is what matters of the division.
    told = numbers(drawn["note"])
    assert told[0] == d
    assert f"'{row.WORDS[first - 1]}'" in drawn["note"]
    assert told[1:3] == pytest.approx([100 * weight, 100 * (1 - scaled)], abs=0.6)


@pytest.mark.parametrize("link", [{}, {"lab_seed": 7, "sigma_q": 2.0}], ids=str)
@pytest.mark.parametrize("d", [1, 64])
def test_many_rows_are_the_experiment_as_far_as_the_slider_has_come_and_their_sentence_its_means(d, link):
    """What one row shows is chance: the lesson stands on the mean."""
    pairs = Pairs(sigma_q=link.get("sigma_q", 1.0))
    table = largest_weights(
        pairs, common.D_KS, len(row.WORDS), generator=seeded(link.get("lab_seed", 0)), scales=("none", "sqrt_d_k")
    )
    drawn, told = charts(app("scaling", d=d, **link))["rows"], []
    for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
        here = table[(table["scale"] == scale) & (table["d_k"] <= d)]
        assert_allclose(drawn["series"][name]["x"], here["d_k"])
        assert_allclose(drawn["series"][name]["y"], here["largest"], rtol=1e-5)
        told.append(100 * here["largest"].iloc[-1])
    # What a row is stands before its numbers.
    raw, scaled = told
    told = [len(row.WORDS), d, raw, rows.ROWS, scaled]
    assert numbers(drawn["note"]) == pytest.approx(told, abs=0.6)
    assert drawn["chart"]["marks"] == [{"x": d, "text": f"d_k = {d}"}]


def test_the_die_draws_everything_anew_as_the_next_seed_does():
    at = app("scaling")
    first = charts(at)
    assert no_exception(next(one for one in at.button if one.label == say("lab.rows.again")).click().run())
    again = charts(at)
    assert all(first[one]["stamp"] != again[one]["stamp"] for one in MINUTE)
    following = int(OPENS_WITH["scaling"]["lab_seed"]) + 1
    assert widget(at, "lab_seed").value == following
    assert {one: again[one]["stamp"] for one in MINUTE} == {
        one: charts(app("scaling", lab_seed=following))[one]["stamp"] for one in MINUTE
    }


def test_after_the_last_seed_the_die_begins_anew():
    at = app("scaling", lab_seed=9999)
    assert no_exception(next(one for one in at.button if one.label == say("lab.rows.again")).click().run())
    assert widget(at, "lab_seed").value == 0


def test_the_figures_wait_for_their_draw_and_then_follow_d_k_without_another(monkeypatch):
    """As under a finger: the browser asks for each d_k, and no run of the page is between two answers."""

    def asked(d: int) -> dict:
        return answered("scaling", ["scaling.variance"], {"lab_seed": "4711", "d": str(d)}, "en")["views"][
            "scaling.variance"
        ]

    assert asked(64) == {"pending": True}
    assert no_exception(app("scaling", lab_seed=4711))
    asked(64)
    monkeypatch.setattr(common, "generator", lambda seed: pytest.fail("drawn again"))
    answers = [asked(d) for d in common.D_KS]
    cards = [{card["id"]: card for card in answer["blocks"][0]["cards"]} for answer in answers]
    marks = [each["variance"]["chart"]["marks"][0]["x"] for each in cards]
    assert marks == list(common.D_KS)
    assert len({answer["stamp"] for answer in answers}) == len(common.D_KS)


def test_axes_stay_under_the_slider_and_the_line_says_what_it_is():
    for log_axes, guess in ((False, "factor.four"), (True, "")):
        drawn = [charts(app("scaling", d=d, log_axes=log_axes, guess=guess)) for d in (1, 64, 256)]
        for figure in MINUTE:
            axes = [(one[figure]["chart"]["x"], one[figure]["chart"]["y"]) for one in drawn]
            assert axes[0] == axes[1] == axes[2]
            # Other axes than those that are drawn would follow what is drawn.
            assert all("range" in axis for axis in axes[0])
        variance = drawn[0]["variance"]["chart"]
        assert variance["x"]["log"] == variance["y"]["log"] == log_axes
    variance = charts(app("scaling", guess="factor.four"))["variance"]["chart"]
    # A point of the line has the words; theory: variance d_k, and 1 after the division.
    raw, scaled = (one["said"] for one in variance["series"] if "said" in one)
    assert (raw["x"], raw["text"]) == (raw["y"], "linear: variance = d_k")
    assert (scaled["y"], scaled["text"]) == (pytest.approx(1), "divided by √d_k: variance = 1")
    # Entries that spread twice as far: four times the variance.
    wider = charts(app("scaling", sigma_q=2.0))["variance"]["chart"]["series"][0]["said"]
    assert (wider["y"] / wider["x"], wider["text"]) == (4, "linear: variance = 4 · d_k")


@pytest.mark.parametrize(
    ("link", "last"),
    [({}, 256), ({"d": 512}, 512), ({"log_axes": True}, 256), ({"log_axes": True, "d": 512}, 512)],
    ids=str,
)
def test_axes_end_where_the_slider_does_and_the_answers_stand_on_either(link, last):
    """Beyond the d_k of the question the line itself is the answer."""
    chart = charts(app("scaling", **link))["variance"]["chart"]
    assert chart["x"]["range"][1] == pytest.approx(last, rel=0.3)
    low, high = chart["y"]["range"]
    ghosts = chart.get("ghosts", [])
    assert [ghost["x"] for ghost in ghosts] == [256] * 3 * (last == 256)
    assert all(low < ghost["y"] < high for ghost in ghosts)


def test_results_that_were_forgotten_are_computed_again():
    """Others may have asked for many since: the page has its figures after the next move of any control."""
    at = app("scaling", lab_seed=4713)
    first = charts(at)["variance"]["stamp"]
    results("tables").keep(("sweep", Pairs(), Laboratory().samples, 4713), None)
    assert "variance" not in charts(at)
    assert no_exception(at.run())
    assert charts(at)["variance"]["stamp"] == first


def test_the_first_screen_has_the_walks_the_variance_and_the_share_of_each_word_and_the_drawer_the_average():
    """That one word takes nearly all of the weight was never seen: what stood there was an average over many rows."""
    found = answered("scaling", ["scaling.variance", "scaling.weighed"], {}, "en")["views"]
    ids = {name: [card["id"] for card in one["blocks"][0]["cards"]] for name, one in found.items()}
    assert ids == {"scaling.variance": ["walk", "variance", "softmax_row"], "scaling.weighed": ["rows", "histogram"]}
    drawn = charts(app("scaling"))["softmax_row"]
    # Named above all bars, so that no name moves when another word takes the most.
    said = [one["said"] for one in drawn["chart"]["series"]]
    assert all(1 < one["y"] < drawn["chart"]["y"]["range"][1] for one in said)
    other = charts(app("scaling", d=1))["softmax_row"]
    assert [one["said"] for one in other["chart"]["series"]] == said


def test_closed_headings_draw_no_figure_and_all_controls():
    at = app("scaling")
    assert set(charts(at)) == MINUTE
    assert not open_headings(at)
    assert set(Laboratory.knobs()) <= seen(at)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ({"d": 256}, set()),
        # The die of the first screen sets it.
        ({"lab_seed": 3}, set()),
        ({"sigma_q": 2.0}, {"variance"}),
        ({"keys": 64}, {"saturation"}),
        ({"gradient_d": 64}, {"gradients"}),
        ({"layer_heads": 4, "mistake": "d_k"}, ("starts", "mistakes")),
        ({"lecture": "sqrt_d_k", "stop": 1}, set()),
        ({"lecture": "sqrt_d_k", "stop": 2}, {"variance"}),
        ({"lecture": "sqrt_d_k", "stop": 5}, {"gradients"}),
    ],
    ids=str,
)
def test_a_link_opens_the_headings_of_the_controls_and_figures_that_it_names(link, expected):
    at = app("scaling", **link)
    assert no_exception(at)
    assert open_headings(at) == set(expected)


def test_the_next_stop_of_a_lecture_opens_its_heading_and_leaves_the_others():
    at = app("scaling", lecture="sqrt_d_k", stop=3)
    assert open_headings(at) == {"saturation"}
    assert no_exception(widget(at, "stop").set_value(5).run())
    assert open_headings(at) == {"saturation", "gradients"}


def test_what_somebody_opened_or_closed_stays_so():
    at = app("scaling", keys=64)
    at.session_state["open-saturation"], at.session_state["open-gradients"] = False, True
    assert no_exception(widget(at, "keys").set_value("32").run().run())
    assert open_headings(at) == {"gradients"}
    assert {"sorted", "energy", "w_q_gradient"} <= set(charts(at))
