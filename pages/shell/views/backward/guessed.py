"""The weight that would have to change for the right answer: guessed in the picture, before its arrows show it."""

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import by_hand
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.views import guess, naming
from pages.shell.views.backward import answer, strength

_ARROW = "arrow_"
# A push counts as one of the strongest from this share of the strongest on; an answer is given from this probability
# on.
_STRONG, _LIKELY = 0.8, 0.5
# The lowest and the highest share that a weight is moved to.
_ENDS = (0.01, 0.99)


class Guess(NamedTuple):
    """The guessed weight, its head and its word from 0, and the verdict: `right` or `wrong`."""

    head: int
    key: int
    verdict: str


def waits(screen: Screen, row: int, question: int | None, pushes: Tensor) -> bool:
    """Whether arrows wait for a guess. After one guess no further answer asks for one; neither does an answer that is
    right or has no arrow."""
    own = screen.own(Guesses)
    has_guessed = any(name.startswith(_ARROW) for name in own.by_question)
    if not own.guess_first or has_guessed or question is None or answer.given(screen.run, row, question)[2]:
        return False
    return bool(strength.sizes(pushes).any())


def sets(screen: Screen, row: int, question: int, head: int, key: int) -> Mapping[str, str]:
    """The settings of a guess by a click on a bar; none if a mask hides the word."""
    return guess.given(screen, _name(row, question), f"{head}-{key}") if by_hand.can_move(screen.run, row, key) else {}


def skipped(screen: Screen, row: int, question: int) -> tuple[str, bool | None, Mapping[str, str]]:
    return say("backward.guess.show"), None, guess.given(screen, _name(row, question), guess.SKIPPED)


def made(screen: Screen, row: int, question: int | None, pushes: Tensor) -> Guess | None:
    """The guess for this answer; None if there is none, or it is no weight."""
    if question is None:
        return None
    head, _, key = screen.own(Guesses).by_question.get(_name(row, question), "").partition("-")
    if not (head.isdecimal() and key.isdecimal()):
        return None
    at = int(head), int(key)
    if at[0] >= pushes.shape[0] or at[1] >= pushes.shape[1] or not by_hand.can_move(screen.run, row, at[1]):
        return None
    is_right = bool(strength.sizes(pushes)[at]) and float(pushes[at].abs()) >= _STRONG * float(pushes.abs().max())
    return Guess(*at, "right" if is_right else "wrong")


def judged(run: Run, row: int, one: Asked, guessed: Guess) -> str:
    """The verdict; after a wrong guess, the most that its weight could do, found by moving it."""
    told = {"key": naming.of_key(run, guessed.key), "head": f"{guessed.head + 1}"}
    if guessed.verdict == "right":
        return say("backward.guess.right", **told)
    shares = {
        end: answer.sure(by_hand.after(run, row, guessed.head, guessed.key, end), row, one.question) for end in _ENDS
    }
    end = max(shares, key=shares.__getitem__)
    kind = "far" if shares[end] >= _LIKELY else "wrong"
    shown = {"answer": answer.right_named(run, one), "end": fixed(end), "share": fixed(shares[end])}
    return say(f"backward.guess.{kind}", **told, **shown)


def _name(row: int, question: int) -> str:
    return f"{_ARROW}{row}_{question}"
