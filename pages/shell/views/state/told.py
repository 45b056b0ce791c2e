"""What the state says of the first animal once all facts are told, under both rules."""

from dataclasses import dataclass

from attention.trace import Trace
from pages.shell.runs import remembering
from pages.shell.runs.remembering import FACTS, LIKE
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import State

# What either rule writes of one fact at the largest beta: the colour of a cell tells each value of the slider.
BOUND = 2.0
# A number that is smaller is none that a sentence tells.
TOLD = 0.005
# The property that the first fact tells of the first animal, and the one of the last fact, which contradicts it.
OLD, NEW = FACTS[0][1], FACTS[-1][1]


@dataclass(frozen=True)
class Said:
    """What is read of OLD and of NEW where a rule adds and where it overwrites, and what the key finds of OLD before
    the last fact is written."""

    added: dict[str, float]
    overwritten: dict[str, float]
    found: float

    def words(self, rule: str) -> list[str]:
        """The properties that are read."""
        read = self.added if rule == "add" else self.overwritten
        return [like for like, number in read.items() if abs(number) >= TOLD]


def said(screen: Screen) -> Said:
    return said_with(screen.own(State))


def said_with(asked: State) -> Said:
    steps = remembering.told(asked).steps
    last = steps["delta"][-1]
    return Said(read(steps["add"][-1]), read(last), float(last["looked_up"].value[0, LIKE.index(OLD)]))


def read(trace: Trace) -> dict[str, float]:
    """Number by property."""
    return dict(zip(LIKE, trace["read"].value[0].tolist(), strict=True))
