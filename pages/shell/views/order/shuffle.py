"""A sentence in its written order, and in another one."""

from collections.abc import Sequence
from functools import cached_property

import torch
from torch import Tensor

from attention.analysis import permutation
from attention.figures import magnitude
from attention.inputs.grammar import read
from attention.masks import grid
from attention.positions import sinusoidal
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Order


class Shuffle:
    """The sentence of a screen without its padding, and its words in the order that was dragged or drawn.

    drawn: draw an order even if no word has moved, for a table that compares two orders.
    """

    def __init__(self, screen: Screen, *, drawn: bool = False) -> None:
        run = screen.run
        self.run, self.chosen = run, screen.own(Order)
        self.n = run.inputs.lengths[run.sentence]
        self.order = _dragged(self.chosen.word_order, self.n)
        self.tokens = run.tokens[: self.n]
        if not len(self.order):
            self.order = self._drawn(self.chosen.shuffle) if self.chosen.shuffle else exchanged(self.tokens)
        if drawn and self.is_written:
            self.order = self._drawn(self.chosen.shuffle or 1)
        self.moved = [self.tokens[place] for place in self.order.tolist()]

    def _drawn(self, seed: int) -> Tensor:
        return permutation.permutation(self.n, torch.Generator().manual_seed(seed))

    @property
    def is_written(self) -> bool:
        """Whether each word is at its written place."""
        return self.order.tolist() == list(range(self.n))

    @property
    def elsewhere(self) -> list[int]:
        """The words, from 0, that are not at their written place."""
        return [word for place, word in enumerate(self.order.tolist()) if word != place]

    def changes(self, both: permutation.Shuffled) -> list[bool]:
        """Whether the output of each word has changed, beyond the rounding of a reordered sum."""
        plain = both.plain["projected"].value
        far = (plain - both.restored("projected")).abs().amax(-1).flatten()
        return (far > 1e-9 * max(1.0, magnitude(plain))).tolist()

    @cached_property
    def parts(self) -> list[float]:
        """The change of each word's output, as a part of its length."""
        plain = self.shown.plain["projected"].value
        size = plain.norm(dim=-1)
        far = (plain - self.shown.restored("projected")).norm(dim=-1)
        found: list[float] = (far / size.where(size > 0, 1)).flatten().tolist()
        return found

    def under(self, mask: str, positions: str) -> permutation.Shuffled:
        """Both orders under a mask over places. positions: an option of `order_positions`."""
        run, n = self.run, self.n
        x = run.trace["x"].value[run.sentence, :n]
        return permutation.shuffle(
            run.module,
            x,
            self.order,
            positions=sinusoidal(n, x.shape[-1]) if positions == "added" else None,
            mask=grid(mask, n, n),
            scale=run.trace["scale"].value.item() if "scale" in run.trace else None,
        )

    @cached_property
    def shown(self) -> permutation.Shuffled:
        return self.under(self.chosen.order_mask, self.chosen.order_positions)


def _dragged(text: str, n: int) -> Tensor:
    """The order that a text names, from 0; empty if it does not name each of n words once."""
    places = [int(place) - 1 for place in text.split(",") if place.strip().isdecimal()]
    return torch.tensor(places if sorted(places) == list(range(n)) else [], dtype=torch.long)


def pair(tokens: Sequence[str]) -> tuple[int, int]:
    """The places that are exchanged: those of subject and object.

    In a sentence outside the grammar these are the first word and the last one.
    """
    sentence = read(tokens)
    nouns = [place for place, name in enumerate(sentence.classes) if name == "noun" and not sentence.fault]
    return (nouns[0], nouns[-1]) if nouns else (0, len(tokens) - 1)


def exchanged(tokens: Sequence[str]) -> Tensor:
    """The order in which the page opens."""
    order = torch.arange(len(tokens))
    first, last = pair(tokens)
    order[first], order[last] = last, first
    return order
