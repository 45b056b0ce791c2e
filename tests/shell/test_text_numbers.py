"""Numbers in a text are those of the code: a change there must change them, too."""

import inspect
import json
import re

import numpy as np
import pytest

from attention.analysis import sharpness
from attention.experiments import learning, race, saturation, wrong_scale
from attention.inputs.grammar import LENGTHS
from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.i18n.numbers import digits
from pages.shell.runs.trained.recorded import FILE
from pages.shell.sections.scaling.race import LIMITS
from pages.shell.state.config import SENTENCES, TOKENS
from pages.shell.state.todays_controls import TRAINED
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
    "control.model_text.help": {TOKENS},
    "control.pos_factor.help": {TRAINED},
    "backward.training.lead": {learning.BATCH},
    "learned.scores_text": {learning.TEST * len(LENGTHS)},
    "lab.saturation.largest_note": {sharpness.FROZEN},
    "control.race_lr.help": {float(moved["race_lr"]) for moved in LIMITS.values()},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", WRITTEN)
def test_a_text_says_the_numbers_of_the_code(id, language):
    said = re.findall(r"\d+(?:\.\d+)?", catalogue(language)[id].replace("2 × 2", "").replace(",", ""))
    assert WRITTEN[id] <= set(map(float, said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_says_how_many_tokens_a_trained_model_knows(language):
    told = json.loads(np.load(FILE)["told"].tobytes())
    assert f"{told['vocabulary']:,}" in catalogue(language)["models.next_token.text"]


@pytest.mark.parametrize(
    ("value", "written"),
    [(99_999, "99999"), (999_000, "999000"), (999_999, "1 · 10⁶"), (1e6, "1 · 10⁶"), (-1e6, "−1 · 10⁶"), (-0.0, "0")],
)
def test_a_million_is_a_power_of_ten(value, written):
    assert digits(value) == written
