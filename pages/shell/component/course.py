"""A number over the stops of a slider as data, in a strip as wide as its track: drawn by browser/course.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Course:
    """A figure: shares, from 0 to 1, one for each stop of a slider that is as wide, and a dot at the stop that is
    chosen.

    at: that stop, from 0; labels: `stops`, each stop in words, `written`, each share in words, `stop` and `share`, what
    both are, `kind` and `keys`, what the figure is and what the keyboard does in it. note: as of a `Chart`.
    """

    id: str
    title: str
    shares: Sequence[float]
    at: int
    labels: Mapping[str, Any]
    note: str

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {"shares": [float(f"{share:.4g}") for share in self.shares], "at": self.at}
        return sent(self.id, self.title, "", self.note, "course", drawn) | {"labels": dict(self.labels)}
