"""The answer of every stop has claims, and the stop's figures, tables and race fulfil them."""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention.experiments.race import Race
from pages.shell.i18n import catalogue
from pages.shell.lectures.format import in_language, lecture
from tests.shell.test_lectures_stops import STOPS, at_stop, each_stop
from tests.support.app import app, cards, charts, figures, markdown, no_exception
from tests.support.numbers import numbers
from tests.support.trained import needed
from tests.support.training import ALL_SEEDS, SEEDS, trained

pytestmark = pytest.mark.usefixtures("one_step_a_run")


@each_stop
def test_the_figures_hold_what_the_answer_claims(name, number):
    stop = lecture(name).stops[number - 1]
    assert stop.claims
    for claim in stop.claims:
        if "race" in claim:
            continue
        if stop.page == "models" and claim.get("note") == "importance":
            # This claim needs the model: a record lacks the vectors that weights add, so without it the page computes
            # another layer.
            needed(stop.screen["model"])
        found = claimed(name, number, claim)
        assert any(holds(claim, value) for value in found), (claim, found)


RACES = [stop for stop in STOPS if any("race" in claim for claim in lecture(stop[0]).stops[stop[1] - 1].claims)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), RACES)
def test_the_races_end_as_the_answer_claims(name, number):
    for claim in lecture(name).stops[number - 1].claims:
        if "race" in claim:
            found = raced(claim)
            assert any(holds(claim, value) for value in found), (claim, found)


def holds(claim: Mapping[str, Any], value: float) -> bool:
    """Whether a value fulfils a claim: it equals the claimed one as printed or `within` a share of it, or lies `above`
    and `below` the claimed bounds."""
    if "value" not in claim:
        return claim.get("above", -math.inf) < value < claim.get("below", math.inf)
    wanted = claim["value"]
    near = abs(value - wanted) <= max(0.0051, claim.get("within", 0) * abs(wanted))
    return near or (math.isnan(wanted) and math.isnan(value))


def claimed(name: str, number: int, claim: Mapping[str, Any]) -> list[float]:
    """The numbers that a claim is about, on the screen of its stop or, with page or screen, on another one."""
    stop = lecture(name).stops[number - 1]
    if "page" in claim or "screen" in claim:
        at = app(claim.get("page", stop.page), **claim.get("screen", stop.screen))
        assert no_exception(at)
        return shown(at, claim)
    return shown(at_stop(name, number), claim)


def raced(claim: Mapping[str, Any]) -> list[float]:
    """The mean accuracy over some seeds after a step; with `against` another race, the largest difference of a loss."""
    # Long races end alike, so few seeds are enough; in a short one, a head may still be anywhere.
    seeds = SEEDS if "against" in claim or claim["race"].get("steps", 0) > 100 else ALL_SEEDS
    states = list(zip(*(trained(Race(seed=seed, **claim["race"])) for seed in seeds), strict=True))
    if "against" not in claim:
        return [float(np.mean([state.accuracy for state in states[claim["step"]]]))]
    others = zip(*(trained(Race(seed=seed, **claim["against"])) for seed in seeds), strict=True)
    pairs = [pair for one, other in zip(states, others, strict=True) for pair in zip(one, other, strict=True)]
    return [max(abs(one.loss - other.loss) for one, other in pairs)]


def shown(at: AppTest, claim: Mapping[str, Any]) -> list[float]:
    """The claimed numbers: a cell or a sum of a figure, a cell of a table, a point of a chart, or the numbers of a
    caption or of a text."""
    if "figure" in claim:
        drawn = cards(at)[claim["chapter"]] if "chapter" in claim else figures(at)
        z = drawn[claim["figure"]].z
        if "seen" in claim:
            return [float((~np.isnan(z[claim["seen"]])).sum())]
        if "columns" in claim:
            return [float(z.shape[1])]
        z = np.nan_to_num(z)
        if "row_sum" in claim:
            return [float(z[claim["row_sum"]].sum())]
        if "column_sum" in claim:
            return [float(z[:, claim["column_sum"]].sum())]
        return [float(z[claim["row"], claim["column"]])]
    if "text" in claim:
        return said(at, claim["text"])
    if "caption" in claim:
        return numbers(figures(at)[claim["caption"]].rest["note"])
    if "column" in claim:
        return table_cell(at, claim["row"], claim["column"])
    if "chart" in claim:
        series = charts(at)[claim["chart"]]["series"][claim["series"]]
        return [float(y) for x, y in zip(series["x"], series["y"], strict=True) if x == claim["x"]]
    return numbers(charts(at)[claim["note"]]["note"])


def said(at: AppTest, id: str) -> list[float]:
    """The numbers in the places of a text of the catalogue."""
    text = catalogue("en")[id]
    pattern = re.sub(r"\\{\\{\w+\\}\\}", "(.+?)", re.escape(text))
    # A decimal point does not end a number.
    wanted = re.compile(pattern.replace(r"(.+?)\.", r"(.+?)\.(?!\d)"))
    found = [match for markdown in markdown(at) if (match := wanted.search(markdown.value))]
    assert found, id
    return numbers(" ".join(found[0].groups()))


def table_cell(at: AppTest, row: str, column: str) -> list[float]:
    """The numbers in a cell of the only table with this column, in the row that begins with `row`."""
    # Sizes are written with no-break spaces.
    texts = [markdown.value.replace("\xa0", " ") for markdown in markdown(at) if markdown.value.startswith("|")]
    tables = [[[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines()] for text in texts]
    (found,) = [table for table in tables if column in table[0]]
    (line,) = [line for line in found if line[0] == row]
    return numbers(line[found[0].index(column)])


# Digits in an answer that are not measured: a formula, or numbers that the question and the screen give.
GIVEN = re.compile(r"exp\(0\)|1/√\S+|1/d_k|\^\(\S+\)|F\.\S+")


@each_stop
def test_every_number_of_an_answer_is_claimed_or_given(name, number):
    stop = lecture(name).stops[number - 1]
    values = [one for claim in stop.claims for one in (claim.get("value"), claim.get("above"), claim.get("below"))]
    known = [value for value in values if value is not None]
    for language in ("en", "zh"):
        asked = [in_language(text, language) for text in (stop.question, *stop.choices)]
        given = numbers(" ".join([*asked, *map(str, stop.screen.values())]))
        for text in re.findall(r"\d[\d,]*(?:\.\d+)?", GIVEN.sub("", in_language(stop.answer, language))):
            (said,) = numbers(text)
            half = 0.5001 * 10.0 ** -len(text.partition(".")[2])
            near = any(abs(said - value * unit) <= half for value in known for unit in (1, 100))
            assert near or said in given, f"{language}: {text}"
