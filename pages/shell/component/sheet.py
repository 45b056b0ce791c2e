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
class Track:
    """Above the blocks, the share of the first part over the lengths of a text, each twice the one before.

    at: where the text stands, from 0 to 1; meets: where the first part takes as much as the others, None outside, and
    as long as the text is not near it.
    """

    shares: Sequence[float]
    at: float
    meets: float | None
    first: str
    last: str


@dataclass(frozen=True)
class Sheet:
    """A figure: blocks as high as the text is long. The first one is as wide, too, and grows in both directions; the
    others are as wide as they are for every text. Dashed, what half of the text takes.

    n: how long the text is; most: the longest one for which the scale stays, and the side of the frame; before: the
    same of the larger scale before it, None where there is none; widest: the width of the other blocks in frames, where
    it is largest. labels: `part`, `share` and `times`, the head of the table twin; `half` and `once`, the texts;
    `takes`, what all takes; `grown`, how many times as much as for half of it; `down` and `across`, the sides of the
    first block, and `query`, `key` and `pair` of one cell of it; `scale`, what the scale is; `meeting`, where the first
    part takes as much as the others, and `halfway`, what the line there is; `over_n`, what the track is; `kind` and
    `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    parts: Sequence[Part]
    track: Track
    n: int
    most: int
    before: int | None
    widest: float
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        track = self.track
        ticks = [*(self.most // part for part in (4, 2, 1)), *([self.before] if self.before else [])]
        drawn = {
            "side": self.n / self.most,
            "widths": [float(f"{part.columns / self.most:.6g}") for part in self.parts],
            "before": self.before / self.most if self.before else 0,
            "widest": float(f"{self.widest:.6g}"),
            "over": [float(f"{share:.4g}") for share in track.shares],
            "at": float(f"{track.at:.6g}"),
            "meets": None if track.meets is None else float(f"{track.meets:.6g}"),
        }
        words = {
            "names": [part.name for part in self.parts],
            "means": [part.means for part in self.parts],
            "shares": [part.share for part in self.parts],
            "said": [part.takes for part in self.parts],
            "said_half": [part.takes_half for part in self.parts],
            "factors": [part.times for part in self.parts],
            "ends": [track.first, track.last],
            "ticks": [f"{tick:,}" for tick in ticks],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}
