"""Every number of an explanation is in its question, or is measured here on the question's screen."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from pages.shell.i18n import catalogue, say
from pages.shell.runs.trained.recorded import recorded
from pages.shell.runs.trained.request import TEXTS, Request
from pages.shell.views.scaling import row
from pages.shell.views.scaling import variance as variance_section
from tests.pages.test_masks import table
from tests.pages.test_predict import QUESTIONS
from tests.pages.test_right_answers import of_page
from tests.support import lab
from tests.support.app import charts, computed
from tests.support.screens import drawn


def late_sink(at) -> list[float]:
    layers = recorded(Request("smollm2", TEXTS["minilm"])).weights[:, :, 1:, 0].mean((1, 2))
    return [float(layers[0]), float(layers[24]), 25]


# For each question, the numbers that its explanation measures, to as many digits as it gives.
MEASURED: dict[str, Callable[..., list[float]]] = {
    "creature": lambda at: drawn(at, "weights")[3, 1:3].tolist(),
    "forest": lambda at: [
        float(computed(preset="story", positions="none").matrix("weights")[7, 6]),
        float(drawn(at, "weights")[7, 6]),
    ],
    "refuted": lambda at: [variance_section.DRAWS],
    "root": lambda at: [len(row.WORDS), 100 / len(row.WORDS)],
    "top": lambda at: [
        256**0.5,
        *points(charts(at)["largest"]["series"][say("lab.saturation.mean", scale=lab.SCALED)], 256),
    ],
    "costs": lambda at: [float(row[2].replace(",", "")) for row in table(at, say("costs.column.layer"))[2:4]],
    "drown": lambda at: [np.exp(3 - -2), 100_000 - 1],
    "sink": late_sink,
}


def points(line, x: float) -> list[float]:
    return line["y"][line["x"] == x].tolist()


@pytest.mark.models
@pytest.mark.usefixtures("one_step_a_run")
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_number_of_an_explanation_is_asked_about_or_measured(question):
    texts = {id.split(".")[2]: text for id, text in catalogue("en").items() if id.startswith(f"predict.{question}.")}
    asked = " ".join(text for part, text in texts.items() if part not in ("why", "right"))
    written = re.findall(r"(?<![\w√])[\d,]*\.?\d+", re.sub(r"\]\([^)]*\)", "", texts["why"]))
    given = {float(number.replace(",", "")) for number in re.findall(r"(?<![\w√])[\d,]*\.?\d+", asked)} | {0, 1, 2}
    said = [number for number in written if float(number.replace(",", "")) not in given]
    measured = MEASURED[question](of_page(question)) if question in MEASURED else []
    for number in said:
        value, half = float(number.replace(",", "")), 0.5001 * 10.0 ** -len(number.partition(".")[2])
        assert any(abs(value - one) <= half for one in measured), (number, measured)
