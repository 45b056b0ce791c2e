"""The effect of a change on all answers of the sentence: how likely each right one was and is, and which are lost."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import backward, brings
from pages.shell.runs.run import Run
from pages.shell.views import asking
from pages.shell.views.backward import answer

# The source of a smaller gain is not told.
_LEAST = 0.01


class Answer(NamedTuple):
    """The right answer to a question of a word: how likely it was and is, and whether it was given and is."""

    one: Asked
    then: float
    now: float
    was_right: bool
    is_right: bool

    @property
    def is_lost(self) -> bool:
        return self.was_right and not self.is_right


def of_word(run: Run, after: Run, row: int) -> Iterator[Answer]:
    """The answers of a word, in the order of its questions."""
    for one in answer.asked(run, row):
        then, now = (answer.sure(each, row, one.question) for each in (run, after))
        was_right, is_right = (answer.given(each, row, one.question)[2] for each in (run, after))
        yield Answer(one, then, now, was_right, is_right)


def lost(run: Run, after: Run, row: int) -> list[Asked]:
    """The questions of a word that were answered right at rest and are not any more."""
    return [each.one for each in of_word(run, after, row) if each.is_lost]


def said(run: Run, after: Run, row: int, one: Asked) -> str:
    """How many of the sentence's other answers were right and are lost; "" if none was right."""
    rows = range(len(backward.right_answers(run)[run.sentence]))
    others = [each for place in rows for each in of_word(run, after, place) if (place, each.one) != (row, one)]
    right, lost = (sum(getattr(each, name) for each in others) for name in ("was_right", "is_lost"))
    if not right:
        return ""
    return say(f"backward.others.{'kept' if not lost else 'one' if lost == 1 else 'lost'}", lost=lost, right=right)


def line(run: Run, after: Run, row: int, question: int | None, words: Sequence[int]) -> tuple[list[Any], list[Any]]:
    """The answers of each of these words, as drawing data and in words. row, question: the answer that is looked at."""
    drawn, told = [], []
    for place in words:
        found = [*of_word(run, after, place)] if place >= 0 else []
        drawn.append(
            [
                {
                    "now": float(f"{each.now:.4g}"),
                    "then": float(f"{each.then:.4g}"),
                    "isRight": each.is_right,
                    "isLost": each.is_lost,
                    "isAsked": (place, each.one.question) == (row, question),
                }
                for each in found
            ]
        )
        told.append([_told(run, after, place, each) for each in found])
    return drawn, told


def _told(run: Run, after: Run, row: int, each: Answer) -> str:
    """The question, its right answer with its probabilities and, if that is not given, the answer instead of it."""
    shares = [fixed(each.then), fixed(each.now)]
    named = {"question": asking.name_of(each.one.question), "answer": answer.right(run, each.one)}
    told = say("backward.answer_told", **named, share=" → ".join(dict.fromkeys(shares)))
    if each.is_right:
        return told
    given = answer.given_bare(after, row, each.one.question)
    return listed("semicolon", (told, say("backward.answer_says", given=given)))


def by_weights(run: Run, after: Run, row: int, one: Asked, weights: Tensor) -> dict[str, Any]:
    """The part of the gain that the weights bring while W_V and W_O are as before, beside all of it; nothing if dropout
    draws among the weights."""
    alone = brings.likely(run, row, one.question, weights)
    if alone is None:
        return {}
    then, now = (answer.sure(each, row, one.question) for each in (run, after))
    return {
        "said": _part(alone - then, now - then),
        "title": say("backward.gain_title", answer=answer.right_named(run, one)),
        "then": then,
        "rows": [
            {"name": say(f"backward.gain.{name}"), "share": share, "written": fixed(share)}
            for name, share in (("weights", alone), ("all", now))
        ],
    }


def _part(looks: float, gain: float) -> str:
    """The part of a gain that comes from where heads look; "" if the gain is next to none, or the parts are equal."""
    part = round(100 * looks / gain) if gain >= _LEAST else 50
    if part == 50 or not 0 <= part <= 100:
        return ""
    return say(f"backward.gained.{'values' if part < 50 else 'looks'}", share=part)
