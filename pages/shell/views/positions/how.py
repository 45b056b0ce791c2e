"""The effect of a kind of positions on the two words: a height for each place, or two arrows that it rotates."""

import math
from collections.abc import Sequence
from functools import cache

import torch

from attention.analysis.moved_positions import added
from pages.shell.state.todays_controls import Positions
from pages.shell.views.positions.circles import turned_now
from pages.shell.views.positions.every_place import of
from pages.shell.views.positions.two_words import MOST

# The shown feature of added positions, a wave of some twenty places, and the shown pair of rotated features.
_FEATURE, _PAIR = 4, 2


def how(chosen: Positions, kind: str) -> tuple[Sequence[float], Sequence[tuple[float, float]]]:
    """The height of each place from -1 to 1, or the angle in degrees and the length (at most 1) of the arrows of the
    query and of the key."""
    if kind == "rotary":
        return (), _arrows(chosen)
    if kind == "alibi":
        return _taken_off(chosen), ()
    return _added(kind), ()


@cache
def _added(kind: str) -> list[float]:
    made = added(kind, MOST + 1, torch.Generator().manual_seed(7))[:, _FEATURE]
    return (made / made.abs().max().clamp(min=1)).tolist()


def _taken_off(chosen: Positions) -> list[float]:
    """The amount taken off at each place: at the query it is 0, which is the top."""
    taken = of(chosen, "alibi") - of(chosen, "none")
    return (1 + 2 * taken[chosen.pos_query] / taken.abs().max()).tolist()


def _arrows(chosen: Positions) -> list[tuple[float, float]]:
    made = turned_now(chosen)
    # If few pairs rotate, the slowest of them is shown.
    pair = min(_PAIR, max(made.turns, 1) - 1)
    longest = max(float(made.query_length[pair]), float(made.key_length[pair]))
    return [
        (math.degrees(float(angles[pair])), float(lengths[pair]) / longest)
        for angles, lengths in ((made.query, made.query_length), (made.key, made.key_length))
    ]
