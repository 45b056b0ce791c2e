"""The worksheets of a screen: a page to print, first the sheets with blanks, then their answers.

Its tokens come from visitors: they are written as text only, outside formulas.
"""

from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from attention.export.worksheet import D_K, MOST_TOKENS, Sheet, sheet
from attention.export.worksheet_questions import DROPOUT, HEADS, answers
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.exports.worksheet_back import WayBack
from pages.shell.exports.worksheet_matrix import listed, math, matrix, short, told
from pages.shell.i18n import catalogue, holes, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import run
from pages.shell.state.config import Config

MOST = 40
_PAGE = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
_PROJECTIONS = ("queries", "keys", "values")
_QUESTIONS = ("scaled_first", "only_key", "all_masked", "heads")


def made(config: Config, count: int, language: str, link: str, back: bool = False) -> str:
    """The page of `count` sheets, the first of which has the seed of the screen as its number.

    Its tokens are the first ones of the sentence that is shown, its mask and its scale those of the screen. link: where
    the screen is found again; back: whether each sheet has a page on the gradients of its scores.
    """
    shown = run(config.all_asking(), record_mask=True)
    tokens = shown.tokens[: min(MOST_TOKENS, shown.inputs.lengths[shown.sentence])]
    mask = shown.trace["mask"].of(**shown.where)[: len(tokens), : len(tokens)].cpu()
    seeds = range(config.seed, config.seed + min(max(count, 1), MOST))
    sheets = [sheet(seed, len(tokens), mask=None if mask.all() else mask, scale=config.scale) for seed in seeds]
    printer = _Printer(language, tokens, back)
    return _PAGE.substitute(
        language=joined(say("app.language", language)),
        title=joined(say("worksheet.title", language), " ", numbers(seeds.start, len(seeds))),
        content=printer.everything(sheets, link),
    )


def numbers(first: int, count: int) -> str:
    """The numbers of some sheets."""
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def name(config: Config, count: int) -> str:
    """The name of the file."""
    return f"attention-worksheet-{numbers(config.seed, count).replace('–', '-')}.html"


@dataclass(frozen=True)
class _Printer:
    """Sheets and their keys in a language, with the names of the rows and the columns that are tokens."""

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
        """The gradients of a sheet, row by row as its steps."""
        one = way.sheet
        number = say("worksheet.number", self.language, number=one.number)
        heading = tag("h1", say("worksheet.back.title", self.language), " · ", number)
        lead = say("worksheet.back.lead", self.language)
        if one.worked is not None:
            worked = say("worksheet.back.worked", self.language, token=short(self.tokens[one.worked]))
            lead = say("list.sentence", self.language, first=lead, following=worked)
        steps = [tag("div", matrix(way.gradients["output"], self.tokens, None, wide=True), class_="step whole")]
        for at, (task, step) in enumerate(way.tasks.items(), 1):
            task_told = told(say(f"worksheet.step.{task}", self.language, d_k=D_K, factor=f"{one.factor:.4g}"))
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
        """What is to be done, in order; each with the matrices that it is done to."""
        scaled = "scaled" if "scale" not in one.trace else "scaled_by"
        work = {
            "projections": (("x", "w_q", "w_k", "w_v"), _PROJECTIONS),
            "scores": (("scores",),),
            scaled: (("scaled",),),
            "masked": (("mask", "masked"),),
            "weights": (("weights",),),
            "output": (("output",),),
        }
        present = {task: rows for task, rows in work.items() if rows[-1][-1] in one.trace}
        return [self._step(one, number, *step) for number, step in enumerate(present.items(), 1)]

    def _step(self, one: Sheet, number: int, task: str, rows: tuple[tuple[str, ...], ...]) -> Markup:
        task_told = told(say(f"worksheet.step.{task}", self.language, d_k=D_K, factor=f"{one.factor:.4g}"))
        if task == "weights" and not one.trace["weights"].value.any(-1).all():
            task_told = joined(task_told, " ", told(say("worksheet.empty", self.language)))
        lines = [[matrix(one.trace[id], self.tokens, one.blank.get(id)) for id in row] for row in rows]
        if task == "output":
            lines[-1].append(self._powers(one))
        matrices = (tag("div", *line, class_="matrices") for line in lines)
        whole = "step whole" if task in ("projections", "output") else "step"
        return tag("div", tag("h2", f"{number}. ", task_told), *matrices, class_=whole)

    def _powers(self, one: Sheet) -> Markup:
        """e^x, for those who have no calculator with them."""
        pairs = [(fixed(x), fixed(power)) for x, power in one.powers]
        if "mask" in one.trace:
            pairs.append(("−∞", "0"))
        rows = (
            tag("tr", tag("th", math(letter), scope="row"), *(tag("td", pair[at]) for pair in pairs))
            for at, letter in enumerate(("x", "e^x"))
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
