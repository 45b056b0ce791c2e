"""The score of two words under several kinds of positions, as data: drawn by browser/kinds.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Kind:
    """A kind of positions: its name, `does`, what it does, and the score of the two words where they stand, in words;
    `both` and `one`, the scores by place of the query when both words move and when it moves alone, None where a word
    would be off the line; `stays`: of both and of one, whether the scores are the same at every place."""

    name: str
    does: str
    score: str
    both: Sequence[float | None]
    one: Sequence[float | None]
    stays: tuple[bool, bool]


@dataclass(frozen=True)
class Kinds:
    """A figure: a column a kind of positions, a line a way in which words move.

    ends: the least and the largest number of all axes, so that lines can be compared. query, key: the places of the two
    words. labels: `both` and `one`, which words move, and `both_wished` and `one_wished`, what the score should do
    then; `place`, what the axes are; `stays` and `changes`, what stands at a score; `named` and `score`, the columns of
    the table; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    kinds: Sequence[Kind]
    ends: tuple[float, float]
    query: int
    key: int
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "at": [self.query, self.key],
            "ends": list(map(_short, self.ends)),
            "scores": [[list(map(_short, each.both)), list(map(_short, each.one))] for each in self.kinds],
            "stays": [list(each.stays) for each in self.kinds],
        }
        words = {
            "names": [each.name for each in self.kinds],
            "does": [each.does for each in self.kinds],
            "scores": [each.score for each in self.kinds],
        }
        return sent(self.id, self.title, "", self.note, "kinds", drawn) | {"labels": dict(self.labels) | words}


def _short(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.4g}")
