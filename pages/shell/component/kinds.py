"""The score of two words under several kinds of positions, as data: drawn by browser/kinds.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# Whether a score does what is wanted: it does, it has as far as the words have come, it has not yet, it does not.
STATES = YES, SO_FAR, NOT_YET, NO = "yes", "so_far", "not_yet", "no"


@dataclass(frozen=True)
class Kind:
    """A kind of positions: its name, why it does what it does, and the score of the two words where they stand, in
    words; `both` and `one`, the scores by place of the query when both words move and when it moves alone, None where
    a word would be off the line; `does`: of both and of one, one of STATES; `ends`: the least and the largest number
    of its axis."""

    name: str
    why: str
    score: str
    both: Sequence[float | None]
    one: Sequence[float | None]
    does: tuple[str, str]
    ends: tuple[float, float]

    @property
    def is_as_wished(self) -> bool:
        return not {NO, NOT_YET} & {*self.does}


@dataclass(frozen=True)
class Kinds:
    """A figure: a column a kind of positions, a line a way in which words move; the scores are drawn from the left end
    to where the query is.

    query, key: the places of the two words. labels: `both` and `one`, which words move, and `both_wished` and
    `one_wished`, what the score should do then; `place`, what the axes are; STATES, what stands at a score; `named` and
    `score`, the columns of the table; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    kinds: Sequence[Kind]
    query: int
    key: int
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "at": [self.query, self.key],
            "ends": [list(map(_short, each.ends)) for each in self.kinds],
            "scores": [[list(map(_short, each.both)), list(map(_short, each.one))] for each in self.kinds],
            "does": [list(each.does) for each in self.kinds],
            "good": [each.is_as_wished for each in self.kinds],
        }
        words = {
            "names": [each.name for each in self.kinds],
            "whys": [each.why for each in self.kinds],
            "scores": [each.score for each in self.kinds],
        }
        return sent(self.id, self.title, "", self.note, "kinds", drawn) | {"labels": dict(self.labels) | words}


def _short(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.4g}")
