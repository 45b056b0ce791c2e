"""The runs of A and of B, and their comparable parts."""

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from attention.analysis import divergence
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Compare
from pages.shell.views import steps


@dataclass(frozen=True)
class Sides:
    """Two runs, each with its shown sentence and head."""

    a: Run
    b: Run

    def matrices(self, id: str) -> tuple[Tensor, Tensor]:
        a, b = (run.matrix(id).cpu() for run in (self.a, self.b))
        return a, b

    def comparable(self, id: str) -> bool:
        a, b = self.matrices(id)
        return a.shape == b.shape

    @cached_property
    def relation(self) -> str:
        return relation(self.a.config, self.b.config)

    @cached_property
    def is_one_layer(self) -> bool:
        """Whether the same trained layer reads the same words on both sides."""
        return self.relation == "same" and self.a.tokens == self.b.tokens

    @cached_property
    def has_same_heads(self) -> bool:
        """Whether a head of B is the head of A with its number, perhaps at another moment of its training."""
        return self.relation in ("same", "earlier", "later") and self.a.tokens == self.b.tokens

    @property
    def is_earlier(self) -> bool:
        """Whether B is the layer of A at an earlier moment of its training."""
        return self.relation == "earlier"

    @cached_property
    def rows(self) -> divergence.Rows | None:
        """The weights row by row, if both sides have as many queries and keys."""
        if not self.comparable("weights"):
            return None
        at = ((run.sentence, run.head) for run in (self.a, self.b))
        return divergence.rows(self.a.trace, self.b.trace, a_at=next(at), b_at=next(at))

    @cached_property
    def farthest(self) -> int | None:
        """The query whose row moved most, if any two can be compared."""
        moved = torch.tensor([]) if self.rows is None else self.rows.total_variation.nan_to_num(-1)
        return int(moved.argmax()) if (moved >= 0).any() else None

    def hidden(self, id: str) -> Tensor:
        """The cells of a step that the masks of both sides hide."""
        masks = [steps.forbidden(run, run.trace[id]) for run in (self.a, self.b)]
        both = [mask.cpu() for mask in masks if mask is not None]
        return both[0] & both[1] if len(both) == 2 else torch.zeros_like(self.matrices(id)[0], dtype=torch.bool)

    def labels(self, axis: str) -> list[str]:
        """The names along an axis of both sides: a single name if they agree."""
        both = zip(*(run.labels.get(axis, ()) for run in (self.a, self.b)), strict=False)
        return [a if a == b else f"{a} / {b}" for a, b in both]


def relation(a: Config, b: Config) -> str:
    """The relation of B's trained layer to A's: the `same`, one `earlier` or `later` in its training, or one that was
    trained `anew`; "" if either has weights that nobody trained."""
    own, other = learned.used(a), learned.used(b)
    if own is None or other is None:
        return ""
    if own == other:
        return "same"
    if replace(own, taken=other.taken) != other:
        return "anew"
    return "earlier" if other.updates < own.updates else "later"


def sides(screen: Screen) -> Sides:
    return Sides(compute(screen.own(Compare).beside(screen.config)), screen.run)


def chosen(both: Sides, differs: dict[str, tuple[str | None, str | None]]) -> dict[str, tuple[str | None, str | None]]:
    """The differing controls that were set, without those that follow from them."""
    own, other = (run.config.values() for run in (both.a, both.b))
    found = {name: values for name, values in differs.items() if own[name] != other[name]}
    return found or differs
