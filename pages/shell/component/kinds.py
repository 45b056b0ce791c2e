"""The score of two words under several kinds of positions, as data: drawn by browser/kinds.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# What a score has done as both words moved from end to end: it stayed, or changed. And as one of them moved alone, to
# another distance: a score that had stayed moved; it stayed again; one that had changed did so again. Before they have
# moved that far, nothing is said.
VERDICTS = OPEN, STAYS, CHANGES, MOVES, BLIND, RESTLESS = "open", "stays", "changes", "moves", "blind", "restless"


@dataclass(frozen=True)
class Kind:
    """A kind of positions: its name, what it does, and the score of the two words where they stand, in words; `scores`
    by place of what moves, None where a word would be off the line; `verdict`: one of VERDICTS; is_guessed: whether
    somebody has said beforehand what is judged; judged: whether it does as was said, "right" or "wrong", or "" where
    that is not told; ticked: whether somebody says what is asked now, None where nothing is; sets: what saying so, or
    taking it back, sets; is_whole: whether the scores of all places are drawn from the start; heights: of what a place
    gives, by place, from -1 to 1; arrows: the angle in degrees and the length of the query and of the key, of what
    turns instead; reason: why the score has done so, "" before."""

    name: str
    why: str
    score: str
    scores: Sequence[float | None]
    verdict: str
    is_guessed: bool
    judged: str
    ticked: bool | None
    sets: Mapping[str, str]
    is_whole: bool
    heights: Sequence[float]
    arrows: Sequence[tuple[float, float]]
    reason: str = ""


@dataclass(frozen=True)
class Kinds:
    """A figure: a chart for each kind of positions, all on one scale; the scores are drawn from one place to another.

    start, at: those places, the second of which is that of what moves; words: the places of the query and the key;
    ends: the least and the largest number of the scale. labels: `place`, what the lower axes are; `guess`, what is
    guessed of a score, `guessed`, that it was, and `not_guessed`; VERDICTS, what is said of a score; `named`, `score`,
    `verdict` and `reason`, the columns of the table; `kind` and `keys`, as of every figure.
    """

    id: str
    title: str
    note: str
    kinds: Sequence[Kind]
    start: int
    at: int
    words: tuple[int, int]
    ends: tuple[float, float]
    labels: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "start": self.start,
            "at": self.at,
            "words": list(self.words),
            "ends": list(map(_short, self.ends)),
            "scores": [list(map(_short, each.scores)) for each in self.kinds],
            "verdicts": [each.verdict for each in self.kinds],
            "guessed": [each.is_guessed for each in self.kinds],
            "judged": [each.judged for each in self.kinds],
            "ticked": [each.ticked for each in self.kinds],
            "sets": [dict(each.sets) for each in self.kinds],
            "whole": [each.is_whole for each in self.kinds],
            "heights": [list(map(_short, each.heights)) for each in self.kinds],
            "arrows": [[list(map(_short, arrow)) for arrow in each.arrows] for each in self.kinds],
        }
        words = {
            "names": [each.name for each in self.kinds],
            "whys": [each.why for each in self.kinds],
            "reasons": [each.reason for each in self.kinds],
            "scores": [each.score for each in self.kinds],
        }
        return sent(self.id, self.title, "", self.note, "kinds", drawn) | {"labels": dict(self.labels) | words}


def _short(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.4g}")
