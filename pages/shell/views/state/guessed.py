"""The answer of a rule that only adds about an animal with two contradicting facts: guessed before it is shown, with
the reason why the other rule answers otherwise."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.remembering import WHO
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.todays_controls import State
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.state.told import NEW, OLD, TOLD, Said, said, said_with

_QUESTION = "state_told"
# The properties that each answer names.
_ANSWERS = {"old": [OLD], "new": [NEW], "both": [OLD, NEW]}


def waits(screen: Screen) -> bool:
    """Whether the last fact and the read-out wait for a guess."""
    return screen.own(Guesses).guess_first and not _guessed(screen)


def asked(screen: Screen) -> Iterator[Block]:
    """The question and, after a guess, the answers of both rules with their reason. It is asked for the first values of
    the sliders, so that at others no guess is mentioned."""
    guessed, first = _guessed(screen), State()
    if not waits(screen) and not (guessed and _sliders(screen.own(State)) == _sliders(first)):
        yield blocks.text(_why(screen))
        return
    answers = {answer: say(f"state.guess.answer.{answer}", old=OLD, new=NEW) for answer in _ANSWERS}
    right = next(answer for answer, words in _ANSWERS.items() if words == said_with(first).words("add"))
    verdict = say("predict.right" if guessed == right else "predict.wrong")
    told = f"**{verdict}** {_why(screen)}" if guessed else ""
    made = guess.ask(screen, _QUESTION, say("state.guess.question", who=WHO[0]), answers, right, told)
    for one in made["answers"]:
        # A guess resets the sliders, so that it is judged at once.
        if not one["pressed"]:
            one["sets"] |= {"state_beta": "", "state_alpha": ""}
    yield made


def _sliders(state: State) -> tuple[float, float]:
    return state.state_beta, state.state_alpha


def _guessed(screen: Screen) -> str:
    return guess.guess(screen, _QUESTION, _ANSWERS)


def _why(screen: Screen) -> str:
    """The reason for the answers of both rules, in one sentence or two."""
    found = said(screen)
    given = {
        "who": WHO[0],
        "old": OLD,
        "new": NEW,
        "found": fixed(found.found),
        "left": fixed(found.overwritten[OLD]),
        "beta": fixed(screen.own(State).state_beta),
        "alpha": fixed(screen.own(State).state_alpha),
    }
    return say(f"state.why.{_case(found)}", **given)


def _case(found: Said) -> str:
    added, left = found.added[OLD], found.overwritten[OLD]
    if abs(found.added[NEW]) < TOLD:
        return "nothing"
    if abs(added) < TOLD:
        return "faded"
    if abs(left) < TOLD:
        return "taken"
    if left < 0:
        return "turned"
    return "hardly" if left > 0.9 * added else "partly"
