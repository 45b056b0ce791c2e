"""Worksheets and their answers as elements of a page to print, in a language.

Their tokens come from visitors, so they are written as text only, outside formulas.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attention.export.worksheet import D_K, Sheet
from attention.export.worksheet_questions import DROPOUT, HEADS, answers
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.exports.worksheet_back import WayBack
from pages.shell.exports.worksheet_matrix import listed, math, matrix, short, told
from pages.shell.i18n import catalogue, holes, say
from pages.shell.i18n.numbers import fixed

_PROJECTIONS = ("queries", "keys", "values")
_QUESTIONS = ("scaled_first", "only_key", "all_masked", "heads")


def numbers(first: int, count: int) -> str:
    """The numbers of some sheets."""
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


@dataclass(frozen=True)
class Printer:
    """Prints sheets and their keys in a language, with tokens as the names of rows and columns."""

    language: str
    tokens: tuple[str, ...]
    back: bool

    def everything(self, sheets: list[Sheet], link: str) -> Markup:
        return joined(
            tag("p", say("worksheet.print", self.language), class_="print"),
            *(page for one in sheets for page in self._pages(one)),
            self._questions(sheets[0]),
            self._keys(sheets, link),
        )

    def _questions(self, one: Sheet) -> Markup:
        """Four questions about the first sheet, with room to answer them."""
        asked = (
            tag("div", tag("h2", f"{number}. ", told(text)), tag("div", "", class_="room"), class_="question")
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
            "scores": listed(found.scaled_first),
            "p": f"{DROPOUT:g}",
            "zeros": listed(0 * found.kept),
            "kept": listed(found.kept),
            "rows": found.shape[0],
            "columns": found.shape[1],
            "nan": "NaN" if found.softmax.isnan().all() else listed(found.softmax),
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

    def _pages(self, one: Sheet) -> list[Markup]:
        return [self._sheet(one), *([self._way_back(WayBack(one))] if self.back else [])]

    def _way_back(self, way: WayBack) -> Markup:
        """The gradients of a sheet, line by line as its steps."""
        one = way.sheet
        number = say("worksheet.number", self.language, number=one.number)
        heading = tag("h1", say("worksheet.back.title", self.language), " · ", number)
        lead = say("worksheet.back.lead", self.language)
        if one.worked is not None:
            worked = say("worksheet.back.worked", self.language, token=short(self.tokens[one.worked]))
            lead = say("list.sentence", self.language, first=lead, following=worked)
        steps = [tag("div", matrix(way.gradients["output"], self.tokens, None, wide=True), class_="step whole")]
        sizes: dict[str, Any] = {"d_k": D_K, "factor": f"{one.factor:.4g}"}
        for at, (task, step) in enumerate(way.tasks.items(), 1):
            task_told = told(say(f"worksheet.step.{task}", self.language, **sizes))
            drawn = tag("div", matrix(step, self.tokens, way.blank[task], wide=True), class_="matrices")
            steps.append(tag("div", tag("h2", f"{at}. ", task_told), drawn, class_="step"))
        return tag(
            "section",
            tag("header", heading, class_="head"),
            tag("p", told(lead)),
            tag("div", *steps, class_="steps"),
            class_="back",
        )

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
        lead = say("worksheet.lead", self.language, tokens=" · ".join(map(short, self.tokens)))
        if one.worked is None:
            return lead
        worked = say("worksheet.worked", self.language, token=short(self.tokens[one.worked]))
        return say("list.sentence", self.language, first=lead, following=worked)

    def _steps(self, one: Sheet) -> list[Markup]:
        """The tasks of a sheet in order, each with its matrices."""
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
        text = say(f"worksheet.step.{task}", self.language, d_k=D_K, factor=f"{one.factor:.4g}", **held)
        task_told = told(text)
        if task.startswith("weights") and not one.trace["weights"].value.any(-1).all():
            task_told = joined(task_told, " ", told(say("worksheet.empty", self.language)))
        lines = [[matrix(one.trace[id], self.tokens, one.blank.get(id)) for id in row] for row in rows]
        if task == "output":
            hidden = [("−∞", "0")] if "mask" in one.trace else []
            lines[-1].append(_looked_up("e^x", [*map(_fixed, one.powers), *hidden]))
        if task == "softcapped":
            lines[-1].append(_looked_up(r"\kappa \tanh(x / \kappa)", [*map(_fixed, one.capped)]))
        matrices = (tag("div", *line, class_="matrices") for line in lines)
        whole = "step whole" if task in ("projections", "output") else "step"
        return tag("div", tag("h2", f"{number}. ", task_told), *matrices, class_=whole)

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
        lines = (tag("p", f"{number}. ", told(text)) for number, text in enumerate(texts, 1))
        return tag("article", heading, *lines, class_="answered")

    def _key(self, one: Sheet) -> Markup:
        heading = tag("h2", say("worksheet.number", self.language, number=one.number))
        projected, weighed = ([id for id in one.blank if (id in _PROJECTIONS) == first] for first in (True, False))
        rows = (
            tag("div", *(matrix(one.trace[id], self.tokens, one.blank[id], key=True) for id in row), class_="matrices")
            for row in (projected, weighed)
        )
        return tag("article", heading, *rows, *self._key_of_way_back(one), class_="key")

    def _key_of_way_back(self, one: Sheet) -> list[Markup]:
        if not self.back:
            return []
        way = WayBack(one)
        matrices = (matrix(step, self.tokens, way.blank[task], key=True, wide=True) for task, step in way.tasks.items())
        return [tag("div", *matrices, class_="matrices")]


def _looked_up(function: str, pairs: Sequence[tuple[str, str]]) -> Markup:
    """A table of a function's values, for readers without a calculator."""
    rows = (
        tag("tr", tag("th", math(of), scope="row"), *(tag("td", pair[at]) for pair in pairs))
        for at, of in enumerate(("x", function))
    )
    return tag("table", *rows, class_="powers")


def _fixed(pair: tuple[float, float]) -> tuple[str, str]:
    return fixed(pair[0]), fixed(pair[1])
