"""The words of figures: titles, formulas and sentences of all steps, in the language of the screen."""

from functools import cache
from typing import Any

from latex2mathml.converter import convert

from attention import index_notation, notation, state_notation
from attention.notation import SCORES, WEIGHTS, grouped, sunk, sunk_by_query
from attention.trace import OUTER, Quantity
from pages.shell.i18n import catalogue, say


def _read(row: Quantity) -> tuple[object, ...]:
    """The entry of a row for readers; rows that differ in an outer axis or in their Python share an entry."""
    return row.id, row.formula, row.kind, tuple(axis for axis in row.axes if axis not in OUTER)


_ROWS = (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)
_DRAWN = {row: _read(row) for row in _ROWS if row.axes}
_ENTRIES = tuple(dict.fromkeys(_DRAWN.values()))
# Each row's place in the table of `words`.
ROWS: dict[Quantity, int] = {row: _ENTRIES.index(read) for row, read in _DRAWN.items()}
# Texts for rows that the text of their step does not describe, by formula.
_TEXTS = {
    sunk(WEIGHTS).formula: "step.weights.sunk",
    sunk_by_query(WEIGHTS).formula: "step.weights.sunk",
    grouped(SCORES).formula: "step.scores.shared",
}


@cache
def words(language: str) -> dict[str, Any]:
    """The table of quantities to which ROWS points, axes, chapters and the component's own words by id.

    language: a browser's language code, which also chooses the shapes of Chinese characters.
    """
    return {
        "language": say("app.language", language),
        "table": [_entry(row, language) for row in dict(zip(ROWS.values(), ROWS, strict=True)).values()],
        "axes": _group("axis.", language),
        "chapters": _group("chapter.", language),
        "ui": _group("ui.", language),
    }


def called(step: str, axis: str) -> str:
    """The word for an axis of a step: tokens before the projections are neither queries nor keys."""
    return "token" if step in ("x", "context") and axis in ("query", "key") else axis


def _entry(row: Quantity, language: str) -> dict[str, Any]:
    rows, columns = ("", "", *(axis for axis in row.axes if axis not in OUTER))[-2:]
    own = {"called": word} if (word := called(row.id, rows)) != rows else {}
    return {
        "title": say(f"step.{row.id}.title", language),
        "text": _parts(say(_TEXTS.get(row.formula, f"step.{row.id}.text"), language)),
        "formula": convert(row.formula),
        "kind": row.kind,
        "rows": rows,
        "columns": columns,
        **own,
    }


def _group(prefix: str, language: str) -> dict[str, str]:
    return {id.removeprefix(prefix): text for id, text in catalogue(language).items() if id.startswith(prefix)}


def _parts(text: str) -> list[str]:
    """Alternating text and formulas, from the dollars in a text; the parts with an odd index are MathML."""
    return [convert(part) if index % 2 else part for index, part in enumerate(text.split("$"))]
