"""The computations of a layer for a text, as areas that grow with the text, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block. share: its part of the layer, as text; takes, takes_half: its cost for the text and for half of it;
    times: the ratio of both; columns: its width in tokens."""

    name: str
    share: str
    takes: str
    takes_half: str
    times: str
    columns: float


@dataclass(frozen=True)
class Meeting:
    """The place, from 0 to 1, where the first part costs as much as the others, and its words; shares: the whole line
    through it."""

    at: float
    text: str
    shares: Sequence[float] = ()


@dataclass(frozen=True)
class Zone:
    """A part of the track to guess, from 0 to 1, and its words; sets: the settings of a click; verdict: right or wrong,
    for the guessed zone."""

    start: float
    end: float
    text: str
    sets: Mapping[str, str]
    verdict: str = ""

    def sent(self) -> dict[str, Any]:
        ends = {"start": _short(self.start), "end": _short(self.end)}
        return ends | {"text": self.text, "sets": dict(self.sets), "verdict": self.verdict}


@dataclass(frozen=True)
class Track:
    """The share of the first part over the lengths of a text, above the blocks, drawn as far as the text; each length
    is twice the one before.

    at: the place of the text, from 0 to 1; lengths: their words; asked: the zones to guess, none without a question;
    guessed: the zone that was guessed.
    """

    shares: Sequence[float]
    at: float
    meetings: Sequence[Meeting]
    lengths: Sequence[str]
    asked: Sequence[Zone] = ()
    guessed: Zone | None = None


@dataclass(frozen=True)
class Sheet:
    """Blocks as high as the text is long. The first is as wide as high, and grows in both directions; the others have a
    fixed width. All have one scale; if they are too small to be read, a lens shows them magnified. The cost of half of
    the text is dashed.

    n: the length of the text; most: the longest one at this scale, and the side of the frame; before: the longest one
    at the scale before, whose whole picture is framed in this one. labels: `part`, `share` and `times`, the head of the
    table twin; `half` and `once`, the texts; `grown`, the ratio of the total cost to that of half the text; `down` and
    `across`, the sides of the first block; `before`, the meaning of the inner frame, "" without one; `larger`, the
    magnification of the lens; `halfway`, the line at half; `over_n`, the track; `asked`, the question of the zones;
    `told`, the result of a guess; `kind` and `keys`, as in every figure.
    """

    id: str
    title: str
    note: str
    parts: Sequence[Part]
    track: Track
    n: int
    most: int
    before: int | None
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        track = self.track
        drawn = {
            "columns": [float(f"{part.columns:.6g}") for part in self.parts],
            "n": self.n,
            "most": self.most,
            "before": self.before,
            "over": [_short(share) for share in track.shares],
            "at": _short(track.at),
            "meetings": [
                {"at": _short(one.at), "text": one.text, "over": [_short(share) for share in one.shares]}
                for one in track.meetings
            ],
            "asked": [zone.sent() for zone in track.asked],
            "guessed": track.guessed.sent() if track.guessed else None,
        }
        words = {
            "names": [part.name for part in self.parts],
            "shares": [part.share for part in self.parts],
            "said": [part.takes for part in self.parts],
            "said_half": [part.takes_half for part in self.parts],
            "factors": [part.times for part in self.parts],
            "lengths": list(track.lengths),
            "ticks": [f"{length:,}" for length in ticks(self.most)],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}


def ticks(most: int) -> tuple[int, ...]:
    """The lengths below the frame; its side is the longest one."""
    return most // 4, most // 2, most


def _short(number: float) -> float:
    return float(f"{number:.6g}")
