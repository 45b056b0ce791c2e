"""Heads with switches as data: each off alone, what is left of an answer without it, and a guess before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.asking import Asking
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Switch:
    """on: whether it is on; sets: what a click on it gives, None where nobody can say what comes of it; named: what it
    is called aloud; left: how much is left of the answer, and written: the same in digits, None and a question mark
    where it is to be found out, "" where nobody can; push: how much the head adds by itself to the score of the answer,
    and pushed: the same in digits, None and "" where it is not told."""

    on: bool
    sets: Mapping[str, str] | None
    named: str
    left: float | None = None
    written: str = ""
    push: float | None = None
    pushed: str = ""


@dataclass(frozen=True)
class Guess:
    """The place of a guess: what a click on it gives, None once one is made; verdict: `right`, `wrong` or none."""

    sets: Mapping[str, str] | None
    verdict: str = ""


@dataclass(frozen=True)
class SwitchedRows(Asking):
    """A figure: switches: for each head its own, drawn where no guess is open; guesses: one a head, empty where nothing
    is asked; before: how much the answer has as trained; headers: what stands above the switches, above what is
    left and above the pushes, "" where there are none; button: what stands on the place of a guess."""

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
