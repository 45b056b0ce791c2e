"""The parts of a layer as blocks to one scale, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block as high as there are tokens. columns: how wide it is, in columns of the sheet; name, said and share: what
    it is, what it takes, and which part of the layer that is, in words."""

    name: str
    said: str
    share: str
    columns: float


@dataclass(frozen=True)
class Sheet:
    """A figure: a sheet of n rows and n columns, and beside it blocks of n rows; areas are operations.

    parts: the first one is the sheet. labels: `part` and `takes`, the head of the table twin; `half`, what half of
    the rows is; `ruler`, with a hole `tokens`; `kind` and `keys`, as of every figure. square: by so many tokens the
    blocks are ruled, 0 for none; grown: how often the sheet, and how often the rest, holds what so many tokens take.
    """

    id: str
    title: str
    note: str
    n: int
    parts: Sequence[Part]
    labels: Mapping[str, str]
    square: int = 0
    grown: Sequence[tuple[str, str]] = ()

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {"n": self.n, "square": self.square, "columns": [float(f"{part.columns:.6g}") for part in self.parts]}
        words = {
            "names": [part.name for part in self.parts],
            "said": [part.said for part in self.parts],
            "shares": [part.share for part in self.parts],
            "grown": [list(one) for one in self.grown],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}
