"""A guess: which of a few words does not see the word that it needs. A click on one selects it, and the arcs answer."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from attention.inputs.grammar import QUESTIONS
from pages.shell.i18n import listed, say
from pages.shell.runs import asking as of_words
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking, guess
from pages.shell.views.blocks import Block
from pages.shell.views.naming import quoted
from pages.shell.views.steps import focus_of

_QUESTION = "lost"
# Wrong answers beside the right one.
_OTHERS = 2


@dataclass(frozen=True)
class Needs:
    """The needs of a query's word. key: the word (from 0) that answers its first question, -1 without one; is_seen:
    whether it is visible; every: the ids of all its questions, whose answers are visible or hidden together."""

    query: int
    key: int = -1
    is_seen: bool = True
    every: tuple[str, ...] = ()


def asked(screen: Screen) -> Iterator[Block]:
    """The guess about the chosen mask or, while the reader paints a question of their own, a line in its place."""
    if screen.run.context is not None:
        return
    run = compute(replace(screen.run.config, painted=""), record_mask=True)
    offered = choices(run)
    if not offered:
        return
    if screen.config.painted:
        yield guess.unasked(_QUESTION, say("mask.lost.painted"))
        return
    answers = {f"{run.config.used_mask}_{one.query}".replace(" & ", "_"): one for one in offered}
    right = next(answer for answer, one in answers.items() if not one.is_seen)
    guessed = guess.guess(screen, _QUESTION, answers)
    told = _judged(run, answers[guessed], answers[right]) if guessed else ""
    names = {answer: _named(run, one) for answer, one in answers.items()}
    made = guess.ask(screen, _QUESTION, say("mask.lost.question"), names, right, told)
    for shown, one in zip(made["answers"], answers.values(), strict=True):
        if not shown["pressed"]:
            shown["sets"] |= {"cell": f"weights.{one.query}.0.seen"}
    yield made


def _named(run: Run, one: Needs) -> str:
    """A word with its questions, without which nobody can guess."""
    word = quoted(run.labels["query"], one.query)
    if len(one.every) == 1:
        return say(f"mask.lost.asks.{one.every[0]}", word=word)
    return say("mask.word_asks", word=word, asked=" ".join(map(asking.marked, one.every))) if one.every else word


def choices(run: Run) -> list[Needs]:
    """One word whose answer is hidden, and others whose answer is visible or that ask nothing, in the order of the
    sentence; only words that occur once. Empty without both kinds."""
    words = run.labels["query"]
    found = [needs(run, at) for at, word in enumerate(words) if words.count(word) == 1 and at != focus_of(run)]
    lost = [one for one in found if one and not one.is_seen]
    kept = sorted((one for one in found if one and one.is_seen), key=lambda one: not one.every)
    return sorted((*lost[:1], *kept[:_OTHERS]), key=lambda one: one.query) if lost and kept else []


def needs(run: Run, query: int) -> Needs | None:
    """The needs of a query's word; None if the answer to a question is a word that says that there is none, or if only
    some answers are visible."""
    asks, sees = asking.questions(run, query), run.matrix("mask")[query]
    if not asks:
        return Needs(query) if of_words.is_idle(run, query) else None
    if any(of_words.is_nothing(run, one) for one in asks) or len({bool(sees[one.target]) for one in asks}) > 1:
        return None
    every = tuple(dict.fromkeys(QUESTIONS[one.question] for one in asks))
    return Needs(query, asks[0].target, bool(sees[asks[0].target]), every)


def _judged(run: Run, guessed: Needs, right: Needs) -> str:
    if not guessed.is_seen:
        return f"**{say('predict.right')}** {_said(run, right)}"
    return f"**{say('predict.wrong')}** {listed('sentence', (_said(run, guessed), _said(run, right)))}"


def _said(run: Run, one: Needs) -> str:
    word = quoted(run.labels["query"], one.query)
    if not one.every:
        return say("mask.asks_nothing", word=word)
    case = "seen" if one.is_seen else "hidden"
    return say(f"mask.lost.{case}", word=word, key=quoted(run.labels["key"], one.key))
