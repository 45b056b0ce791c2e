"""A guess: which of a few words cannot see what it needs. A click on one looks at it, and the arcs tell."""

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
# Words beside the one that is right.
_OTHERS = 2


@dataclass(frozen=True)
class Needs:
    """The word (from 0) that answers what the word of a query asks first; -1 where it asks nothing. is_seen: whether
    the mask leaves it in sight; every: all that it asks, by id, which is answered or not alike."""

    query: int
    key: int = -1
    is_seen: bool = True
    every: tuple[str, ...] = ()


def asked(screen: Screen) -> Iterator[Block]:
    """Of the mask that was chosen; what is painted is one's own question, and has its place while one paints."""
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
    """A word with what it asks: who does not know cannot guess."""
    word = quoted(run.labels["query"], one.query)
    if len(one.every) == 1:
        return say(f"mask.lost.asks.{one.every[0]}", word=word)
    return say("mask.word_asks", word=word, asked=" ".join(map(asking.marked, one.every))) if one.every else word


def choices(run: Run) -> list[Needs]:
    """A word whose answer is hidden and others whose answer is in sight, or that ask nothing, in the order of the
    sentence, each of a word that stands there once; none where one of both is missing."""
    words = run.labels["query"]
    found = [needs(run, at) for at, word in enumerate(words) if words.count(word) == 1 and at != focus_of(run)]
    lost = [one for one in found if one and not one.is_seen]
    kept = sorted((one for one in found if one and one.is_seen), key=lambda one: not one.every)
    return sorted((*lost[:1], *kept[:_OTHERS]), key=lambda one: one.query) if lost and kept else []


def needs(run: Run, query: int) -> Needs | None:
    """None where what it asks is answered by a word that says that there is no answer, or in part."""
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
