"""A matrix with one row for each word, and its transpose with one column for each, as data: drawn by
browser/laid.js."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from pages.shell.component.payload import sent

# The most words and numbers of a matrix that are drawn.
MOST = (12, 8)


@dataclass(frozen=True)
class Laid:
    """Numbers (words, features) as rows, and beside them their transpose; the same word has a frame in both.

    words: one for each row; focus: the row with the frame, from 0; labels: `rows` and `columns`, above both matrices;
    `word`, the first column of the table; `kind` and `keys`, as in every figure.
    """

    id: str
    title: str
    note: str
    words: Sequence[str]
    numbers: Tensor
    focus: int
    labels: dict[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser; of a long text, only words around the framed one are sent."""
        most, features = MOST
        first = max(0, min(self.focus - most // 2, len(self.words) - most))
        part = self.numbers[first : first + most, :features].cpu()
        drawn = {
            "words": list(self.words[first : first + most]),
            "numbers": [[float(f"{one:.5g}") for one in row] for row in part.tolist()],
            "bound": float(f"{part.abs().max().item():.5g}"),
            "focus": self.focus - first,
        }
        return sent(self.id, self.title, "", self.note, "laid", drawn) | {"labels": dict(self.labels)}
