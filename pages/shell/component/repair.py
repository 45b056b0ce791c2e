"""Answers that sharing loses and training regains as data, drawn by browser/repair.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Stage:
    """A stage of the layer: its name, and a short one beside its answers; right, written: the share of test questions
    that it answers rightly, and the same as text; its answers to the questions of one sentence, which of them are
    right, and how many, in words."""

    said: str
    short: str
    right: float
    written: str
    answers: Sequence[str]
    are_right: Sequence[bool]
    here: str


@dataclass(frozen=True)
class Repair:
    """The share of right answers at each stage, and on the way to the last one, with the layer's answers to the
    questions of one sentence.

    way: the shares of right answers from the second stage to the last, at equal steps, none if nothing changes;
    repaired: the step of `way` at which enough is right, -1 for none; shown: the chosen step. labels: `rights` and
    `answered`, above bars and answers; `here`, above the number of these that are right; `stage`, the first column of
    the table; `first` and `last`, the ends of the way; `kind` and `keys`, the kind of the figure and its use by
    keyboard. note: as in a `Chart`.
    """

    id: str
    title: str
    questions: Sequence[str]
    stages: Sequence[Stage]
    way: Sequence[float]
    repaired: int
    shown: int
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "right": [list(stage.are_right) for stage in self.stages],
            "rights": [float(f"{stage.right:.4g}") for stage in self.stages],
            "way": [float(f"{share:.4g}") for share in self.way],
            "repaired": self.repaired,
            "shown": self.shown,
        }
        words = dict(self.labels) | {
            "questions": list(self.questions),
            "stages": [stage.said for stage in self.stages],
            "short": [stage.short for stage in self.stages],
            "written": [stage.written for stage in self.stages],
            "answers": [list(stage.answers) for stage in self.stages],
            "counts": [stage.here for stage in self.stages],
        }
        return sent(self.id, self.title, "", self.note, "repair", drawn) | {"labels": words}
