"""The spread of a dot product on its page: the package's tables, the formula, and captions true of the figures."""

import re
from functools import partial

import pytest
from numpy.testing import assert_allclose

from attention.experiments.distributions import DISTRIBUTIONS
from attention.experiments.dot_products import Pairs
from attention.experiments.softmax_row import ranked_weights
from attention.experiments.variance import histograms, sweep, variances
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import guess
from pages.shell.views.scaling import common, row, rows, spread, theory, variance
from tests.support import seeded
from tests.support.app import charts
from tests.support.covering import EVERY_TEST, some
from tests.support.lab import RAW, SCALED, numbers, opened_at, said

# The part of the page that these tests read.
opened = partial(opened_at, "variance")
# The charts of the first minute.
FIRST = ("histogram", "shares", "variance")


@pytest.mark.parametrize("link", [{}, {"distribution": "laplace", "sigma_q": 0.5, "mu_k": 1.0, "lab_seed": 3}], ids=str)
def test_the_dots_are_the_variances_of_the_package(link):
    lab = Laboratory(**link)
    table = variances(sweep(lab.pairs, common.D_KS, 4096, generator=seeded(lab.lab_seed)))
    drawn = charts(opened(**link))["variance"]["series"]
    for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
        rows = table[table["scale"] == scale]
        assert_allclose(drawn[name]["x"], rows["d_k"])
        assert_allclose(drawn[name]["y"], rows["variance"], rtol=1e-5)
        assert_allclose(drawn[name]["high"] - drawn[name]["y"], 2 * rows["variance_error"], rtol=1e-3)
        assert_allclose(drawn[say("lab.variance.theory", scale=name)]["y"], rows["variance_theory"], rtol=1e-5)


def is_cold(drawn) -> bool:
    """Whether a chart shows scores that are divided by d_k itself."""
    return any(say("lab.scale.d_k") in one["name"] for one in drawn["chart"]["series"])


def test_divided_by_d_k_the_hill_and_the_variance_are_those_of_the_same_scores():
    """The colour of this way stood in only one of the three charts."""
    found = charts(opened(d=16, guess="root.more"))
    raw, cold = (found["histogram"]["series"][name] for name in (RAW, say("lab.scale.d_k")))
    assert_allclose(raw["x"] / 16, cold["x"], rtol=1e-5, atol=1e-6)
    assert_allclose(raw["y"], cold["y"], rtol=1e-6)
    _, _, spread, _, _, by, least = numbers(found["histogram"]["note"].replace(",", ""))
    assert (by, least) == (16, pytest.approx(spread / 16, rel=0.01))
    line = found["variance"]["series"][say("lab.variance.theory", scale=say("lab.scale.d_k"))]
    assert_allclose(line["y"], 1 / line["x"], rtol=1e-5)
    [said] = [
        one["said"]["text"] for one in found["variance"]["chart"]["series"] if is_cold({"chart": {"series": [one]}})
    ]
    assert said == say("lab.variance.line.cold", factor="1")


@pytest.mark.parametrize("link", [{}, {"mu_q": 1.0, "mu_k": -0.5}], ids=str)
def test_one_standard_deviation_is_marked_at_the_hill_that_it_belongs_to(link):
    drawn = charts(opened(d=64, **link))["histogram"]
    hill = drawn["series"][RAW]
    middle = float((hill["x"] * hill["y"]).sum() / hill["y"].sum())
    [mark] = drawn["chart"]["marks"]
    assert mark["x"] - middle == pytest.approx(numbers(drawn["note"].replace(",", ""))[2], rel=0.05)


def test_no_drag_tells_what_is_asked_and_a_guess_draws_it():
    """The drag that the page asks for drew the answer, so a visitor who followed it had nothing to guess."""
    for d in (1, 64, 256):
        assert not any(is_cold(charts(opened(d=d))[one]) for one in FIRST)
        asked = charts(opened(d=d))["shares"]
        assert [*asked["series"]] == [RAW, SCALED]
        assert say("lab.scale.d_k") not in asked["note"]
        [line] = guess.of("root").blocks(Screen("scaling", {"d": str(d)}))
        assert (line["kind"], len(line["answers"])) == ("guess", 3)
    for answer, verdict in (("more", "wrong"), ("same", "wrong"), ("less", "right")):
        guessed = {"guess": f"root.{answer}"}
        drawn = charts(opened(**guessed))["shares"]
        # The third way stands beside the share that it approaches.
        alike = say("lab.rows.alike", share="9%")
        assert [*drawn["series"]] == [RAW, SCALED, say("lab.scale.d_k"), alike]
        assert_allclose(drawn["series"][alike]["y"], 1 / len(row.WORDS), rtol=1e-6)
        assert all(is_cold(charts(opened(**guessed))[one]) for one in FIRST)
        [line] = guess.of("root").blocks(Screen("scaling", guessed))
        assert line["told"]["markdown"] == f"**{say(f'predict.{verdict}')}** {say('predict.root.why')}"


def test_divided_by_d_k_the_shares_are_those_of_the_package_and_fall_under_the_slider():
    """The third way uses the same rows as the other two."""
    table = ranked_weights(Pairs(), common.D_KS, len(row.WORDS), rows.ROWS, generator=seeded(), scales=("d_k",))
    first = []
    for d in (1, 4, 64, 256):
        drawn = charts(opened(d=d, guess="root.more"))["shares"]
        here = table[table["d_k"] == d]["weight"]
        assert_allclose(drawn["series"][say("lab.scale.d_k")]["y"], here, rtol=1e-5)
        first.append(float(here.iloc[0]))
        assert numbers(drawn["note"])[-1] == pytest.approx(100 * first[-1], abs=0.6)
        # The picture gives the number, too, below the other two.
        said = [one["said"] for one in drawn["chart"]["series"]]
        assert numbers(said[2]["text"])[0] == pytest.approx(100 * first[-1], abs=0.6)
        assert said[0]["y"] > said[1]["y"] > said[2]["y"] > 0.3
    assert first == sorted(first, reverse=True)
    # At the end, all words have nearly the same share.
    assert first[-1] < 1.2 / len(row.WORDS)


def test_a_link_with_the_guess_that_was_asked_before_opens_the_lines_that_it_opened():
    """The guess used to extend the lines beyond the slider; now they always go on."""
    for link in ({}, {"guess": "factor.four"}, {"guess": "factor.four", "d": 16}):
        drawn = charts(opened(**link))["variance"]
        assert {one["x"].max() for one in drawn["series"].values()} == {4096}
        assert [*charts(opened(**link))["shares"]["series"]] == [RAW, SCALED]


def test_the_lines_say_their_law():
    for link, factor in (({}, 1), ({"sigma_q": 2.0}, 4)):
        drawn = charts(opened(**link))["variance"]
        raw, scaled = (one["said"] for one in drawn["chart"]["series"] if "said" in one)
        law = say("lab.variance.line.raw_times", factor="4") if factor > 1 else say("lab.variance.line.raw")
        assert (raw["text"], scaled["text"]) == (law, say("lab.variance.line.scaled", factor=str(factor)))
        # The name stands halfway up on the rising line, and at the right end of the flat one.
        assert (raw["x"], raw["y"]) == (128, factor * 128)
        assert (scaled["x"], scaled["y"]) == (256, pytest.approx(factor))


def test_on_logarithmic_axes_words_stand_above_the_dots():
    """The dots reach up to the words of the flat line, and the middle of an axis is the root of its end."""
    drawn = charts(opened(log_axes=True))["variance"]["chart"]
    raw, scaled = (one["said"] for one in drawn["series"] if "said" in one)
    assert raw["x"] == raw["y"] == 16
    assert scaled["y"] > 1.3


def test_moving_d_k_moves_the_mark_and_not_the_noise():
    first, second = (charts(opened(d=d))["variance"] for d in (64, 256))
    assert first["chart"]["series"] == second["chart"]["series"]
    assert [mark["x"] for mark in first["chart"]["marks"]] == [64]
    assert [mark["x"] for mark in second["chart"]["marks"]] == [256]


@pytest.mark.parametrize("d", some([1, 16, 64, 128], 4 if EVERY_TEST else 2))
def test_the_caption_says_how_far_the_scores_spread(d):
    series = charts(opened(d=d))["variance"]["series"][RAW]
    at = dict(zip(series["x"].tolist(), series["y"].tolist(), strict=True))
    notes = {name: numbers(charts(opened(d=d))[name]["note"].replace(",", "")) for name in ("variance", "histogram")}
    assert notes["variance"] == pytest.approx([d, at[d]], rel=5e-3)
    assert notes["histogram"][:3] == pytest.approx([4096, d, at[d] ** 0.5], rel=5e-3)


@pytest.mark.parametrize(("last", "powers"), [(4096, 7), (1000, 5), (1, 1)])
def test_the_ticks_of_d_k_are_the_powers_of_four_up_to_the_last(last, powers):
    assert common.d_k_axis(last).ticks == [4**power for power in range(powers)]


def bars(**link) -> str:
    """The text about the error bars, after the scores are drawn."""
    opened(**link)
    screen = Screen("scaling", {name: str(value) for name, value in link.items()})
    return variance.bars.blocks(screen)[-1]["markdown"]


def test_the_dots_that_are_near_the_theory_are_counted():
    for draw in some((0, 1, 2, 3), 4 if EVERY_TEST else 2):
        drawn = charts(opened(lab_seed=draw))["variance"]
        series = drawn["series"][RAW]
        theory = drawn["series"][say("lab.variance.theory", scale=RAW)]["y"]
        inside = int(((series["low"] <= theory) & (theory <= series["high"])).sum())
        assert f"{inside} of {len(theory)} dots" in bars(lab_seed=draw)


def test_each_hill_of_the_histogram_has_bins_of_its_own_and_one_axis_is_for_both():
    drawn = charts(opened(d=256))["histogram"]
    swept = sweep(Pairs(), common.D_KS, 4096, generator=seeded(0))
    for name, scale in ((RAW, "none"), (SCALED, "sqrt_d_k")):
        table = histograms(swept, 256, spread.BINS, (scale,))
        series = drawn["series"][name]
        assert_allclose(series["x"], (table["left"] + table["right"]) / 2, rtol=1e-5, atol=1e-6)
        assert_allclose(series["y"], table[scale] / table[scale].max(), rtol=1e-5)
    # The axis cuts off the tails of the widest hill: on its whole width, the narrow hill would be a line.
    low, high = drawn["chart"]["x"]["range"]
    raw = swept.at(256)
    assert 0.97 < float(((raw > low) & (raw < high)).double().mean()) < 0.999


@pytest.mark.parametrize("link", [{}, {"mu_q": 1.0, "mu_k": -0.5}], ids=str)
def test_the_narrow_hill_is_named_over_its_top(link):
    """The name had stood at the edge of the picture, far from the hill."""
    for d in (1, 64, 256):
        [said] = [
            one["said"] for one in charts(opened(d=d, **link))["histogram"]["chart"]["series"] if one["name"] == SCALED
        ]
        hill = charts(opened(d=d, **link))["histogram"]["series"][SCALED]
        middle = float((hill["x"] * hill["y"]).sum() / hill["y"].sum())
        spread = float(((hill["x"] - middle) ** 2 * hill["y"]).sum() / hill["y"].sum()) ** 0.5
        assert said["after"]
        assert abs(said["x"] - middle) < spread
        assert said["y"] == 1


def test_at_one_product_both_hills_are_one():
    """At one product, both ways give the same scores, and the hills coincide bar by bar."""
    drawn = charts(opened(d=1))["histogram"]["series"]
    for column in ("x", "y"):
        assert_allclose(drawn[RAW][column], drawn[SCALED][column], rtol=1e-6)
    # One of the names had pointed at the hidden hill.
    for d, names in ((1, [say("lab.variance.no_difference")]), (4, [RAW, SCALED])):
        series = charts(opened(d=d))["histogram"]["chart"]["series"]
        assert [one["said"]["text"] for one in series if "said" in one] == names


@pytest.mark.slow
def test_without_a_fourth_moment_there_is_no_error_bar():
    drawn = charts(opened(distribution="t5", correlation=0.5))["variance"]
    assert say("lab.variance.no_band") == bars(distribution="t5", correlation=0.5)
    assert "low" not in drawn["series"][RAW]


def test_correlation_is_told_with_what_is_left_after_scaling():
    text = said(opened(correlation=0.3))
    told = next(line for line in text.splitlines() if "scaled mean" in line)
    d, mean, theory = numbers(told.split("At dₖ")[1])[:3]
    assert (d, theory) == (4096, pytest.approx(0.3 * 64, rel=5e-3))
    assert mean == pytest.approx(theory, abs=0.1)
    assert say("lab.variance.centred") in said(opened())
    assert say("lab.variance.centred") not in text


SPREAD, CORRELATED = r"\sigma_q^2 \sigma_k^2", r"\sigma_q^2 \sigma_k^2 (1 + \rho^2 (\kappa - 2))"

KEYS, QUERIES = r"\sigma_q^2 \mu_k^2", r"\sigma_k^2 \mu_q^2"

ALL = {"correlation": 0.9, "mu_q": 1.0, "mu_k": -2.0, "sigma_q": 4.0, "distribution": "t5", "d": "4096"}

FORMULAS = [
    ({}, [SPREAD]),
    ({"mu_k": -1.5}, [SPREAD, KEYS]),
    ({"mu_q": 0.5, "sigma_k": 2.0}, [SPREAD, QUERIES]),
    ({"correlation": -0.3}, [r"\sigma_q^2 \sigma_k^2 (1 + \rho^2)"]),
    ({"correlation": 0.3, "distribution": "uniform"}, [CORRELATED]),
    (ALL, [CORRELATED, KEYS, QUERIES, r"2 \rho \sigma_q \sigma_k \mu_q \mu_k"]),
]


def sides(lines: tuple[str, ...]) -> list[str]:
    """The terms after each equals sign."""
    return re.split(r" ?= ", "".join(lines))[1:]


def evaluated(latex: str) -> float:
    return float(eval(latex.replace(r"\cdot", "*").replace("^", "**").replace("{", "(").replace("}", ")")))


@pytest.mark.parametrize(("link", "terms"), FORMULAS, ids=str)
def test_the_formula_has_the_terms_that_count_and_their_numbers(link, terms):
    lab = Laboratory(**link)
    mean, variance_of = theory.formulas(lab.pairs, int(lab.d))
    symbols, values, result = sides(variance_of)
    assert symbols == rf"d_k \, ({' + '.join(terms)})"
    assert evaluated(values) == pytest.approx(lab.pairs.variance(int(lab.d)))
    assert evaluated(result) == pytest.approx(lab.pairs.variance(int(lab.d)), rel=5e-4)
    assert "e+" not in "".join(variance_of)
    assert evaluated(sides(mean)[-1]) == pytest.approx(lab.pairs.mean(int(lab.d)), rel=5e-4)
    if link in some([link for link, _ in FORMULAS], 6 if EVERY_TEST else 2):
        shown = said(opened(**link))
        assert all(line in shown for line in (*mean, *variance_of))


@pytest.mark.parametrize(
    ("link", "row"),
    [
        ({"mu_k": 1.0}, 64),
        ({"mu_q": 1.0}, 128),
        ({"mu_q": 1.0, "mu_k": 1.0}, 128),
        ({"mu_k": 1.0, "correlation": 0.5}, 64),
    ],
    ids=str,
)
def test_a_mean_of_the_keys_cancels_and_one_of_the_queries_does_not(link, row):
    text = said(opened(**link))
    within, _, over_all = numbers(text.split("Among independent keys")[1])[:3]
    # The published numbers are 128 within a row and 192 over all, with both means at 1.
    assert (within, over_all) == (row, 64 * (1 + ("mu_q" in link) + ("mu_k" in link)))
    assert (say("lab.variance.key_mean") in text) == ("mu_k" in link)
    assert (say("lab.variance.query_mean") in text) == ("mu_q" in link)
    assert (say("lab.variance.centred") in text) == (len(link) == 1)


def test_a_matrix_shows_how_wrong_the_naive_error_bar_is():
    drawn = charts(opened(matrix=True, d=4))["matrix"]
    naive, exact = (drawn["series"][say(f"lab.variance.{name}")]["y"] for name in ("naive", "exact"))
    assert (exact > naive).all()
    # 64 x 64 scores at d_k = 4: .127 against .029.
    assert exact[2] == pytest.approx(0.127, abs=5e-4)
    assert naive[2] == pytest.approx(0.029, abs=5e-4)
    inside = [int(found) for found in re.findall(r"(\d+)(?:\.\d)?% (?:are )?within", drawn["note"])]
    assert inside[0] < 60 < 85 < inside[1]
    assert "matrix" not in charts(opened())
    assert "matrix" not in charts(opened(matrix=True, correlation=0.2))
    assert say("lab.variance.no_pairs") in said(opened(matrix=True, correlation=0.2)).splitlines()


def test_two_thirds_of_the_small_experiments_are_below_what_the_puzzled_one_found():
    drawn = charts(opened())["two_by_two"]
    found = numbers(drawn["note"])
    assert found[0] == pytest.approx(63, abs=5)
    mean, error = re.search(r"mean is ([\d.]+) ± ([\d.]+)", drawn["note"]).groups()
    assert abs(float(mean) - 2) < float(error)
    counts = drawn["series"][say("lab.variance.draws")]["y"]
    beyond = int(re.search(r"([\d,]+) of 20,000 lie", drawn["note"])[1].replace(",", ""))
    assert counts.sum() + beyond == variance.DRAWS


@pytest.mark.parametrize("distribution", some(DISTRIBUTIONS, 5 if EVERY_TEST else 2))
def test_every_distribution_can_be_drawn(distribution):
    assert "dots" in {one["style"] for one in charts(opened(distribution=distribution))["variance"]["chart"]["series"]}
