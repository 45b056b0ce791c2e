"""What a tile does to the row that is followed, as data: its scores in the tile, and the three that are kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Gauge:
    """What is kept of a row, as bars: numbers before a tile, what is left of them, and after it; low, high: the ends of
    their scale, with 0 among them; written: the numbers after the tile in words."""

    before: Sequence[float]
    left: Sequence[float]
    after: Sequence[float]
    low: float
    high: float
    written: Sequence[str]

    def sent(self) -> dict[str, Any]:
        """Of each bar its ends, and where 0 is, as shares of the scale from below."""
        bars = zip(self.before, self.left, self.after, strict=True)
        return {"zero": self._share(0.0), "bars": [[self._share(one) for one in bar] for bar in bars]}

    def _share(self, number: float) -> float:
        return float(f"{(number - self.low) / ((self.high - self.low) or 1.0):.4g}")


@dataclass(frozen=True)
class Followed:
    """What a tile does to the query in a row. largest, sum, output: what is kept of it; corrects: whether less is left
    of sum and output, as a larger score came. said: whose scores these are, and how many are in memory; instead: why
    it is not the one that was chosen, "" where it is; hand: its scores in the tile, "" where the mask hides, and new:
    which of them is the largest so far, −1 where an earlier one still is. parts: of the sum what was there if less is
    left of it, what was kept, and what the tile brings, "" where there is none of it; why: where the factor comes from,
    if what was kept shrinks; all in words."""

    row: int
    largest: Gauge
    sum: Gauge
    output: Gauge
    corrects: bool
    said: str
    instead: str
    hand: Sequence[str]
    new: int
    parts: tuple[str, str, str]
    why: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser as numbers."""
        kept = {"largest": self.largest, "total": self.sum, "output": self.output}
        gauges = {name: gauge.sent() for name, gauge in kept.items()}
        return {"row": self.row, "corrects": self.corrects, "new": self.new, "gauges": gauges}

    def words(self) -> dict[str, Any]:
        """What travels to the browser as words."""
        kept = {"largest": self.largest, "total": self.sum, "output": self.output}
        return {
            "said": self.said,
            "instead": self.instead,
            "hand": list(self.hand),
            "gauged": {name: list(gauge.written) for name, gauge in kept.items()},
            "parts": list(self.parts),
            "why": self.why,
        }
