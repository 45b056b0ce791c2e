"""A link may name a cell: the page tells its number, and ignores cells that do not exist."""

import re
from functools import cache

import pytest

from pages.shell.i18n import say
from pages.shell.screen import Screen
from tests.support.app import computed, figures, linked, markdown, recorded
from tests.support.numbers import plain

LINK = {"preset": "random", "text": "one two three four five", "heads": 3, "d_model": 33, "bias": True, "dropout": 0.3}
SHOWN = computed(**LINK)


def texts(at: Screen) -> list[str]:
    return [text.value for text in markdown(at)]


@cache
def without_a_cell(**link) -> tuple[str, ...]:
    return tuple(texts(linked(**link)))


def told(cell: str, **link) -> str:
    """The texts that the page has only if its link names this cell."""
    at = linked(cell=cell, **link)
    return "\n".join(text for text in texts(at) if text not in without_a_cell(**link))


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", plain(text))]


@pytest.mark.parametrize("id", [id for id, step in SHOWN.trace.items() if step.axes])
def test_the_number_of_a_cell_is_told(id):
    matrix = recorded(SHOWN, id)
    # The last query is avoided, since the page tells its weights without being asked.
    row, column = max(matrix.shape[0] - 2, 0), matrix.shape[1] - 2
    # The link names the step, too: with dropout, the large figure shows the weights after dropout.
    text = told(f"{id}.{row}.{column}", **LINK, step=id)
    assert say(f"step.{id}.title") in text
    assert any(number == pytest.approx(matrix[row, column], rel=2e-3) for number in numbers(text))


@pytest.mark.parametrize("head", [1, 2, 3])
def test_the_number_is_that_of_the_head_that_is_shown(head):
    text = told("weights.4.1", **LINK, head=head)
    shown = [
        any(number == pytest.approx(value, rel=2e-3) for number in numbers(text))
        for value in SHOWN.trace["weights"].value[0, :, 4, 1].tolist()
    ]
    assert shown == [index + 1 == head for index in range(3)]


def test_the_tokens_of_the_cell_are_named():
    text = told("weights.4.1", **LINK)
    assert "`five`" in text
    assert "`two`" in text


def test_with_fewer_queries_the_rows_are_the_last_tokens():
    # The first of the two queries is named, since the page tells a cell of the last one without being asked.
    text = told("weights.0.1", **LINK, last=2)
    assert "`four`" in text
    assert "`two`" in text


def test_the_sentences_under_the_figures_speak_of_the_query_of_the_cell():
    at = linked(cell="scores.1.0", **LINK)
    assert "'two'" in figures(at)["weights"].rest["note"]


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "weights",
        "weights.1",
        "weights.5.0",
        "weights.0.5",
        "weights.-1.0",
        "weights.0.99999999999999999999",
        "weights.¹.²",
        "weights.0x1.0",
        "context.0.0",
        "scale.0.0",
        "dropout.0.0",
        "banana.0.0",
        "<img src=x>.0.0",
        "." * 10_000,
    ],
    ids=lambda cell: repr(cell[:40]),
)
def test_a_cell_that_is_not_there_is_no_cell(cell):
    assert told(cell, **LINK, scale="none") == ""


def test_a_token_of_the_cell_is_shown_as_code():
    hostile = "<img src=x onerror=window.hacked=1> `[x](javascript:alert(1))`"
    text = told("weights.1.0", preset="random", text=hostile)
    assert "`img`" in text
    assert "`<`" in text
