"""The score of two words under several kinds of positions, as data: drawn by browser/kinds.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent

# The verdict on a score. After both words moved from end to end, the score stayed or changed. After one of them moved
# alone, to another distance, a score that had stayed moved (MOVES) or stayed again (BLIND), and a score that had
# changed did so again (RESTLESS). Before they have moved that far, the verdict is OPEN.
VERDICTS = OPEN, STAYS, CHANGES, MOVES, BLIND, RESTLESS = "open", "stays", "changes", "moves", "blind", "restless"


@dataclass(frozen=True)
class Kind:
    """A kind of positions: its name, what it does, and the present score of the two words, in words. scores: by place
    of the moved word, None if a word would be off the line; verdict: one of VERDICTS; is_guessed: whether the visitor
    has guessed the verdict; judged: the guess, "right" or "wrong", "" if it is not judged; ticked: whether the guess is
    ticked, None without a question; sets: the settings of a click on it; is_whole: whether the scores of all places are
    drawn from the start; heights: the numbers of a position, by place, from -1 to 1; arrows: instead, for a rotation,
    the angle in degrees and the length of query and key; reason: why the score behaved so, "" before."""

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
    """A chart for each kind of positions, all on one scale; the scores are drawn from one place to another.

    start, at: those two places, the second being that of the moved word; words: the places of query and key; ends: the
    least and the largest number of the scale. labels: `place`, the name of the lower axes; `guess`, the question about
    a score; `guessed` and `not_guessed`; VERDICTS, the text of each; `named`, `score`, `verdict` and `reason`, the
    columns of the table; `kind` and `keys`, as in every figure.
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
