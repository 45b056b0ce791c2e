"""What the figures say in every run: titles, formulas and sentences of all steps, in the language of the screen."""

from functools import cache
from typing import Any

from latex2mathml.converter import convert

from attention.notation import QUANTITIES
from pages.shell.text import LANGUAGES, catalogue, say


@cache
def words(language: str = LANGUAGES[0]) -> dict[str, Any]:
    """Formulas as MathML by their LaTeX; steps, axes and the component's own words by id."""
    drawn = [row for row in QUANTITIES if row.axes]
    return {
        "formulas": {row.formula: convert(row.formula) for row in drawn},
        "steps": {
            row.id: {
                "title": say(f"step.{row.id}.title", language),
                "text": _parts(say(f"step.{row.id}.text", language)),
            }
            for row in drawn
        },
        "axes": {axis: say(f"axis.{axis}", language) for row in drawn for axis in row.axes},
        "chapters": _group("chapter.", language),
        "ui": _group("ui.", language),
    }


def _group(prefix: str, language: str) -> dict[str, str]:
    return {id.removeprefix(prefix): text for id, text in catalogue(language).items() if id.startswith(prefix)}


def _parts(text: str) -> list[str]:
    """Text and the formulas between dollars by turns: the parts with an odd index are MathML."""
    return [convert(part) if index % 2 else part for index, part in enumerate(text.split("$"))]
