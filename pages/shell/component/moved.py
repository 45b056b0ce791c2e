"""The effect of a change as data: a line of meters, and sentences about the change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Meter:
    """A measured number with its name; before: its value before the last change, "" if it is the same.

    is_kept: whether it stays in sight beside the knobs, however far one scrolls.
    """

    name: str
    now: str
    before: str = ""
    is_kept: bool = False


@dataclass(frozen=True)
class Moved:
    """The meters and sentences about a change. said: the sentences, with code in backticks."""

    meters: Sequence[Meter]
    said: Sequence[str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        meters = [[meter.name, meter.now, meter.before, *([True] if meter.is_kept else [])] for meter in self.meters]
        return {"meters": meters, "said": list(self.said)}
