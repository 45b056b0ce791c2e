"""The arithmetic of one cell in words: its title, the rule that computes it, and its operands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attention.explain.explanation import Explanation
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code


@dataclass(frozen=True)
class Panel:
    """title: of the figure; place: the cell in it, in Markdown; rule: a sentence on the kind of arithmetic; labels: the
    names along the axes of the operands, if they have some."""

    title: str
    place: str
    rule: str
    explained: Explanation
    labels: Mapping[str, Sequence[str]]


def named(axis: str, tokens: Sequence[str], index: int) -> str:
    """An axis and a position (from 0) on it: the name there, as code that Markdown does not read, or its number."""
    name = code(tokens[index]) if tokens else str(index + 1)
    # The name of an operand needs no axis before it.
    return name if axis == "operand" and tokens else f"{say(f'axis.{axis}')} {name}"
