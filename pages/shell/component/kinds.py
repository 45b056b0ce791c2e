"""The score of two words under several kinds of positions, as data: drawn by browser/kinds.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# What a score has done as both words moved from end to end: it stayed, and is another at another distance; it stayed,
# and is the same at every distance; it changed. Before they have moved that far, nothing is said.
VERDICTS = OPEN, STAYS, BLIND, CHANGES = "open", "stays", "blind", "changes"


@dataclass(frozen=True)
class Kind:
    """A kind of positions: its name, what it does, and the score of the two words where they stand, in words; `scores`
    by place of the query as both words move, None where a word would be off the line; `verdict`: one of VERDICTS;
    is_guessed: whether somebody has said beforehand that it stays; sets: what saying so, or taking it back, sets."""

    name: str
    why: str
    score: str
    scores: Sequence[float | None]
    verdict: str
    is_guessed: bool
    sets: Mapping[str, str]


@dataclass(frozen=True)
class Kinds:
    """A figure: a chart for each kind of positions, all on one scale; the scores are drawn from the left end to where
    the query is.

    query: its place; ends: the least and the largest number of the scale. labels: `place`, what the lower axes are;
    `guess`, what is guessed of a score, and `guessed`, that it was; VERDICTS, what is said of a score; `named`,
    `score` and `verdict`, the columns of the table; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    kinds: Sequence[Kind]
    query: int
    ends: tuple[float, float]
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "at": self.query,
            "ends": list(map(_short, self.ends)),
            "scores": [list(map(_short, each.scores)) for each in self.kinds],
            "verdicts": [each.verdict for each in self.kinds],
            "guessed": [each.is_guessed for each in self.kinds],
            "sets": [dict(each.sets) for each in self.kinds],
        }
        words = {
            "names": [each.name for each in self.kinds],
            "whys": [each.why for each in self.kinds],
            "scores": [each.score for each in self.kinds],
        }
        return sent(self.id, self.title, "", self.note, "kinds", drawn) | {"labels": dict(self.labels) | words}


def _short(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.4g}")
