"""The state's answer about the first animal after all facts, under both rules."""

from dataclasses import dataclass

from attention.trace import Trace
from pages.shell.runs import remembering
from pages.shell.runs.remembering import FACTS, LIKE
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import State

# The largest number that either rule writes of one fact at the largest beta: a colour means the same for all values of
# the slider.
BOUND = 2.0
# A smaller number is not mentioned in a sentence.
TOLD = 0.005
# The first animal's property by the first fact, and the one by the last fact, which contradicts it.
OLD, NEW = FACTS[0][1], FACTS[-1][1]


@dataclass(frozen=True)
class Said:
    """The read-outs of OLD and of NEW for a rule that adds and for one that overwrites, and the key's read-out of OLD
    before the last fact is written."""

    added: dict[str, float]
    overwritten: dict[str, float]
    found: float

    def words(self, rule: str) -> list[str]:
        """The properties in the read-out."""
        read = self.added if rule == "add" else self.overwritten
        return [like for like, number in read.items() if abs(number) >= TOLD]


def said(screen: Screen) -> Said:
    return said_with(screen.own(State))


def said_with(asked: State) -> Said:
    steps = remembering.told(asked).steps
    last = steps["delta"][-1]
    return Said(read(steps["add"][-1]), read(last), float(last["looked_up"].value[0, LIKE.index(OLD)]))


def read(trace: Trace) -> dict[str, float]:
    """The read-out, a number by property."""
    return dict(zip(LIKE, trace["read"].value[0].tolist(), strict=True))
