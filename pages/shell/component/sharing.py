"""Query heads and the key heads that they read as data, drawn by browser/sharing.js."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Stage:
    """What the layer is at a stage: said in words, and short beside its answers; right: the share of the test questions
    that it answers rightly, and as it is written; its answers to the questions of one sentence, which of them are
    right, and how many, in words."""

    said: str
    short: str
    right: float
    written: str
    answers: Sequence[str]
    are_right: Sequence[bool]
    here: str


@dataclass(frozen=True)
class Sharing:
    """A figure: query heads with a line from each to the key head that it reads; beside them how much is answered
    rightly at each stage, on the way to the last one too, and how large the cache is; below them the layer's answers to
    the questions of one sentence, by stage.

    keys: how many key heads there are, where keys divides the count of heads h: head i reads i // (h / keys). asks:
    the query head that is chosen, from 0; a click on another is reported as a row. asked: of each query head, which of
    the questions is its own, -1 for none; reads: what it reads, in words; names: what stands in it; boxes: of as many
    key heads, what stands in each. way: the shares of right answers from the second stage to the last, at equal steps,
    none where nothing changes; repaired: the step of `way` at which enough is right, -1 for none. labels: `queries`,
    `rights` and `answered`, what stands above heads, bars and answers; `here`, above how many of these are right;
    `query`, `key_heads` and `asked`, columns of the table; `cache`, what its bar says, and `cached`, its share;
    `first` and `last`, the ends of the way; `kind` and `keys`, what the figure is and what the keyboard does in it.
    note: as of a `Chart`.
    """

    id: str
    title: str
    keys: int
    asks: int
    asked: Sequence[int]
    reads: Sequence[str]
    names: Sequence[str]
    boxes: Sequence[str]
    questions: Sequence[str]
    stages: Sequence[Stage]
    way: Sequence[float]
    repaired: int
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """What travels to the browser."""
        drawn = {
            "asks": self.asks,
            "keys": self.keys,
            "asked": list(self.asked),
            "right": [list(stage.are_right) for stage in self.stages],
            "rights": [float(f"{stage.right:.4g}") for stage in self.stages],
            "way": [float(f"{share:.4g}") for share in self.way],
            "repaired": self.repaired,
        }
        words = dict(self.labels) | {
            "reads": list(self.reads),
            "names": list(self.names),
            "boxes": list(self.boxes),
            "questions": list(self.questions),
            "stages": [stage.said for stage in self.stages],
            "short": [stage.short for stage in self.stages],
            "written": [stage.written for stage in self.stages],
            "answers": [list(stage.answers) for stage in self.stages],
            "counts": [stage.here for stage in self.stages],
        }
        return sent(self.id, self.title, "", self.note, "sharing", drawn) | {"labels": words}
