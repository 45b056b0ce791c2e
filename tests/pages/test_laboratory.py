"""The page on scaling as a whole: controls in their links, the charts that follow them, four answers at the start."""

import itertools
import re
from random import Random

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.runs import training
from pages.shell.state.fields import Choice, Flag, Range
from pages.shell.state.page_controls import Laboratory
from pages.shell.state.registry import settled
from pages.shell.state.url import written
from pages.shell.views.scaling import walk
from tests.support.app import another, app, charts, held, no_exception, widget
from tests.support.covering import EXHAUSTIVE
from tests.support.lab import BRIEF, RAW, SCALED, everything, numbers, opened, said
from tests.support.training import SEEDS


@pytest.mark.slow
def test_every_control_takes_another_value_and_the_link_of_it_opens_it_again():
    at = app("scaling")
    for name in Laboratory.knobs():
        widget(at, name).set_value(another(name))
    assert no_exception(at.run())
    moved = {name: written(another(name)) for name in Laboratory.knobs()}
    assert held(at) == moved
    again = app("scaling", **moved)
    assert no_exception(again)
    assert {name: written(widget(again, name).value) for name in Laboratory.knobs()} == moved
    assert not again.toast


ROW = {"shares", "softmax_row"}
DRAWN = {"variance", "histogram", "walk", *ROW, "two_by_two", "largest", "entropy", "effective", "jacobian"}

# The charts of the drawn pairs. The row draws keys of its own, in its own number.
SCORES = {"variance", "histogram"}
MINUTE = SCORES | {"walk"} | ROW

# Control to another value, and the charts that follow it, as the sections themselves say.
FOLLOWS = {
    "lab_seed": (1, DRAWN),
    "correlation": (0.3, DRAWN - {"two_by_two", "walk"} - ROW),
    "d": ("256", DRAWN - {"two_by_two"}),
    "samples": ("1024", SCORES),
    "distribution": ("laplace", MINUTE),
    "sigma_q": (2.0, MINUTE),
    "sigma_k": (2.0, MINUTE),
    "mu_q": (1.0, MINUTE),
    "mu_k": (1.0, MINUTE),
    "keys": ("64", {"largest", "entropy", "effective", "jacobian"}),
    "gradient_d": ("64", {"sorted", "energy", "w_q_gradient"}),
}


def drawn(at: AppTest) -> dict[str, tuple[str, str]]:
    """The stamp and the note of each chart, except those of the race, which goes on."""
    return {id: (one["stamp"], one["note"]) for id, one in charts(at).items() if id not in ("accuracy", "loss")}


@pytest.fixture(scope="module")
def as_it_opens() -> dict[str, tuple[str, str]]:
    return drawn(opened())


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_section_follows_the_controls_that_it_names_and_no_others(as_it_opens, name):
    other, expected = FOLLOWS[name]
    before, after = as_it_opens, drawn(opened(**{name: other}))
    assert {id for id in before if before[id] != after[id]} == expected


EDGES = {
    Choice: lambda knob: (knob.options[0], knob.options[-1]),
    Range: lambda knob: (knob.low, knob.high) if knob.step == 1 else (float(knob.low), float(knob.high)),
    Flag: lambda knob: (False, True),
}


@pytest.mark.slow
def test_the_ends_of_the_controls_together_break_nothing():
    """Each control is at an end of its range, in turn; the race stays brief, and is tested below."""
    random = Random(0)
    knobs = {name: knob for name, knob in Laboratory.knobs().items() if not name.startswith("race_")}
    for _ in range(2 if EXHAUSTIVE else 1):
        link = {name: written(random.choice(EDGES[type(knob)](knob))) for name, knob in knobs.items()}
        link |= {"samples": "256", "keys": random.choice(("4", "64"))}
        assert settled(link) == {}
        at = everything(**BRIEF | link)
        for id, chart in charts(at).items():
            assert chart["note"], id
            for name, one in chart["series"].items():
                assert np.isfinite(one["x"]).all(), (id, name)
                # Walks that share a series have a gap after each of them, and there are no other gaps.
                gaps = {
                    say("lab.walk.others", count=walk.OTHERS): walk.OTHERS,
                    say("lab.walk.further"): walk.OTHERS + 1,
                    say("lab.walk.others_divided", count=walk.OTHERS): walk.OTHERS,
                    say("lab.walk.further_divided"): walk.OTHERS + 1,
                }.get(name, 0)
                assert np.isnan(one["y"]).sum() == gaps, (id, name)


@pytest.fixture(scope="module")
def untouched() -> AppTest:
    """The page with a guess about its race and the seeds of these tests, after the race has ended: in few turns,
    because each turn draws the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "TURN", 5.0)
        link = {} if len(SEEDS) == Laboratory().race_seeds else {"race_seeds": len(SEEDS)}
        at = everything(**link, guess="race.all")
        for _ in itertools.takewhile(lambda _: all(button.key != "race-again" for button in at.button), range(400)):
            assert no_exception(at.run())
    return at


class TestFourAnswers:
    """The answers as a visitor reads them off the captions and curves, without further computation."""

    @pytest.mark.slow
    def test_by_what_factor_the_spread_grows_from_16_to_64(self, untouched):
        measured = charts(untouched)["variance"]["series"][RAW]
        variance = dict(zip(measured["x"], measured["y"], strict=True))
        assert variance[64] / variance[16] == pytest.approx(2**2, rel=0.06)

    @pytest.mark.slow
    def test_what_happens_to_the_weights(self, untouched):
        note = charts(untouched)["largest"]["note"]
        d, keys, raw, scaled = numbers(note)[:4]
        assert (d, keys) == (64, 16)
        # Published: .844 and .246.
        assert (raw, scaled) == (pytest.approx(0.844, abs=0.02), pytest.approx(0.246, abs=0.01))
        entropies = charts(untouched)["entropy"]["series"]
        assert entropies[RAW]["y"][-1] < 0.01 < 2 < entropies[SCALED]["y"][-1]

    def test_whether_the_gradient_of_w_q_is_smaller_or_larger(self, untouched):
        text = said(untouched)
        assert say("lab.gradients.at_w_q.louder") in text
        assert say("lab.gradients.at_scores.most") in text
        d, raw, scaled, factor = numbers(charts(untouched)["w_q_gradient"]["note"])[:4]
        assert d == 1024
        assert raw > 10 * scaled
        assert factor == pytest.approx(raw / scaled, rel=0.01)

    def test_whether_it_trains(self, untouched):
        drawn = charts(untouched)["accuracy"]
        note = drawn["note"]
        assert note.startswith("At step 100" + (" (seeds: 3)" if len(SEEDS) == 3 else ""))
        ends = {
            name: float(re.search(rf"{re.escape(name)} ([\d.]+)%", note)[1])
            for name in (RAW, SCALED, say("lab.scale.d_k"))
        }
        assert ends[SCALED] >= 99
        assert ends[RAW] < 50 < ends[say("lab.scale.d_k")]
        # One way is right early and the others late, as the sentence after the question says.
        curve = drawn["series"][SCALED]
        assert dict(zip(curve["x"].tolist(), curve["y"].tolist(), strict=True))[20] >= 0.95
