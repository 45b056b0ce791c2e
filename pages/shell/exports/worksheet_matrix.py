"""A matrix of a worksheet under its formula, with formatted numbers and blank cells."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from latex2mathml.converter import convert
from torch import Tensor

from attention.trace import Step
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.i18n.numbers import fixed

# A longer name would leave no room for the numbers.
_LONGEST = 12
_WIDE = ("scores", "scaled", "softcapped", "biased", "masked", "weights", "output")
# These matrices stand beside the scores that they change, and need no names of their own.
_SMALL = ("mask", "bias")


def matrix(step: Step, tokens: Sequence[str], blank: Tensor | None, *, key: bool = False, wide: bool = False) -> Markup:
    """A matrix under its formula. blank: the cells that are left blank, or stand out in a key; wide: room for decimals
    in every step."""
    values, (rows, columns) = step.of(), step.axes[-2:]
    shown = decimals(values)
    lines = []
    for row, line in enumerate(values.tolist()):
        hidden = [False] * len(line) if blank is None else blank[row].tolist()
        cells = (cell(shown(value), left_out, key) for value, left_out in zip(line, hidden, strict=True))
        first = [named(tokens[row], "row")] if rows in ("query", "key") and step.id not in _SMALL else []
        lines.append(tag("tr", *first, *cells))
    head = Markup()
    if columns == "key" and step.id in _WIDE:
        names = (named(tokens[column], "col") for column in range(values.shape[1]))
        head = tag("thead", tag("tr", tag("td"), *names))
    size = {"class_": "small" if step.id in _SMALL else "wide" if wide or step.id in _WIDE else "usual"}
    caption = tag("figcaption", math(step.quantity.formula))
    return tag("figure", caption, tag("table", head, tag("tbody", *lines), **size))


def named(token: str, scope: str) -> Markup:
    """The name of a row or a column."""
    return tag("th", tag("span", short(token)), scope=scope)


def listed(values: Tensor) -> str:
    """A row of numbers as text."""
    return f"({', '.join(map(decimals(values), values.tolist()))})"


def cell(shown: str, left_out: bool, key: bool) -> Markup:
    if left_out and key:
        return tag("td", shown, class_="answer")
    return tag("td", class_="blank") if left_out else tag("td", shown)


def told(text: str) -> Markup:
    """A text of the app with the formulas between its dollars; it never holds text from outside."""
    parts = text.split("$")
    return joined(*(math(part) if index % 2 else part for index, part in enumerate(parts)))


@cache
def math(latex: str) -> Markup:
    return Markup(convert(latex))


def decimals(values: Tensor) -> Callable[[float], str]:
    """The function that formats the numbers of a matrix: whole ones without decimals, others with two."""
    finite = values[values.isfinite()].double()
    whole = bool((finite == finite.round()).all())
    return partial(fixed, decimals=0 if whole else 2)


def short(token: str) -> str:
    return token if len(token) <= _LONGEST else f"{token[: _LONGEST - 1]}…"
