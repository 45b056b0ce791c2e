"""The page on masks hides what comes after the query that it speaks about, wherever the queries begin."""

import pytest

from tests.app_support import app


def table(at, heading: str) -> list[list[str]]:
    """The cells of the Markdown table whose header holds a text."""
    text = next(block.value for block in at.markdown if block.value.startswith("|") and heading in block.value)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]


@pytest.mark.parametrize(("last", "seen"), [(0, 4), (3, 7)])
def test_the_future_begins_after_the_query(last, seen):
    header, _, _, before, zero_before, zero_after, renormalised = table(app("masks", last=last), "Weight on")
    marked = [name.endswith("▨") for name in header[1:-2]]
    assert marked == [place >= seen for place in range(8)]
    assert before[-2:] == renormalised[-2:] == ["1.0000", "0.0%"]
    assert before[1:-2] == renormalised[1:-2]
    assert zero_before[-2] == "1.0000"
    assert zero_before[-1] != "0.0%"
    assert zero_after[-1] == "0.0%"


def test_one_query_has_nothing_to_hide():
    at = app("masks", last=1)
    assert any("nothing to hide" in block.value for block in at.markdown)


def test_five_answers_to_a_query_that_may_attend_to_nothing():
    rows = table(app("masks"), "That is")[2:]
    assert [row[-1] for row in rows] == [
        "not a number",
        "uniform over keys that are forbidden",
        "not a number",
        "zeros: it attends to nothing",
        "zeros: it attends to nothing",
    ]
