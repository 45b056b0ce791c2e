"""Sheets and their keys as elements of a page to print, in a language.

The names of rows and columns come from visitors. They are put where no formula is read, and only ever as text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from latex2mathml.converter import convert
from torch import Tensor

from attention.export.worksheet import D_K, Sheet
from attention.export.worksheet_questions import DROPOUT, HEADS, answers
from attention.trace import Step
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.i18n import catalogue, holes, say
from pages.shell.i18n.numbers import fixed

# A longer name would leave no room for the numbers.
_LONGEST = 12
_WIDE = ("scores", "scaled", "softcapped", "biased", "masked", "weights", "output")
# What stands beside the scores that it changes, and needs no names of its own.
_SMALL = ("mask", "bias")
_PROJECTIONS = ("queries", "keys", "values")
_QUESTIONS = ("scaled_first", "only_key", "all_masked", "heads")


def numbers(first: int, count: int) -> str:
    """The numbers of some sheets."""
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


@dataclass(frozen=True)
class Printer:
    """Sheets and their keys in a language, with the names of the rows and the columns that are tokens."""

    language: str
    tokens: tuple[str, ...]

    def everything(self, sheets: list[Sheet], link: str) -> Markup:
        return joined(
            tag("p", say("worksheet.print", self.language), class_="print"),
            *(self._sheet(one) for one in sheets),
            self._questions(sheets[0]),
            self._keys(sheets, link),
        )

    def _questions(self, one: Sheet) -> Markup:
        """Four questions about the first sheet, with room to answer them."""
        asked = (
            tag("div", tag("h2", f"{number}. ", _told(text)), tag("div", "", class_="room"), class_="question")
            for number, text in enumerate(self._asked(one, "ask"), 1)
        )
        number = say("worksheet.number", self.language, number=one.number)
        heading = tag("h1", say("worksheet.questions.title", self.language), " · ", number)
        return tag("section", tag("header", heading, class_="head"), *asked, class_="questions")

    def _asked(self, one: Sheet, part: str) -> list[str]:
        """The questions (ask) or their answers, with the numbers of a sheet."""
        found = answers(one)
        values: dict[str, Any] = {
            "root": f"{D_K**0.5:.4g}",
            "query": found.query + 1,
            "scores": _listed(found.scaled_first),
            "p": f"{DROPOUT:g}",
            "zeros": _listed(0 * found.kept),
            "kept": _listed(found.kept),
            "rows": found.shape[0],
            "columns": found.shape[1],
            "nan": "NaN" if found.softmax.isnan().all() else _listed(found.softmax),
            "heads": HEADS,
            "first": found.columns.start + 1,
            "last": found.columns.stop,
            "features": one.trace.sizes["model"],
        }
        texts = []
        for id in _QUESTIONS:
            text = f"worksheet.{part}.{id}"
            needed = holes(catalogue(self.language)[text])
            texts.append(say(text, self.language, **{name: values[name] for name in needed}))
        return texts

    def _sheet(self, one: Sheet) -> Markup:
        asked = (say("worksheet.name", self.language), say("worksheet.date", self.language))
        lines = (tag("span", line, class_="line") for line in asked)
        number = say("worksheet.number", self.language, number=one.number)
        heading = tag("h1", say("worksheet.title", self.language), " · ", number)
        return tag(
            "section",
            tag("header", heading, *lines, class_="head"),
            tag("p", self._lead(one)),
            tag("div", *self._steps(one), class_="steps"),
            class_="sheet",
        )

    def _lead(self, one: Sheet) -> str:
        lead = say("worksheet.lead", self.language, tokens=" · ".join(map(_short, self.tokens)))
        if one.worked is None:
            return lead
        worked = say("worksheet.worked", self.language, token=_short(self.tokens[one.worked]))
        return say("list.sentence", self.language, first=lead, following=worked)

    def _steps(self, one: Sheet) -> list[Markup]:
        """What is to be done, in order; each with the matrices that it is done to."""
        scaled = "scaled" if "scale" not in one.trace else "scaled_by"
        work = {
            "projections": (("x", "w_q", "w_k", "w_v"), _PROJECTIONS),
            "scores": (("scores",),),
            scaled: (("scaled",),),
            "softcapped": (("softcapped",),),
            "biased": (("bias", "biased"),),
            "masked": (("mask", "masked"),),
            "weights" if "sink" not in one.trace else "weights_sink": (("weights",),),
            "output": (("output",),),
        }
        present = {task: rows for task, rows in work.items() if rows[-1][-1] in one.trace}
        return [self._step(one, number, *step) for number, step in enumerate(present.items(), 1)]

    def _step(self, one: Sheet, number: int, task: str, rows: tuple[tuple[str, ...], ...]) -> Markup:
        held = {id: f"{float(one.trace[id].value):.4g}" for id in ("softcap", "slopes", "sink") if id in one.trace}
        told = _told(say(f"worksheet.step.{task}", self.language, d_k=D_K, factor=f"{one.factor:.4g}", **held))
        if task.startswith("weights") and not one.trace["weights"].value.any(-1).all():
            told = joined(told, " ", _told(say("worksheet.empty", self.language)))
        lines = [[self._matrix(one.trace[id], one.blank.get(id)) for id in row] for row in rows]
        if task == "output":
            hidden = [("−∞", "0")] if "mask" in one.trace else []
            lines[-1].append(self._looked_up("e^x", [*map(_fixed, one.powers), *hidden]))
        if task == "softcapped":
            lines[-1].append(self._looked_up(r"\kappa \tanh(x / \kappa)", [*map(_fixed, one.capped)]))
        matrices = (tag("div", *line, class_="matrices") for line in lines)
        whole = "step whole" if task in ("projections", "output") else "step"
        return tag("div", tag("h2", f"{number}. ", told), *matrices, class_=whole)

    def _matrix(self, step: Step, blank: Tensor | None, key: bool = False) -> Markup:
        """A matrix under its formula. blank: what is left out, or what stands out in a key."""
        values, (rows, columns) = step.of(), step.axes[-2:]
        shown = _decimals(values)
        lines = []
        for row, line in enumerate(values.tolist()):
            hidden = [False] * len(line) if blank is None else blank[row].tolist()
            cells = (_cell(shown(value), left_out, key) for value, left_out in zip(line, hidden, strict=True))
            named = [self._named(row, "row")] if rows in ("query", "key") and step.id not in _SMALL else []
            lines.append(tag("tr", *named, *cells))
        head = Markup()
        if columns == "key" and step.id in _WIDE:
            names = (self._named(column, "col") for column in range(values.shape[1]))
            head = tag("thead", tag("tr", tag("td"), *names))
        size = {"class_": "small" if step.id in _SMALL else "wide" if step.id in _WIDE else "usual"}
        caption = tag("figcaption", _math(step.quantity.formula))
        return tag("figure", caption, tag("table", head, tag("tbody", *lines), **size))

    def _named(self, position: int, scope: str) -> Markup:
        return tag("th", tag("span", _short(self.tokens[position])), scope=scope)

    def _looked_up(self, function: str, pairs: Sequence[tuple[str, str]]) -> Markup:
        """What a function makes of each number, for those who have no calculator with them."""
        rows = (
            tag("tr", tag("th", _math(of), scope="row"), *(tag("td", pair[at]) for pair in pairs))
            for at, of in enumerate(("x", function))
        )
        return tag("table", *rows, class_="powers")

    def _keys(self, sheets: list[Sheet], link: str) -> Markup:
        which = numbers(sheets[0].number, len(sheets))
        return tag(
            "section",
            tag("h1", say("worksheet.key", self.language, numbers=which)),
            tag("p", say("worksheet.key_lead", self.language)),
            tag("p", say("worksheet.again", self.language), " ", tag("code", link)),
            self._answered(sheets[0]),
            *(self._key(one) for one in sheets),
            class_="keys",
        )

    def _answered(self, one: Sheet) -> Markup:
        texts = self._asked(one, "answer")
        heading = tag("h2", say("worksheet.questions.title", self.language))
        lines = (tag("p", f"{number}. ", _told(text)) for number, text in enumerate(texts, 1))
        return tag("article", heading, *lines, class_="answered")

    def _key(self, one: Sheet) -> Markup:
        heading = tag("h2", say("worksheet.number", self.language, number=one.number))
        projected, weighed = ([id for id in one.blank if (id in _PROJECTIONS) == first] for first in (True, False))
        rows = (
            tag("div", *(self._matrix(one.trace[id], one.blank[id], key=True) for id in row), class_="matrices")
            for row in (projected, weighed)
        )
        return tag("article", heading, *rows, class_="key")


def _listed(values: Tensor) -> str:
    """A row of numbers as it is written."""
    return f"({', '.join(map(_decimals(values), values.tolist()))})"


def _cell(shown: str, left_out: bool, key: bool) -> Markup:
    if left_out and key:
        return tag("td", shown, class_="answer")
    return tag("td", class_="blank") if left_out else tag("td", shown)


def _told(text: str) -> Markup:
    """One of our own texts with the formulas between its dollars: nothing from outside is ever in it."""
    parts = text.split("$")
    return joined(*(_math(part) if index % 2 else part for index, part in enumerate(parts)))


@cache
def _math(latex: str) -> Markup:
    return Markup(convert(latex))


def _decimals(values: Tensor) -> Callable[[float], str]:
    """How the numbers of a matrix are written: whole ones without decimals, others with two."""
    finite = values[values.isfinite()].double()
    whole = bool((finite == finite.round()).all())
    return partial(fixed, decimals=0 if whole else 2)


def _fixed(pair: tuple[float, float]) -> tuple[str, str]:
    return fixed(pair[0]), fixed(pair[1])


def _short(token: str) -> str:
    return token if len(token) <= _LONGEST else f"{token[: _LONGEST - 1]}…"
