"""One of two sentences with arcs, the one above the other, as data: as it is, and with one thing changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages.shell.component.arcs import Ask
from pages.shell.component.head_arcs import HeadArcs
from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Lane(HeadArcs):
    """was: what the heads took before, word by word in the order of this sentence: its arcs come from there; added:
    what is added at each word, in words, empty for nothing; adds: what that is called, "" for nothing; is_asked:
    whether its arcs are still asked for. What they are does not travel then. is_same: whether they are those of the
    other sentence, which an equals sign says. is_low: whether its arcs are lower, since numbers stand between the two
    sentences."""

    was: Sequence[Ask] = ()
    added: Sequence[str] = ()
    adds: str = ""
    is_asked: bool = False
    is_same: bool = False
    is_low: bool = False

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        shown = (
            replace(self, asks=[replace(one, weights=[], answer=-1) for one in self.asks]) if self.is_asked else self
        )
        made = super(Lane, shown).sent()
        lane = {"was": [one.sent() for one in self.was], "added": list(self.added), "asked": self.is_asked}
        if self.is_same:
            lane["same"] = True
        if self.is_low:
            lane["low"] = True
        drawn = made["arcs"] | {"lane": lane}
        labels = made["labels"] | ({"adds": self.adds} if self.adds else {})
        return sent(self.id, self.title, "", self.note, "arcs", drawn) | {"labels": labels}
