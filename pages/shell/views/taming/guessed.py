"""The end of the soft cap's line: guessed in the picture, before the drag reaches it."""

from collections.abc import Iterator

from pages.shell.component.remedies_lengths import Ring
from pages.shell.i18n import listed, say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import STRETCHES, Taming
from pages.shell.views import guess
from pages.shell.views.taming import verdict
from pages.shell.views.taming.found import Row

# The length of the question, which is the slider's end. Up to the length of training nothing tells the answer.
END, _TRAINED = STRETCHES.index("10"), STRETCHES.index("1")
_QUESTION = "capped"
# The state of the row at that length, by answer.
_ANSWERS = {"up": verdict.GIVES, "between": verdict.HOLDS, "down": verdict.FLAT}
_PLACES = {
    verdict.GIVES: "taming.row.is.gives",
    verdict.HOLDS: "taming.guess.holds",
    verdict.FLAT: "taming.row.is.flat",
}


def rings(screen: Screen, at: int, count: int, capped: Row) -> Iterator[Ring]:
    """The rings where the line may end; once the picture tells its end, only the guessed one. count: of the words."""
    guessed, low, high = _guessed(screen), *verdict.bounds(count)
    is_told = at > _TRAINED and verdict.state(capped.weights[at]) == verdict.state(capped.weights[END])
    heights = {"up": (1 + high) / 2, "between": (low + high) / 2, "down": low / 2}
    for answer, state in _ANSWERS.items():
        is_chosen, place = answer == guessed, say(_PLACES[state])
        if at < END and (is_chosen or not is_told):
            sets = guess.given(screen, _QUESTION, "" if is_chosen else answer)
            yield Ring(heights[answer], place, "guessed" if is_chosen else "", sets)
        elif is_chosen:
            mark = "right" if state == verdict.state(capped.weights[END]) else "wrong"
            yield Ring(heights[answer], place, mark, guess.given(screen, _QUESTION, ""))


def judged(screen: Screen, at: int, capped: Row) -> str:
    """The verdict on a guess, and the reason; "" before the drag has shown it."""
    guessed, state = _guessed(screen), verdict.state(capped.weights[END])
    if not guessed or at < END:
        return ""
    told = say("predict.right" if _ANSWERS[guessed] == state else "predict.wrong")
    return listed("sentence", (told, say(f"taming.guess.why.{state}", cap=f"{screen.own(Taming).taming_cap:g}")))


def _guessed(screen: Screen) -> str:
    return guess.guess(screen, _QUESTION, _ANSWERS)
