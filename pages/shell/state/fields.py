"""The values that a control can hold, and the conversion of values from outside."""

import math
import re
from dataclasses import dataclass
from itertools import islice
from typing import Self

from pages.shell.state import configurations, painted_cells, typed_numbers


@dataclass(frozen=True)
class Choice:
    """One of some ids; a number that is not among them becomes the nearest of them. once: texts of earlier links, with
    their present ids."""

    options: tuple[str, ...]
    once: tuple[tuple[str, str], ...] = ()

    @classmethod
    def powers(cls, low: int, high: int) -> Self:
        """The powers of two from low to high."""
        return cls(tuple(str(2**n) for n in range(low.bit_length() - 1, high.bit_length())))

    @property
    def ordered(self) -> bool:
        """Whether the options are steps of a size, which a slider shows, and not kinds to pick from."""
        return sum(number(option) is not None for option in self.options) > 1

    def now(self, raw: str) -> str:
        """The present id for a text from outside."""
        return dict(self.once).get(raw, raw)

    def nearest(self, raw: str, default: str) -> str:
        raw = self.now(raw)
        if raw in self.options:
            return raw
        numbers = [option for option in self.options if number(option) is not None]
        wanted = number(raw)
        if not numbers or wanted is None:
            return default
        return min(numbers, key=lambda option: abs(float(option) - wanted))


@dataclass(frozen=True)
class Range:
    """A number from low to high in equal steps."""

    low: float
    high: float
    step: float = 1

    def nearest(self, raw: str, default: float) -> float:
        wanted = number(raw)
        if wanted is None:
            return default
        clamped = min(max(wanted, self.low), self.high)
        stepped = self.low + round((clamped - self.low) / self.step) * self.step
        return round(stepped, 6) if isinstance(default, float) else int(stepped)


@dataclass(frozen=True)
class Flag:
    def nearest(self, raw: str, default: bool) -> bool:
        return {"true": True, "1": True, "false": False, "0": False}.get(raw.lower(), default)


@dataclass(frozen=True)
class Text:
    most: int

    def nearest(self, raw: str, default: str) -> str:
        """The text without characters that cannot be drawn, and without U+FFFD, which marks a damaged link."""
        kept = (c for c in raw.replace("\r", "") if c == "\n" or (c.isprintable() and c != "\ufffd"))
        return "".join(islice(kept, self.most))


@dataclass(frozen=True)
class Cells:
    """Positions in a square, two characters each: at most `most` characters, each cell once, in order."""

    most: int = 2 * painted_cells.SIZE**2

    def nearest(self, raw: str, default: str) -> str:
        return painted_cells.text(painted_cells.cells(raw[: self.most]))


@dataclass(frozen=True)
class Edits:
    """Numbers typed over by hand; a text with anything else in it is replaced by the default."""

    most: int = typed_numbers.LONGEST

    def nearest(self, raw: str, default: str) -> str:
        return raw if typed_numbers.edits(raw) else default


@dataclass(frozen=True)
class Listed:
    """Names that match a pattern, separated by commas; names that do not match are left out."""

    pattern: str
    most: int = 400

    def nearest(self, raw: str, default: str) -> str:
        named = re.split(r"[,;\s]+", raw[: self.most])
        return ",".join(name for name in named if re.fullmatch(self.pattern, name, re.ASCII))


@dataclass(frozen=True)
class CellName:
    """A cell as a link names it, `figure.row.column.part` from 0; any other text becomes the default."""

    most: int = 400

    def nearest(self, raw: str, default: str) -> str:
        named = raw if len(raw) <= self.most and raw.isprintable() else ""
        return raw if re.match(r"[^.]+\.[0-9]{1,4}\.[0-9]{1,4}(\.|$)", named) else default


@dataclass(frozen=True)
class Configuration:
    """The config.json of a model; only the entries about its layers are kept."""

    most: int = configurations.MOST

    def nearest(self, raw: str, default: str) -> str:
        return configurations.compact(raw) if raw.strip() else default


@dataclass(frozen=True)
class Digest:
    """The name of a file that a visitor has opened: a fixed number of hexadecimal digits, or nothing."""

    digits: int

    def nearest(self, raw: str, default: str) -> str:
        return raw if len(raw) == self.digits and set(raw) <= set("0123456789abcdef") else default


# Python needs a tenth of a second to read half a megabyte as a number, and a link has a number for each control.
_LONGEST_NUMBER = 1000


def number(raw: str) -> float | None:
    """The finite number that a text from outside spells; None for other texts."""
    if len(raw) > _LONGEST_NUMBER:
        return None
    try:
        read = float(raw)
    except ValueError:
        return None
    if math.isnan(read):
        return None
    return min(max(read, -1e9), 1e9)
