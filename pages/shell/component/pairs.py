"""Numbers before and after a change as data: a pair of bars each, drawn by browser/pairs.js."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Pairs:
    """Two bars for each name, before and after a change; a number is None if a mask hides it.

    are_words: whether the names are the words of the sentence above, so that each pair stands below its word; head: the
    head of the numbers, in whose colour the bars of after are, None for none; far: how much each has moved, None to
    leave this out; labels: `name`, `before`, `after` and `far`, in words; ends: the least and the largest number of the
    scale, None for those of the data.
    """

    id: str
    title: str
    names: Sequence[str]
    before: Sequence[float | None]
    after: Sequence[float | None]
    labels: dict[str, str]
    are_words: bool = True
    ends: tuple[float, float] | None = None
    far: Sequence[float | None] | None = None
    head: int | None = None

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn: dict[str, Any] = {
            "names": list(self.names),
            "before": [_short(one) for one in self.before],
            "after": [_short(one) for one in self.after],
            "areWords": self.are_words,
        }
        if self.ends:
            drawn["ends"] = [_short(one) for one in self.ends]
        if self.far is not None:
            drawn["far"] = [_short(one) for one in self.far]
        if self.head is not None:
            drawn["head"] = self.head
        return sent(self.id, self.title, "", "", "pairs", drawn) | {"labels": dict(self.labels)}


def _short(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.5g}")
