"""The page on scaling draws the tables of the package, and each caption says what its figure shows."""

import re
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from attention.distributions import DISTRIBUTIONS
from attention.gradients import SILENT, TOP, at_start
from attention.pairs import Pairs
from attention.saturation import crossover, saturation
from attention.scales import BY_D_K, SCALES
from attention.scaling import histograms, sweep, variances
from pages.shell.digits import digits, share
from pages.shell.knobs import Choice, Flag, Range, written
from pages.shell.lab import common, gradients, jacobian, layers, theory, variance
from pages.shell.own import Laboratory, settled
from pages.shell.text import say
from tests.app_support import app, charts, no_exception
from tests.support import seeded

RAW, SCALED = say("lab.scale.none"), say("lab.scale.sqrt_d_k")
# Races that are over at once, so that the other sections are not waited for.
BRIEF = {"race_d": 4, "race_seeds": 1, "race_steps": 50}


@cache
def opened(**link) -> AppTest:
    at = app("scaling", **BRIEF | link)
    assert no_exception(at)
    return at


def said(at: AppTest) -> str:
    return "\n".join(markdown.value for markdown in at.markdown)


def numbers(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(r"[-−]?\d+(?:\.\d+)?", text)]


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


def test_moving_d_k_moves_the_mark_and_not_the_noise():
    first, second = charts(opened(d=64))["variance"], charts(opened(d=256))["variance"]
    assert first["chart"]["series"] == second["chart"]["series"]
    assert [mark["x"] for mark in first["chart"]["marks"]] == [64]
    assert [mark["x"] for mark in second["chart"]["marks"]] == [256]


@pytest.mark.parametrize("d", [1, 16, 64, 4096])
def test_the_caption_says_by_what_the_spread_grows(d):
    series = charts(opened(d=d))["variance"]["series"][RAW]
    at = dict(zip(series["x"].tolist(), series["y"].tolist(), strict=True))
    note = charts(opened(d=d))["variance"]["note"]
    assert numbers(note)[:3] == pytest.approx([d, at[d], d], rel=5e-3)
    if d >= 4:
        low, high, factor = numbers(note.split("From")[1])[:3]
        assert (low, high) == (d // 4, d)
        assert factor == pytest.approx((at[d] / at[d // 4]) ** 0.5, rel=5e-3)


def test_the_caption_counts_the_dots_that_are_near_the_theory():
    for draw in (0, 1, 2, 3):
        drawn = charts(opened(lab_seed=draw))["variance"]
        series = drawn["series"][RAW]
        theory = drawn["series"][say("lab.variance.theory", scale=RAW)]["y"]
        inside = int(((series["low"] <= theory) & (theory <= series["high"])).sum())
        assert f"{inside} of {len(theory)} dots" in drawn["note"]


def test_the_histogram_has_one_axis_for_both():
    drawn = charts(opened(d=256))["histogram"]["series"]
    swept = sweep(Pairs(), common.D_KS, 4096, generator=seeded(0))
    table = histograms(swept, 256)
    assert_allclose(drawn[RAW]["x"], drawn[SCALED]["x"])
    for name, scale in ((RAW, "none"), (SCALED, "sqrt_d_k")):
        assert_allclose(drawn[name]["y"], table[scale] / table[scale].max(), rtol=1e-5)


def test_without_a_fourth_moment_there_is_no_error_bar():
    drawn = charts(opened(distribution="t5", correlation=0.5))["variance"]
    assert say("lab.variance.no_band") in drawn["note"]
    assert "low" not in drawn["series"][RAW]


def test_correlation_is_told_with_what_is_left_after_scaling():
    text = said(opened(correlation=0.3))
    told = next(line for line in text.splitlines() if "scaled mean" in line)
    d, mean, theory = numbers(told.split("At d_k")[1])[:3]
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


def evaluated(latex: str) -> float:
    return float(eval(latex.replace(r"\cdot", "*").replace("^", "**").replace("{", "(").replace("}", ")")))


@pytest.mark.parametrize(("link", "terms"), FORMULAS, ids=str)
def test_the_formula_has_the_terms_that_count_and_their_numbers(link, terms):
    lab = Laboratory(**link)
    mean, variance_of = theory.formulas(lab.pairs, int(lab.d))
    symbols, values, result = variance_of.split(" = ")[1:]
    assert symbols == rf"d_k \, ({' + '.join(terms)})"
    assert evaluated(values) == pytest.approx(lab.pairs.variance(int(lab.d)))
    assert evaluated(result) == pytest.approx(lab.pairs.variance(int(lab.d)), rel=5e-4)
    assert "e+" not in variance_of
    assert evaluated(mean.split(" = ")[-1]) == pytest.approx(lab.pairs.mean(int(lab.d)), rel=5e-4)
    shown = [latex.value for latex in opened(**link).latex]
    assert all(any(formula in one for one in shown) for formula in (mean, variance_of))


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
    # Published: 128 within a row against 192 over all, where both means are 1.
    assert (within, over_all) == (row, 64 * (1 + ("mu_q" in link) + ("mu_k" in link)))
    assert (say("lab.variance.key_mean") in text) == ("mu_k" in link)
    assert (say("lab.variance.query_mean") in text) == ("mu_q" in link)
    assert (say("lab.variance.centred") in text) == (len(link) == 1)


def test_with_correlation_the_weight_of_the_matching_key_is_drawn_for_every_scale():
    drawn = charts(opened(correlation=0.3))["matching"]["series"]
    at_64 = {name: dict(zip(one["x"], one["y"], strict=True))[64] for name, one in drawn.items()}
    assert list(drawn) == [say(f"lab.scale.{scale}") for scale in BY_D_K]
    # Means .71, .35, .08 (5.2 of the figures for teachers); the lines are medians.
    assert at_64[RAW] > at_64[SCALED] > at_64[say("lab.scale.d_k")] > 1 / 16
    assert "matching" not in charts(opened())


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
    assert any(say("lab.variance.no_pairs") == info.value for info in opened(matrix=True, correlation=0.2).info)


def test_two_thirds_of_the_small_experiments_are_below_what_the_puzzled_one_found():
    drawn = charts(opened())["two_by_two"]
    found = numbers(drawn["note"])
    assert found[0] == pytest.approx(63, abs=5)
    counts = drawn["series"][say("lab.variance.draws")]["y"]
    beyond = int(re.search(r"(\d+) of 1000 lie", drawn["note"])[1])
    assert counts.sum() + beyond == variance.DRAWS


@pytest.mark.parametrize("keys", [4, 8, 16, 64])
def test_saturation_is_drawn_as_the_package_measures_it(keys):
    table = saturation(common.D_KS, keys, 2000, generator=seeded(0))
    drawn = charts(opened(keys=keys))
    for quantity in ("largest", "entropy", "effective", "jacobian"):
        for scale, name in (("none", RAW), ("sqrt_d_k", SCALED)):
            rows = table[(table["quantity"] == quantity) & (table["scale"] == scale)]
            for statistic, sent in (("median", "y"), ("low", "low"), ("high", "high")):
                assert_allclose(drawn[quantity]["series"][name][sent], rows[statistic], rtol=1e-4, atol=1e-30)
    at_64 = table[table["d_k"] == 64].set_index(["quantity", "scale"])
    assert drawn["entropy"]["note"].startswith(
        f"At d_k = 64 the median row has an entropy of {digits(at_64['median']['entropy', 'none'])} nats"
    )


# Each a case of its own: nothing below but d_k = 1; not decided by these rows; a d_k below, at which scaling loses.
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


DRAWN = {"variance", "histogram", "two_by_two", "largest", "entropy", "effective", "jacobian"}
SCORES = {"variance", "histogram"}
# Control to another value, and the charts that follow it, as the sections say of themselves.
FOLLOWS = {
    "lab_seed": (1, DRAWN),
    "correlation": (0.3, DRAWN - {"two_by_two"}),
    "d": ("256", DRAWN - {"two_by_two"}),
    "samples": ("1024", SCORES),
    "distribution": ("laplace", SCORES),
    "sigma_q": (2.0, SCORES),
    "sigma_k": (2.0, SCORES),
    "mu_q": (1.0, SCORES),
    "mu_k": (1.0, SCORES),
    "keys": ("64", {"largest", "entropy", "effective", "jacobian"}),
    "gradient_d": ("64", {"sorted", "energy", "w_q_gradient"}),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_section_follows_the_controls_that_it_names_and_no_others(name):
    other, expected = FOLLOWS[name]
    before, after = (
        {id: (drawn["stamp"], drawn["note"]) for id, drawn in charts(at).items() if id not in ("accuracy", "loss")}
        for at in (opened(), opened(**{name: other}))
    )
    assert {id for id in before if before[id] != after[id]} == expected


@pytest.mark.parametrize("d", gradients.D_KS)
def test_the_captions_on_gradients_follow_the_measurement(d):
    drawn, text = charts(opened(gradient_d=d)), said(opened(gradient_d=d))
    at = {name: dict(zip(one["x"], one["y"], strict=True))[d] for name, one in drawn["w_q_gradient"]["series"].items()}
    louder = at[RAW] > at[SCALED]
    assert (say("lab.gradients.at_w_q.louder") in text) == louder
    assert (say("lab.gradients.at_w_q.not") in text) != louder
    assert f"{at[RAW] / at[SCALED]:.3g} times" in drawn["w_q_gradient"]["note"]


@pytest.mark.parametrize("d", gradients.D_KS)
def test_rows_are_called_silent_only_where_most_of_them_are(d):
    drawn, text = charts(opened(gradient_d=d))["sorted"]["series"], said(opened(gradient_d=d))
    raw, scaled = drawn[RAW]["y"], drawn[SCALED]["y"]
    quieter = np.median(raw) < np.median(scaled)
    assert quieter
    # Of the rows, 5, 28, 58 and 77 % are below .01 (5.6 of the figures for teachers).
    most = (raw < SILENT).mean() > 0.5
    assert most == (d >= 256)
    told = {name: say(f"lab.gradients.at_scores.{name}") in text for name in ("most", "quieter", "not")}
    assert told == {"most": most, "quieter": not most, "not": False}


@pytest.mark.parametrize("d", gradients.D_KS)
def test_curves_and_notes_on_gradients_are_of_the_same_rows(d):
    drawn = charts(opened(gradient_d=d))
    curve, note = drawn["sorted"]["series"], drawn["sorted"]["note"]
    for name, scale in ((RAW, "none"), (SCALED, "sqrt_d_k")):
        parts = [at_start(d, scale, seed) for seed in gradients.SEEDS]
        scores = np.sort(np.concatenate([part.scores for part in parts]))[::-1]
        energy = np.sort(np.concatenate([part.queries for part in parts]))[::-1].astype(float) ** 2
        step = len(scores) // 200
        assert_allclose(curve[name]["y"], scores[::step], rtol=1e-6)
        assert_allclose(drawn["energy"]["series"][name]["y"], (energy.cumsum() / energy.sum())[::step], rtol=1e-6)
        assert share((scores < SILENT).mean()) in note
        assert digits(np.median(scores)) in note
        below = (scores < common.EDGE).mean()
        if scale == "none":
            cut = say("lab.gradients.cut", edge=digits(common.EDGE), share=share(below))
            assert (cut in note) == (below > 0) == (d > 16)
        else:
            assert below == 0
        top = energy[: round(TOP * len(energy))].sum() / energy.sum()
        assert share(top) in drawn["energy"]["note"]


def test_at_d_k_1024_most_rows_are_silent_and_w_q_hears_more():
    note = charts(opened(gradient_d=1024))["w_q_gradient"]["note"]
    assert numbers(note)[1:3] == pytest.approx([4.13, 0.337], rel=0.02)
    assert "77% of the rows are below 0.01" in charts(opened(gradient_d=1024))["sorted"]["note"]


def test_the_initialisations_stand_beside_their_formula():
    (table,) = [text for text in said(opened()).split("\n|") if "nn.MultiheadAttention" in text]
    assert numbers(table)[2] == pytest.approx(0.5, abs=0.01)


def test_gpt2_starts_at_its_published_spread():
    lines = said(opened(layer="768", layer_heads="12")).splitlines()
    (row,) = [line for line in lines if line.startswith(f"| {say('lab.starts.name.gpt2')} |")]
    assert numbers(row.partition("²)")[2])[2] == pytest.approx(0.307, abs=0.003)


def test_heads_that_do_not_divide_the_layer_are_fewer_and_that_is_said():
    at = opened(layer="512", layer_heads="12")
    assert say("lab.starts.divides", d_model=512, asked=12, heads=8) in [info.value for info in at.info]
    assert "With d_model 512 and d_k 64" in said(at)
    assert "with d_model 512 and 8 heads" in said(at)
    assert not opened().info


@pytest.mark.parametrize("d_model", Laboratory.knobs()["layer"].options)
def test_no_layer_takes_more_than_a_moment_or_is_drawn_too_rarely(d_model):
    for heads in (1, 16):
        d_k = int(d_model) // heads
        repeats = layers.repeats(int(d_model), d_k)
        assert 8 <= repeats <= 64
        assert repeats * int(d_model) * d_k <= 2**24


@pytest.mark.parametrize("scale", SCALES)
def test_every_mistake_is_told(scale):
    text = said(opened(mistake=scale))
    name = say(f"lab.mistakes.name.{scale}")
    assert f"| **{name}** |" in text
    assert sum(line.startswith(f"**{name}**") for line in text.splitlines()) == 1


def test_with_one_head_the_common_bug_is_no_bug():
    text = said(opened(mistake="sqrt_d_model", layer_heads=1))
    assert say("lab.mistakes.same", name=say("lab.mistakes.name.sqrt_d_model"), d_k=512) in text


EDGES = {
    Choice: lambda knob: (knob.options[0], knob.options[-1]),
    Range: lambda knob: (knob.low, knob.high) if knob.step == 1 else (float(knob.low), float(knob.high)),
    Flag: lambda knob: (False, True),
}


def test_the_ends_of_the_controls_together_break_nothing():
    """Each at an end of its range, in turns; the race stays brief, and is tested below."""
    random = Random(0)
    knobs = {name: knob for name, knob in Laboratory.knobs().items() if not name.startswith("race_")}
    for _ in range(2):
        link = {name: written(random.choice(EDGES[type(knob)](knob))) for name, knob in knobs.items()}
        link |= {"samples": "256", "keys": random.choice(("4", "64"))}
        assert settled(link) == {}
        at = app("scaling", **BRIEF | link)
        assert no_exception(at)
        for id, chart in charts(at).items():
            assert chart["note"], id
            for name, one in chart["series"].items():
                assert np.isfinite(one["x"]).all(), (id, name)
                assert not np.isnan(one["y"]).any(), (id, name)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_every_distribution_can_be_drawn(distribution):
    assert "dots" in {one["style"] for one in charts(opened(distribution=distribution))["variance"]["chart"]["series"]}
