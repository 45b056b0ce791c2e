"""The number of answers that a word loses in B: guessed before the arcs of B are drawn. For a change with a slider, the
question is about the first value of B, and the slider appears with the guess."""

from collections.abc import Iterator
from dataclasses import replace

from pages.shell.component.head_arcs import Gone, HeadArcs, Scored
from pages.shell.i18n import say
from pages.shell.i18n.markdown import quoted
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Compare
from pages.shell.views import guess
from pages.shell.views.blocks import Block
from pages.shell.views.compare import changes
from pages.shell.views.compare.compared import Sides
from pages.shell.views.compare.scored import of_both

_LOST = "lost_"
# The page's first change is no question: its slider shows the effect.
_FOUND = "heads"


def waits(screen: Screen, both: Sides, query: int) -> bool:
    """Whether B waits for a guess. After one guess about a change, other words ask no more."""
    own, of = screen.own(Guesses), _change(screen, both)
    guessed = any(name.startswith(f"{of}_") for name in own.by_question)
    return own.guess_first and bool(of) and not guessed and _counts(both, query) is not None


def asked(screen: Screen, both: Sides, query: int) -> Iterator[Block]:
    """The question with its answers, and the verdict once there is a guess; nothing if there is neither a guess nor a
    wait for one."""
    counts, of = _counts(both, query), _change(screen, both)
    if counts is None or not of:
        return
    count, lost = counts
    answers = _answers(count)
    every = answers | {guess.SKIPPED: say("what_if.answer.shown")}
    question = f"{of}_{query}"
    is_waiting, guessed = waits(screen, both, query), guess.guess(screen, question, every)
    if is_waiting or (guessed and not _has_slider(both)):
        change = say(f"compare.offer.{of.removeprefix(_LOST)}")
        word = quoted(both.b.labels["query"][query])
        said = say(
            "compare.guess.asked_one" if count == 1 else "compare.guess.asked", change=change, word=word, count=count
        )
        yield guess.ask(screen, question, said, answers if guessed in answers else every, str(lost))


def judged(screen: Screen, both: Sides, query: int) -> str:
    """The verdict on a guess, with the guessed and the right number if a slider has taken their place; "" without a
    guess."""
    counts, of = _counts(both, query), _change(screen, both)
    if counts is None or not of:
        return ""
    count, lost = counts
    answers = _answers(count)
    guessed, is_gone = guess.guess(screen, f"{of}_{query}", answers), _has_slider(both)
    if not guessed:
        return ""
    if guessed == str(lost):
        given = f" ✓ {answers[guessed]}." if is_gone else ""
        return f"**{say('predict.right')}**{given}"
    given = f" ✗ {answers[guessed]}, ✓ {answers[str(lost)]}." if is_gone else ""
    return f"**{say('predict.wrong')}**{given}"


def _has_slider(both: Sides) -> bool:
    return changes.changed(both.a.config, both.b.config) in changes.SCALED


def _answers(count: int) -> dict[str, str]:
    """The possible numbers of lost answers."""
    if count == 1:
        return {str(lost): say(f"compare.guess.one_{lost}") for lost in range(2)}
    return {str(lost): str(lost) if lost else say("compare.guess.none") for lost in range(count + 1)}


def waiting(below: HeadArcs, above: list[Gone]) -> HeadArcs:
    """B while it waits: the words that its answers would have to come from."""
    scored = [Scored(one.asked, one.state) for one in above]
    nothing = replace(below, asks=[], names=[], short=[], lost=[], colours=[])
    return replace(nothing, scored=scored, gone=above, note=say("compare.guess.open"))


def answers(both: Sides, query: int) -> list[Gone]:
    """The words that the right answers of A come from."""
    a, _ = of_both(both, query) or ({}, {})
    return [Gone(one.target, asked, "open") for asked, one in a.items() if one.state == "right"]


def _change(screen: Screen, both: Sides) -> str:
    """The question about the change in B, without its word; "" if a slider has shown the effect, if the change is not
    offered, or if the visitor has kept a screen as A."""
    a, b = both.a.config, both.b.config
    of = "" if screen.own(Compare).is_kept else changes.changed(a, b)
    if not of or of == _FOUND or getattr(b, of) != getattr(dict(changes.others(a))[of], of):
        return ""
    return f"{_LOST}{changes.named(a, b, of)}"


def _counts(both: Sides, query: int) -> tuple[int, int] | None:
    """The number of a word's questions that A answers right, and of those that B does not; None if A answers none."""
    found = of_both(both, query)
    if found is None:
        return None
    a, b = ({asked for asked, one in of.items() if one.state == "right"} for of in found)
    return (len(a), len(a - b)) if a else None
