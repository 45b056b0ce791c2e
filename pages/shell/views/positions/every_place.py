"""The scores of the page's two words at all places, by kind of positions."""

from functools import cache

import torch
from torch import Tensor

from attention.analysis.moved_positions import KINDS, every_place
from pages.shell.state.todays_controls import Positions
from pages.shell.views.positions.circles import most
from pages.shell.views.positions.two_words import MOST


def of(chosen: Positions, kind: str) -> Tensor:
    """The scores by place of the query and of the key."""
    return _scores(kind, chosen.pos_base, chosen.pos_turning)


@cache
def _scores(kind: str, base: str, turning: str) -> Tensor:
    """The cached scores, which no caller may change, with the same draw as in the other figures of the page."""
    generator = torch.Generator().manual_seed(7)
    return every_place(kind, MOST + 1, generator, base=float(base), turning=int(turning))


@cache
def ends() -> tuple[float, float]:
    """The ends of the scale of all kinds, which stay while words move, for rotary positions of any base."""
    given = Positions()
    made = torch.stack([of(given, kind) for kind in KINDS])
    return min(-most(), float(made.min())), max(most(), float(made.max()))
