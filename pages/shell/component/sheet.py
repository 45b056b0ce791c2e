"""All that a layer computes as one frame of blocks, as data: drawn by browser/sheet.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Part:
    """A block as high as there are tokens. columns: how wide it is, in columns of the sheet; name, said and share: what
    it is, what it takes, and which part of the layer that is, in words; half: which part of it half the text takes."""

    name: str
    said: str
    share: str
    columns: float
    half: str


@dataclass(frozen=True)
class Sheet:
    """A figure: a sheet of n rows and n columns, and beside it blocks of n rows; areas are operations.

    parts: the first one is the sheet. labels: `part` and `takes`, the head of the table twin; `half`, what is dashed;
    `meeting`, where the first part takes as much as the others; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    parts: Sequence[Part]
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {"columns": [float(f"{part.columns:.6g}") for part in self.parts]}
        words = {
            "names": [part.name for part in self.parts],
            "said": [part.said for part in self.parts],
            "shares": [part.share for part in self.parts],
            "halves": [part.half for part in self.parts],
        }
        return sent(self.id, self.title, "", self.note, "sheet", drawn) | {"labels": dict(self.labels) | words}
