"""The sentence about a cell that a mask decides is true of the mask, even if it is read alone."""

import itertools
import re

import pytest
import torch

from attention.explain.cell import cell
from attention.masks import CORNERS, MASKS
from pages.shell.i18n import say
from pages.shell.runs.run import run
from pages.shell.views import rules
from tests.support.app import app, computed, markdown
from tests.support.patterns import REFERENCES

TEXT = "one two three four five six seven"
WIDTH, LENGTH = 2, 3
SAID = re.compile(r"the query at position (-?\d+) (may|may not) attend to the key at position (\d+)")


def sentences(shown) -> dict[tuple[int, int], str]:
    """The sentence about each cell of the run's mask."""
    queries, keys = shown.trace.sizes["query"], shown.trace.sizes["key"]
    where = {"batch": shown.sentence, "head": shown.head}
    return {
        at: rules.sentence(shown, cell(shown.trace, "mask", *at, **where), *at)
        for at in itertools.product(range(queries), range(keys))
    }


def holds(name: str, i: int, j: int) -> bool:
    numbers = {"width": WIDTH, "length": LENGTH}
    return REFERENCES[name](i, j, **{each: numbers[each] for each in MASKS[name].parameters})


def link(mask, corner, last):
    return computed(preset="random", text=TEXT, mask=mask, corner=corner, last=last, width=WIDTH, length=LENGTH).config


@pytest.mark.parametrize("last", [0, 3])
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("mask", MASKS)
def test_what_is_said_of_positions_is_what_the_mask_says_of_them(mask, corner, last):
    shown = run(link(mask, corner, last), record_mask=True)
    recorded = shown.trace["mask"].value[0, 0]
    for (row, column), text in sentences(shown).items():
        i, decided, j = SAID.search(text).groups()
        assert int(j) == column + 1
        assert (decided == "may") == bool(recorded[row, column]) == holds(mask, int(i) - 1, int(j) - 1), text
        parts = dict(re.findall(r"'(\w+)'(?: \([^)]*\))? (allows|forbids) it", text))
        assert set(parts) == (set(mask.split(" & ")) if "&" in mask else set())
        assert all((said == "allows") == holds(part, int(i) - 1, int(j) - 1) for part, said in parts.items())
        for name in MASKS[mask].parameters:
            assert f"{say(f'control.{name}.label')} = {getattr(shown.config, name)}" in text


@pytest.mark.parametrize(("corner", "stands"), [("upper_left", [1, 2, 3]), ("lower_right", [5, 6, 7])])
def test_with_fewer_queries_it_says_where_the_corner_puts_them(corner, stands):
    said = sentences(run(link("causal", corner, 3)))
    for row, place in enumerate(stands):
        text = said[row, 0]
        assert f"3 queries and 7 keys: with the corner {corner}, this query has position {place}" in text
        assert (f"Its token is at position {row + 5} of the sentence" in text) == (corner == "upper_left")


def test_with_as_many_queries_as_keys_nothing_is_said_of_corners():
    assert not any("corner" in text for text in sentences(run(link("causal", "lower_right", 0))).values())


def test_of_another_text_no_place_in_the_sentence_is_said():
    shown = run(link("causal", "lower_right", 0), context="a b c")
    text = sentences(shown)[0, 0]
    assert "this query has position -3" in text
    assert "Its token" not in text
    assert SAID.search(text).groups() == ("-3", "may not", "1")
    assert not bool(shown.trace["mask"].value[0, 0, 0, 0])


def test_the_page_says_it():
    at = app("masks", preset="story", last=3, cell="mask.0.1.one_mask")
    (text,) = [block.value for block in markdown(at) if "so its score becomes" in block.value]
    assert "the query at position 1 may not attend to the key at position 2" in text
    assert "Its token is at position 6" in text


def test_padding_is_named_before_the_mask():
    shown = computed(preset="random", text=f"{TEXT}\none two", sentence=2, mask="causal")
    assert torch.equal(shown.trace["mask"].value[1, 0].any(0), torch.arange(7) < 2)
    assert sentences(shown)[6, 2] == "The key at position 3 is padding, and no query attends to padding."
