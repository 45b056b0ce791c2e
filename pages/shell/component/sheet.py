"""All that a layer computes for a text, as areas that grow with it, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block. share: which part of the layer it is, written; takes and takes_half: what it takes for the text and for
    half of it; times: how many times as much that is; columns: how wide it is, in tokens."""

    name: str
    share: str
    takes: str
    takes_half: str
    times: str
    columns: float


@dataclass(frozen=True)
class Meeting:
    """Where the first part takes as much as the others, from 0 to 1, and its words; shares: the line that goes through
    it, drawn whole."""

    at: float
    text: str
    shares: Sequence[float] = ()


@dataclass(frozen=True)
class Zone:
    """A part of the track that is guessed, from 0 to 1, and its words; sets: what a click on it sets; verdict: right or
    wrong, of one that was guessed."""

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
    """Above the blocks, the share of the first part over the lengths of a text, each twice the one before: drawn as far
    as the text.

    at: where the text stands, from 0 to 1; lengths: their words; asked: the zones that may be guessed, none where
    nothing is asked; guessed: the one that was.
    """

    shares: Sequence[float]
    at: float
    meetings: Sequence[Meeting]
    lengths: Sequence[str]
    asked: Sequence[Zone] = ()
    guessed: Zone | None = None


@dataclass(frozen=True)
class Sheet:
    """A figure: blocks as high as the text is long. The first one is as wide, too, and grows in both directions; the
    others are as wide as they are for every text. All stand to one scale; where they are too small to be read, a lens
    shows them once more. Dashed, what half of the text takes.

    n: how long the text is; most: the longest one for which the scale stays, and the side of the frame; before: the
    longest one of the scale before, whose whole picture is framed in this one. labels: `part`, `share` and `times`, the
    head of the table twin; `half` and `once`, the texts; `grown`, how many times as much all takes as for half of it;
    `down` and `across`, the sides of the first block;
    `before`, what the frame in the picture is, "" where there is none; `larger`, how much the lens magnifies;
    `halfway`, what the line at half is; `over_n`, what the track is; `asked`, the question of the zones; `told`, what
    comes of a guess; `kind` and `keys`, as of every figure.
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
    """The lengths that stand below the frame, whose side is the longest one."""
    return most // 4, most // 2, most


def _short(number: float) -> float:
    return float(f"{number:.6g}")
