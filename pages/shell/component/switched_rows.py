"""Heads with switches as data: each head off alone, the remaining probability of an answer, and a guess before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.asking import Asking
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Switch:
    """A switch. on: its state; sets: the settings of a click, None if nobody can compute their effect; named: its name
    for screen readers; left: the remaining probability of the answer; written: the same in digits; None and a question
    mark if it is still to be found, "" if it cannot be; push: the head's own contribution to the score of the answer;
    pushed: the same in digits; None and "" if it is hidden."""

    on: bool
    sets: Mapping[str, str] | None
    named: str
    left: float | None = None
    written: str = ""
    push: float | None = None
    pushed: str = ""


@dataclass(frozen=True)
class Guess:
    """The place of a guess. sets: the settings of a click, None after a guess; verdict: `right`, `wrong` or none."""

    sets: Mapping[str, str] | None
    verdict: str = ""


@dataclass(frozen=True)
class SwitchedRows(Asking):
    """Heads as rows, with switches or places of guesses. switches: one for each head, drawn while no guess is open;
    guesses: one for each head, empty without a question; before: the probability of the answer as trained; headers: the
    texts above switches, remaining probabilities and pushes, "" for none; button: the text on the place of a guess."""

    switches: Sequence[Switch] = ()
    guesses: Sequence[Guess] = ()
    before: float = 0.0
    headers: tuple[str, str, str] = ("", "", "")
    button: str = ""

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        made = super().sent()
        drawn = made["asking"] | {
            "switches": [_switch(one) for one in self.switches],
            "guesses": [{"sets": one.sets, "verdict": one.verdict} for one in self.guesses],
            "before": round(self.before, 4),
        }
        labels = made["labels"] | {
            "headers": list(self.headers),
            "button": self.button,
            "switches": [[one.named, one.written, one.pushed] for one in self.switches],
        }
        return sent(self.id, self.title, self.text, self.note, "asking", drawn) | {"labels": labels}


def _switch(one: Switch) -> dict[str, Any]:
    left, push = (None if number is None else round(number, 4) for number in (one.left, one.push))
    return {"on": one.on, "sets": one.sets and dict(one.sets), "left": left, "push": push}
