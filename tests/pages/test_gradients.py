"""The section on gradients: curves, notes and the closing sentence come from the same rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention.experiments.score_gradients import SILENT, TOP, at_start
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, share
from pages.shell.views.scaling import common, gradients
from tests.support.app import charts
from tests.support.lab import RAW, SCALED, numbers, opened, said


@pytest.mark.parametrize("d", gradients.D_KS)
def test_the_captions_on_gradients_follow_the_measurement(d):
    drawn, text = charts(opened(gradient_d=d)), said(opened(gradient_d=d))
    at = {name: dict(zip(one["x"], one["y"], strict=True))[d] for name, one in drawn["w_q_gradient"]["series"].items()}
    louder = at[RAW] > at[SCALED]
    assert (say("lab.gradients.at_w_q.louder") in text) == louder
    assert (say("lab.gradients.at_w_q.not") in text) != louder
    assert f"a ratio of {at[RAW] / at[SCALED]:.3g}." in drawn["w_q_gradient"]["note"]
    # Norms are compared by their ratios.
    assert drawn["w_q_gradient"]["chart"]["y"]["log"]


@pytest.mark.parametrize("d", gradients.D_KS)
def test_rows_are_called_silent_only_where_most_of_them_are(d):
    drawn, text = charts(opened(gradient_d=d))["sorted"]["series"], said(opened(gradient_d=d))
    raw, scaled = drawn[RAW]["y"], drawn[SCALED]["y"]
    quieter = np.median(raw) < np.median(scaled)
    assert quieter
    # The shares of rows below .01 are 5, 28, 58 and 77 % (5.6 of the figures for teachers).
    most = (raw < SILENT).mean() > 0.5
    assert most == (d >= 256)
    told = {name: say(f"lab.gradients.at_scores.{name}") in text for name in ("most", "quieter", "not")}
    assert told == {"most": most, "quieter": not most, "not": False}


@pytest.mark.parametrize("d", gradients.D_KS)
@pytest.mark.slow
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
    assert (
        "77% of the rows have a gradient below 0.01 without scaling"
        in charts(opened(gradient_d=1024))["sorted"]["note"]
    )
