"""All that a layer computes for a text, as areas that grow with it, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block. share: which part of the layer it is, written; takes and takes_half: what it takes for the text and for
    half of it; times: how many times as much that is; means: what is computed in it, in words; columns: how wide it is,
    in tokens."""

    name: str
    share: str
    takes: str
    takes_half: str
    times: str
    means: str
    columns: float


@dataclass(frozen=True)
class Meeting:
    """Where the first part takes as much as the others, from 0 to 1, and its words; shares: the line of another layer,
    which goes through it."""

    at: float
    text: str
    shares: Sequence[float] = ()


@dataclass(frozen=True)
class Track:
    """Above the blocks, the share of the first part over the lengths of a text, each twice the one before: drawn as far
    as the text.

    at: where the text stands, from 0 to 1.
    """

    shares: Sequence[float]
    at: float
    meetings: Sequence[Meeting]
    first: str
    last: str


@dataclass(frozen=True)
class Sheet:
    """A figure: blocks as high as the text is long. The first one is as wide, too, and grows in both directions; the
    others are as wide as they are for every text, and cut where they have no room. Dashed, what half of the text takes.

    n: how long the text is; most: the longest one for which the scale stays, and the side of the frame. room: how wide
    the others are at most, in frames; drawn: how much of their width is drawn. labels: `part`, `share` and `times`, the
    head of the table twin; `half` and `once`, the texts; `takes`, what all takes; `grown`, how many times as much as
    for half of it; `down` and `across`, the sides of the first block; `cut`, that the others are cut, "" where they are
    not; `scale`, what the scale is; `halfway`, what the line at half is; `over_n`, what the track is; `kind` and
    `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    parts: Sequence[Part]
    track: Track
    n: int
    most: int
    room: float
    drawn: float
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        track = self.track
        drawn = {
            "side": self.n / self.most,
            "widths": [float(f"{part.columns / self.most:.6g}") for part in self.parts],
            "n": self.n,
            "room": self.room,
            "drawn": float(f"{self.drawn:.6g}"),
            "most": self.most,
            "over": _short(track.shares),
            "at": float(f"{track.at:.6g}"),
            "meetings": [
                {"at": float(f"{one.at:.6g}"), "text": one.text, "over": _short(one.shares)} for one in track.meetings
            ],
        }
        words = {
            "names": [part.name for part in self.parts],
            "means": [part.means for part in self.parts],
            "shares": [part.share for part in self.parts],
            "said": [part.takes for part in self.parts],
            "said_half": [part.takes_half for part in self.parts],
            "factors": [part.times for part in self.parts],
            "ends": [track.first, track.last],
            "ticks": [f"{self.most // part:,}" for part in (4, 2, 1)],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}


def _short(shares: Sequence[float]) -> list[float]:
    return [float(f"{share:.4g}") for share in shares]
