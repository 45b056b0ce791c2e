"""A number over the stops of a slider as data, in a strip as wide as its track: drawn by browser/course.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Course:
    """A curve under a slider of the same width: a share, from 0 to 1, for each stop, and a dot at the chosen stop.

    at: that stop, from 0; labels: `stops` and `written`, stops and shares in words; `stop` and `share`, the names of
    both; `kind` and `keys`, the kind of the figure and its use by keyboard. note: as in a `Chart`.
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
