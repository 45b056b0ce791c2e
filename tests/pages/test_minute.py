"""The page on scaling begins with one slider over three figures; drawers below it compute when they are opened."""

import pytest
import torch
from numpy.testing import assert_allclose

from attention.experiments.dot_products import Pairs
from attention.experiments.softmax_row import ranked_weights, softmax_row
from pages.shell.i18n import say
from pages.shell.runs.results import results
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import answered
from pages.shell.views.scaling import common, minute, row, rows, variance
from tests.support import seeded
from tests.support.app import app, charts, no_exception, seen, widget
from tests.support.lab import HEADINGS, RAW, SCALED, numbers

MINUTE = {"walk", "shares", "variance"}
ONE_ROW = {"histogram", "softmax_row"}


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
    # The share of the other words is the point of the division.
    told = numbers(drawn["note"])
    assert told[0] == d
    assert f"'{row.WORDS[first - 1]}'" in drawn["note"]
    assert told[1:3] == pytest.approx([100 * weight, 100 * (1 - scaled)], abs=0.6)


def ranked(**link):
    pairs = Pairs(sigma_q=link.get("sigma_q", 1.0))
    scales = ("none", "sqrt_d_k")
    seed = seeded(link.get("lab_seed", 0))
    return ranked_weights(pairs, common.D_KS, len(row.WORDS), rows.ROWS, generator=seed, scales=scales)


def training(d: int) -> dict:
    """The first screen's text about training, with its bars."""
    found = answered("scaling", ["scaling.variance"], {"d": str(d)}, "en")["views"]["scaling.variance"]
    return found["blocks"][1]


def law(**link) -> str:
    """The text below the slider."""
    [line] = minute.conclusion.blocks(Screen("scaling", {name: str(one) for name, one in link.items()}))
    return line["markdown"]


@pytest.mark.parametrize("link", [{}, {"lab_seed": 7, "sigma_q": 2.0}], ids=str)
@pytest.mark.parametrize("d", [1, 64])
def test_the_shares_are_the_means_of_the_experiment_and_the_sentence_says_the_first(d, link):
    """One row shows chance, so the lesson uses the mean."""
    table = ranked(**link)
    drawn = charts(app("scaling", d=d, **link))["shares"]
    first = {}
    for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
        here = table[(table["scale"] == scale) & (table["d_k"] == d)]
        assert_allclose(drawn["series"][name]["x"], range(1, len(row.WORDS) + 1))
        assert_allclose(drawn["series"][name]["y"], here["weight"], rtol=1e-5)
        first[scale] = 100 * here["weight"].iloc[0]
    assert numbers(drawn["note"]) == pytest.approx([d, first["none"], first["sqrt_d_k"]], abs=0.6)
    # Further down, the page tells the number of draws, and the range of the share over all d_k.
    near = table[(table["scale"] == "sqrt_d_k") & (table["place"] == 1) & (table["d_k"] <= common.NEAR)]
    low, high = 100 * near["weight"].min(), 100 * near["weight"].max()
    counts, _ = variance.bars.blocks(Screen("scaling", {name: str(one) for name, one in ({"d": d} | link).items()}))
    told = [4096, rows.ROWS, len(row.WORDS), low, high, common.NEAR]
    assert numbers(counts["markdown"].replace(",", "")) == pytest.approx(told, abs=0.6)
    # The picture gives the same numbers, always in one place.
    said = [one["said"] for one in drawn["chart"]["series"]]
    assert [numbers(one["text"])[0] for one in said] == pytest.approx([*first.values()], abs=0.6)
    other = charts(app("scaling", d=256, **link))["shares"]["chart"]["series"]
    assert [(one["x"], one["y"]) for one in said] == [(one["said"]["x"], one["said"]["y"]) for one in other]


def test_under_the_finger_the_first_share_grows_and_divided_it_hardly_moves():
    """The picture answers the question above the slider."""
    first = {name: [] for name in (RAW, SCALED)}
    for d in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        series = charts(app("scaling", d=d))["shares"]["series"]
        for name, found in first.items():
            found.append(series[name]["y"][0])
    assert first[RAW] == sorted(first[RAW])
    assert first[RAW][0] < 0.3 < 0.9 < first[RAW][-1]
    assert max(first[SCALED]) - min(first[SCALED]) < 0.06


@pytest.mark.parametrize("link", [{}, {"sigma_q": 2.0}, {"mu_k": 1.0, "sigma_k": 0.5}], ids=str)
def test_below_the_slider_the_root_is_derived_in_numbers_that_are_those_of_draws(link):
    """No text had said why it is the root."""
    generator = seeded()
    for d in (2, 64, 256):
        q, k = (torch.randn(20_000, d, generator=generator, dtype=torch.float64) for _ in "qk")
        q, k = q * link.get("sigma_q", 1), k * link.get("sigma_k", 1) + link.get("mu_k", 0)
        # The numbers are those of products, of scores, and of scores divided by the root.
        each, scores = (q * k).var().item(), (q * k).sum(-1).std().item()
        told = [d, each, scores**2, scores**2, scores, d, scores / d**0.5]
        assert numbers(law(d=d, **link)) == pytest.approx(told, rel=0.06)
    assert law(d=64) == (
        "64 products of variance 1 add up to variance 64, so scores spread by √64 = 8. "
        "**Divided by √64, they spread by 1 again.**"
    )
    assert law(d=1).startswith("One product has variance 1,")


def test_what_training_loses_is_counted_in_the_rows_of_the_picture_above_and_drawn():
    """The two numbers had stood at the end of two lines of text."""
    app("scaling")
    table = ranked()
    for d in (1, 64, 256):
        here = table[(table["d_k"] == d) & (table["place"] == 1)].set_index("scale")["frozen"]
        told = training(d)
        assert told["kind"] == "counted"
        assert (numbers(told["html"]), numbers(told["said"]["html"])) == ([99], [d])
        assert [bar["html"] for bar in told["bars"]] == [RAW, SCALED]
        for bar, scale in zip(told["bars"], ("none", "sqrt_d_k"), strict=True):
            assert bar["share"] == pytest.approx(here[scale])
            assert numbers(bar["written"]) == pytest.approx([100 * here[scale]], abs=0.6)
            assert bar["colour"] == common.COLOURS[scale]
    # The bar for d_k appears once its question has been answered.
    link = {"d": "64", "guess": "root.more"}
    bars = answered("scaling", ["scaling.variance"], link, "en")["views"]["scaling.variance"]["blocks"][1]["bars"]
    assert [(bar["colour"], bar["share"]) for bar in bars][-1] == (common.COLOURS["d_k"], 0)
    # The loss is large, and grows with the slider.
    shares = [training(d)["bars"][0]["share"] for d in (1, 64, 256)]
    assert shares[0] == 0 < 0.3 < shares[1] < shares[2]


def test_the_die_draws_everything_anew_as_the_next_seed_does():
    at = app("scaling")
    first = charts(at)
    assert no_exception(next(one for one in at.button if one.label == say("lab.rows.again")).click().run())
    again = charts(at)
    assert all(first[one]["stamp"] != again[one]["stamp"] for one in MINUTE | ONE_ROW)
    assert widget(at, "lab_seed").value == 1
    following = charts(app("scaling", lab_seed=1))
    assert {one: again[one]["stamp"] for one in MINUTE | ONE_ROW} == {
        one: following[one]["stamp"] for one in MINUTE | ONE_ROW
    }


def test_after_the_last_seed_the_die_begins_anew():
    at = app("scaling", lab_seed=9999)
    assert no_exception(next(one for one in at.button if one.label == say("lab.rows.again")).click().run())
    assert widget(at, "lab_seed").value == 0


def test_the_figures_wait_for_their_draw_and_then_follow_d_k_without_another(monkeypatch):
    """A drag asks for each d_k, and the page does not run between two answers."""

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
    for log_axes, guess in ((False, "root.less"), (True, "")):
        drawn = [charts(app("scaling", d=d, log_axes=log_axes, guess=guess)) for d in (1, 64, 256)]
        for figure in MINUTE | ONE_ROW:
            axes = [(one[figure]["chart"]["x"], one[figure]["chart"]["y"]) for one in drawn]
            assert axes[0] == axes[1] == axes[2]
            # An axis without a range would follow the drawn points.
            assert all("range" in axis for axis in axes[0])
        grown = drawn[0]["variance"]["chart"]
        assert grown["x"]["log"] == grown["y"]["log"] == log_axes
    grown = charts(app("scaling"))["variance"]["chart"]
    # The text stands at a point of the line. By theory the variance is d_k, and 1 after the division.
    raw, scaled = (one["said"] for one in grown["series"] if "said" in one)
    assert (raw["x"], raw["text"]) == (raw["y"], "linear: variance = dₖ")
    assert (scaled["y"], scaled["text"]) == (pytest.approx(1), "divided by √dₖ: variance = 1")
    # Entries with twice the spread give four times the variance.
    wider = charts(app("scaling", sigma_q=2.0))["variance"]["chart"]["series"][0]["said"]
    assert (wider["y"] / wider["x"], wider["text"]) == (4, "linear: variance = 4 · dₖ")


@pytest.mark.parametrize(
    ("link", "last"),
    [({}, 256), ({"d": 512}, 512), ({"log_axes": True}, 256), ({"log_axes": True, "d": 512}, 512)],
    ids=str,
)
def test_axes_end_where_the_slider_does(link, last):
    chart = charts(app("scaling", **link))["variance"]["chart"]
    assert chart["x"]["range"][1] == pytest.approx(last, rel=0.3)


@pytest.mark.slow
def test_results_that_were_forgotten_are_computed_again():
    """Other visitors may have displaced the result: the page has its figures again after the next move of a control."""
    at = app("scaling", lab_seed=4713)
    first = charts(at)["variance"]["stamp"]
    results("tables").keep(("sweep", Pairs(), Laboratory().samples, 4713), None)
    assert "variance" not in charts(at)
    assert no_exception(at.run())
    assert charts(at)["variance"]["stamp"] == first


def test_the_first_screen_has_the_walks_the_shares_and_the_variance_and_the_drawer_many_scores_and_one_row():
    """The walks show why the variance is d_k: each product is one more random step. They had stood in a drawer."""
    found = answered("scaling", ["scaling.variance", "scaling.one_row"], {}, "en")["views"]
    ids = {name: [card["id"] for card in one["blocks"][0]["cards"]] for name, one in found.items()}
    assert ids == {"scaling.variance": ["walk", "shares", "variance"], "scaling.one_row": ["histogram", "softmax_row"]}
    drawn = charts(app("scaling"))["softmax_row"]
    # The names stand above all bars, so that none moves when another word takes the most.
    said = [one["said"] for one in drawn["chart"]["series"]]
    assert all(1 < one["y"] < drawn["chart"]["y"]["range"][1] for one in said)
    other = charts(app("scaling", d=1))["softmax_row"]
    assert [one["said"] for one in other["chart"]["series"]] == said


def test_closed_headings_draw_no_figure_and_all_controls():
    at = app("scaling")
    assert set(charts(at)) == MINUTE | ONE_ROW
    assert not open_headings(at)
    assert set(Laboratory.knobs()) <= seen(at)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ({"d": 256}, set()),
        # A die on the page sets this seed.
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
