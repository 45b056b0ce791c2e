"""The chosen word: its weights on each word in both orders, as the mean over the heads."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from attention.trace import Step
from pages.shell.i18n import say
from pages.shell.i18n.markdown import MOST
from pages.shell.screen import Screen
from pages.shell.views import head_arcs
from pages.shell.views.naming import named, opened
from pages.shell.views.order.shuffle import Shuffle


@dataclass(frozen=True)
class Looked:
    """query: the word, from 0; before, after: its weights on each word of the sentence in both orders; elsewhere: the
    words that are not at their written place."""

    query: int
    before: list[float]
    after: list[float]
    elsewhere: list[int]

    @property
    def key(self) -> int:
        """The other word whose weight changes most; if none changes, the moved word with the largest weight. A single
        word is its own."""
        others = [key for key in range(len(self.before)) if key != self.query] or [self.query]
        if any(share(self.before[key]) != share(self.after[key]) for key in others):
            return max(others, key=lambda key: abs(self.before[key] - self.after[key]))
        moved = [key for key in self.elsewhere if key != self.query]
        return max(moved or others, key=self.before.__getitem__)


def share(part: float) -> str:
    return f"{part:.0%}"


def looked(screen: Screen, shuffle: Shuffle) -> Looked:
    """The chosen word under the mask and the positions of a screen."""
    query = min(head_arcs.asked_of(screen), shuffle.n - 1)
    shown, quantity = shuffle.shown, shuffle.shown.plain["weights"].quantity

    def row_of(weights: Tensor) -> list[float]:
        row: list[float] = Step(quantity, weights).of_heads(shuffle.run.module.heads)[:, query].mean(0).tolist()
        return row

    return Looked(query, row_of(shown.plain["weights"].value), row_of(shown.restored("weights")), shuffle.elsewhere)


def taken(of: Looked, tokens: Sequence[str]) -> str:
    """The sentence about the word's weight on one word in both orders."""
    names = {"word": named(tokens, of.query, MOST), "key": named(tokens, of.key, MOST)}
    before, after = share(of.before[of.key]), share(of.after[of.key])
    if before == after:
        return say("order.takes.same", share=before, **names)
    return say("order.takes.other", before=before, after=after, **names)


def at_place(of: Looked, shuffle: Shuffle) -> str:
    """The sentence that the weights went with the places more than with the words, if positions are added, two words
    were exchanged, and it is so."""
    moved = of.elsewhere
    if shuffle.chosen.order_positions != "added" or len(moved) != 2 or of.query in moved:
        return ""
    most, least = sorted(moved, key=of.before.__getitem__, reverse=True)
    before, after = of.before, of.after
    if any(
        abs(after[comer] - before[left]) >= abs(after[left] - before[left])
        for left, comer in ((most, least), (least, most))
    ):
        return ""
    words = {"word": of.query, "left": most, "comer": least}
    names = {name: named(shuffle.tokens, word, MOST) for name, word in words.items()}
    return opened(say("order.takes.place", before=share(before[most]), after=share(after[least]), **names))
