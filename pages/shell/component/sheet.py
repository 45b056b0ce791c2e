"""All that a layer computes for a text, and for twice the text, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block. share: which part of the layer it is, written, and as a number; takes and takes_twice: what it takes for
    the text and for twice the text; times: how many times as much that is; means: what is computed in it, in words."""

    name: str
    share: str
    takes: str
    takes_twice: str
    times: str
    part: float
    means: str


@dataclass(frozen=True)
class Track:
    """Above the blocks, the share of the first part over the lengths of a text, each twice the one before.

    at: where the text stands, from 0 to 1; meets: where the first part takes as much as the others, None outside, and
    before the text comes to it.
    """

    shares: Sequence[float]
    at: float
    meets: float | None
    first: str
    last: str


@dataclass(frozen=True)
class Sheet:
    """A figure: for a text blocks side by side, together all that a layer computes; beside them those of twice as much.

    parts: the first one grows in both directions, the others in height alone. labels: `part`, `share` and `times`, the
    head of the table twin; `once` and `twice`, the texts; `takes` and `takes_twice`, what all takes for them;
    `meeting`, where the first part takes as much as the others, and `halfway`, what the line there is; `over_n`, what
    the track is; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    parts: Sequence[Part]
    track: Track
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        track = self.track
        drawn = {
            "parts": [float(f"{part.part:.6g}") for part in self.parts],
            "over": [float(f"{share:.4g}") for share in track.shares],
            "at": float(f"{track.at:.6g}"),
            "meets": None if track.meets is None else float(f"{track.meets:.6g}"),
        }
        words = {
            "names": [part.name for part in self.parts],
            "means": [part.means for part in self.parts],
            "shares": [part.share for part in self.parts],
            "said": [part.takes for part in self.parts],
            "said_twice": [part.takes_twice for part in self.parts],
            "factors": [part.times for part in self.parts],
            "ends": [track.first, track.last],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}
