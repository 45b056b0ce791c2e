"""The laboratory as a visitor has it: every control in its link, and four answers before anything is touched."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.knobs import written
from pages.shell.own import Laboratory
from pages.shell.text import say
from tests.app_support import another, app, charts, no_exception
from tests.test_pages_scaling import RAW, SCALED, numbers, said

KINDS = ("slider", "select_slider", "selectbox", "toggle", "number_input")


def widgets(at: AppTest) -> dict:
    return {widget.key: widget for kind in KINDS for widget in at.get(kind) if widget.key in Laboratory.knobs()}


def test_every_control_is_bound_to_its_parameter_and_any_value_of_it_opens_again():
    """The browser writes the parameter of a bound widget: test_browser_scaling.py moves them by hand."""
    at = app("scaling")
    assert {name: widget.proto.query_param_key for name, widget in widgets(at).items()} == {
        name: name for name in Laboratory.knobs()
    }
    for name in Laboratory.knobs():
        widgets(at)[name].set_value(another(name))
    assert no_exception(at.run())
    moved = {name: written(widget.value) for name, widget in widgets(at).items()}
    assert moved == {name: written(another(name)) for name in Laboratory.knobs()}
    again = app("scaling", **moved)
    assert no_exception(again)
    assert {name: written(widget.value) for name, widget in widgets(again).items()} == moved
    assert not again.toast


@pytest.fixture(scope="module")
def untouched() -> AppTest:
    """The page as it opens, when the race that it shows has been run."""
    at = app("scaling")
    while all(button.key != "race-again" for button in at.button):
        assert no_exception(at.run())
    assert not at.query_params
    return at


class TestFourAnswers:
    """Read as a visitor reads them: off the captions and the curves, with nothing computed beside them."""

    def test_by_what_factor_the_spread_grows_from_16_to_64(self, untouched):
        note = charts(untouched)["variance"]["note"]
        low, high, factor = numbers(note.partition("From d_k =")[2])[:3]
        assert (low, high) == (16, 64)
        assert factor == pytest.approx(2, rel=0.03)

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
        assert note.startswith("After 100 steps, 3 seeds")
        ends = {
            name: float(re.search(rf"{re.escape(name)} ([\d.]+)%", note)[1])
            for name in (RAW, SCALED, say("lab.scale.d_k"))
        }
        assert ends[SCALED] >= 99
        assert ends[RAW] < 50 < ends[say("lab.scale.d_k")]
        # Soon, and the others late: what the sentence after the question says.
        curve = drawn["series"][SCALED]
        assert dict(zip(curve["x"].tolist(), curve["y"].tolist(), strict=True))[20] >= 0.95
