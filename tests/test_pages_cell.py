"""A link may point at a cell: the page tells its number, and shrugs at cells that are not there."""

import pytest

from pages.shell.text import say
from tests.app_support import HOME, app, computed, figures, no_exception, recorded

LINK = {"preset": "random", "text": "one two three four five", "heads": 3, "d_model": 33, "bias": True, "dropout": 0.3}
SHOWN = computed(**LINK)


def told(cell: str, **link) -> list[str]:
    at = app(HOME, cell=cell, **link)
    assert no_exception(at)
    return [info.value for info in at.info]


@pytest.mark.parametrize("id", [id for id, step in SHOWN.trace.items() if step.axes])
def test_the_number_of_a_cell_is_told(id):
    matrix = recorded(SHOWN, id)
    row, column = matrix.shape[0] - 1, matrix.shape[1] - 2
    (text,) = set(told(f"{id}.{row}.{column}", **LINK))
    assert say(f"step.{id}.title") in text
    assert f"**{matrix[row, column]:.6g}**" in text


@pytest.mark.parametrize("head", [1, 2, 3])
def test_the_number_is_that_of_the_head_that_is_shown(head):
    (text,) = set(told("weights.4.1", **LINK, head=head))
    assert f"**{SHOWN.trace['weights'].value[0, head - 1, 4, 1]:.6g}**" in text


def test_the_tokens_of_the_cell_are_named():
    (text,) = set(told("weights.4.1", **LINK))
    assert "`five`" in text
    assert "`two`" in text


def test_with_fewer_queries_the_rows_are_the_last_tokens():
    (text,) = set(told("weights.1.0", **LINK, last=2))
    assert "`five`" in text
    assert "`one`" in text


def test_the_sentences_under_the_figures_speak_of_the_query_of_the_cell():
    at = app(HOME, cell="scores.1.0", **LINK | {"dropout": 0.0})
    assert "two" in figures(at)["weights"].rest["note"]


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
        "weights.1.5.0",
        "context.0.0",
        "scale.0.0",
        "dropout.0.0",
        "banana.0.0",
        "<img src=x>.0.0",
        "weights.\u0663.1",
        "." * 10_000,
    ],
    ids=lambda cell: repr(cell[:40]),
)
def test_a_cell_that_is_not_there_is_no_cell(cell):
    expected = {"weights.1.5.0", "weights.\u0663.1"}
    assert told(cell, **LINK) == [] or cell in expected


def test_a_token_in_the_told_cell_is_shown_as_code():
    hostile = "<img src=x onerror=window.hacked=1> `[x](javascript:alert(1))`"
    at = app(HOME, cell="weights.1.0", preset="random", text=hostile)
    assert no_exception(at)
    (text,) = {info.value for info in at.info}
    assert "`img`" in text
    assert "`<`" in text
