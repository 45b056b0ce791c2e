"""Numbers that stand in a text are those of the code: changed there, they must be changed here."""

import inspect
import re

import pytest

from attention.experiments import race, saturation, wrong_scale
from pages.shell.i18n import LANGUAGES, catalogue
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
