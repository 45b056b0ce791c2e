"""The words that a number of the output comes from: five methods compared."""

from collections.abc import Iterator, Sequence

from torch import Tensor, tensor

from attention.analysis.attribution import METHODS, Attribution
from attention.analysis.backward import Backward
from attention.figures import LIMIT
from attention.inputs.grammar import QUESTIONS, Asked
from attention.inputs.tokens import PAD
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.i18n.numbers import digits
from pages.shell.runs import attribution, backward
from pages.shell.runs.attribution import Attributed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import attribution as methods
from pages.shell.views import blocks, explained, waiting
from pages.shell.views.backward import target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of


def section(screen: Screen) -> Iterator[Block]:
    """The shares of the words by each method, and how far two methods agree."""
    run = screen.run
    query, feature = place(run, target.found(screen))
    is_quick = attribution.is_quick(run)
    found = attribution.of_number(run, query, feature) if is_quick else _waited(screen).number
    yield blocks.heading(say("backward.attribution.title"))
    yield blocks.text(say("backward.attribution.lead"))
    word, number = run.labels["query"][query], digits(found.number, 4)
    what = say("backward.attribution.said", word=word, feature=feature + 1, number=number)
    yield from explained.row(screen, "backward-attribution", *methods.figures(run, found, what))


def answered(screen: Screen) -> Iterator[Block]:
    """The word that each method names for each question of the word whose right answer is known."""
    run = screen.run
    found = attribution.of_answers(run) if attribution.is_quick(run) else _waited(screen).answers
    if found:
        yield from _answers(run, found)


def _waited(screen: Screen) -> Attributed:
    return waiting.result(attribution.experiment(screen.run, *place(screen.run, target.found(screen))))


def place(run: Run, made: Backward) -> tuple[int, int]:
    """The row and the column of the explained output: those of the target, if it is an output."""
    if made.target.id == backward.OUTPUT and hasattr(made.target, "column"):
        return made.target.row, made.target.column  # type: ignore[attr-defined]
    query = focus_of(run)
    return query, int(run.matrix(backward.OUTPUT)[query, :LIMIT].abs().argmax())


def _answers(run: Run, found: Sequence[tuple[Asked, Attribution]]) -> Iterator[Block]:
    """The words that each method gives for the logits of the right answers."""
    words, names = [token for token in run.tokens if token != PAD], methods.names()
    rows, right = [], tensor([0] * len(METHODS))
    for one, made in found:
        largest = [int(values.argmax()) if values.any() else None for values in made.values]
        hits = tensor([key == one.target for key in largest])
        right = right + hits
        shown = [
            "–" if key is None else f"{code(run.labels['key'][key])} {'✓' if hit else '✗'}"
            for key, hit in zip(largest, hits, strict=True)
        ]
        rows.append((say(f"learned.question.{QUESTIONS[one.question]}"), code(words[one.target]), *shown))
    yield blocks.text(_score(right, len(rows), names))
    yield blocks.table(say("learned.column.asks"), say("learned.column.right"), *names, rows=rows)


def _score(right: Tensor, asked: int, names: list[str]) -> str:
    parts = (f"{name} {int(hits)}" for name, hits in zip(names, right, strict=True))
    return say("backward.attribution.score", asked=asked, parts=listed("comma", parts))
