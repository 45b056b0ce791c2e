"""Numbers that stand in a text are those of the code: changed there, they must be changed here."""

import inspect
import re

import pytest

from attention.experiments import race, saturation, wrong_scale
from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.i18n.numbers import digits
from pages.shell.state.config import SENTENCES, TOKENS
from pages.shell.views.scaling import layers, variance


def default(function, name):
    return inspect.signature(function).parameters[name].default


LOW, HIGH = default(saturation.saturation, "band")
WRITTEN = {
    "predict.refuted.why": {variance.DRAWS},
    "lab.variance.two_by_two": {variance.DRAWS},
    "lab.axis.race.accuracy": {race.TEST},
    "lab.saturation.lead": {round(100 * (HIGH - LOW))},
    "lab.mistakes.lead": {default(wrong_scale.which_d, "sentences"), layers.TOKENS},
    "control.text.help": {SENTENCES, TOKENS},
    "control.race_steps.help": {race.BATCH},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", WRITTEN)
def test_a_text_says_the_numbers_of_the_code(id, language):
    read = set(map(int, re.findall(r"\d+", catalogue(language)[id].replace("2 × 2", "").replace(",", ""))))
    assert WRITTEN[id] <= read


@pytest.mark.parametrize(
    ("value", "written"),
    [(99_999, "99999"), (999_000, "999000"), (999_999, "1 · 10⁶"), (1e6, "1 · 10⁶"), (-1e6, "−1 · 10⁶"), (-0.0, "0")],
)
def test_a_million_is_a_power_of_ten(value, written):
    assert digits(value) == written
