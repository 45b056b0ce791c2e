"""Rotary positions: wavelengths, angles beyond the trained length, and two conventions."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import torch

from attention.analysis.moved_positions import conventions, decay
from attention.positions import SCALINGS, frequencies
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import TRAINED, Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

_D_K = 128
_DISTANCES = (0, 1, 8, 64, 1024, 4096)
_MOVES = (0, 10, 100)
# Distances on the curve of a vector of ones with itself, and the number of drawn queries and keys.
_STEPS, _DRAWS = 5000, 4000


def _seed() -> torch.Generator:
    return torch.Generator().manual_seed(7)


def waves(screen: Screen) -> Iterator[Block]:
    """The wavelength of each pair of features, as trained and stretched in each way, and the rotations at the end of a
    text that is longer than those of the training."""
    chosen = screen.own(Positions)
    base, factor = float(chosen.pos_base), float(chosen.pos_factor)
    pair = np.arange(1, _D_K // 2 + 1)
    plain = frequencies(_D_K, base=base)
    ways = {
        way: frequencies(_D_K, base=base, scaling=way, factor=1.0 if way == "none" else factor, trained=TRAINED)
        for way in SCALINGS
    }
    series = [
        Series(say(f"positions.scaling.{way}", factor=f"{factor:g}"), pair, 2 * math.pi / theta, colour=at, dash=at)
        for at, (way, theta) in enumerate(ways.items())
    ]
    given: dict[str, Any] = {"turns": int((TRAINED * plain >= 2 * math.pi).sum()), "pairs": len(plain)}
    given["trained"] = f"{TRAINED:,}"
    x = Axis(say("positions.pair"))
    slowest, later = (float((count - 1) * plain[-1]) for count in (TRAINED, 2 * TRAINED))
    met = "new" if later < 2 * math.pi else "some" if slowest < 2 * math.pi else "none"
    turn = {"angle": fixed(slowest, 3), "later": fixed(later, 3), "turn": fixed(2 * math.pi, 3)}
    said = say("positions.waves_note", **given), say(f"positions.waves_{met}", **turn)
    note = listed("sentence", said)
    y = Axis(say("positions.wavelength"), log=True)
    yield blocks.figures(
        Chart("wavelengths", say("positions.waves"), series, x, y, note),
        _beyond(pair, plain, ways[chosen.pos_scaling], chosen),
    )


def _beyond(pair: np.ndarray, plain: torch.Tensor, theta: torch.Tensor, chosen: Positions) -> Chart:
    """The rotations of each pair by the end of the longest trained text, and of a longer one."""
    length = TRAINED * int(chosen.pos_factor)
    known, reached = ((count - 1) * angle / (2 * math.pi) for count, angle in ((TRAINED, plain), (length, theta)))
    # A pair with a full rotation has met each angle.
    unseen = int(((known < 1) & (reached > known * (1 + 1e-3))).sum())
    series = [
        Series(say("positions.in_training", trained=f"{TRAINED:,}"), pair, known, colour=0),
        Series(say("positions.in_text", length=f"{length:,}"), pair, reached, colour=1, dash=1),
        Series(say("positions.whole_turn"), pair, np.ones(len(pair)), "theory", colour=2),
    ]
    way = say(f"positions.scaling.{chosen.pos_scaling}", factor=chosen.pos_factor)
    note = say("positions.beyond_note", way=way, length=f"{length:,}", unseen=unseen, pairs=len(pair))
    axes = Axis(say("positions.pair")), Axis(say("positions.turns"), log=True)
    return Chart("beyond", say("positions.beyond"), series, *axes, note)


def stretched(screen: Screen) -> Iterator[Block]:
    """Measured numbers against the claim that rotary positions take any length."""
    chosen = screen.own(Positions)
    base, factor = float(chosen.pos_base), float(chosen.pos_factor)
    plain = frequencies(_D_K, base=base)
    wide = frequencies(_D_K, base=base, scaling="ntk", factor=factor, trained=TRAINED)
    far = ((TRAINED * factor - 1) * wide / ((TRAINED - 1) * plain))[(TRAINED - 1) * plain < 2 * math.pi]
    said = [say("positions.beyond_wrong")]
    if len(far) and far.max() > 1:
        said.append(say("positions.beyond_ntk", factor=f"{factor:g}", ratio=fixed(far.max())))
    yield blocks.text(listed("sentence", said))


def mixed(screen: Screen) -> Iterator[Block]:
    """Scores under both conventions, and with queries in one and keys in the other."""
    found = conventions(_MOVES, _seed())
    header = say("positions.convention"), *(say("positions.moved_by", shift=shift) for shift in _MOVES)
    rows = ([say(f"positions.named.{name}"), *map(fixed, values.tolist())] for name, values in found.items())
    yield blocks.table(*header, rows=rows)


@cache
def _decay() -> tuple[list[float], list[float], list[float]]:
    ones, mean, error = decay(_DISTANCES, _DRAWS, _seed())
    return ones.flatten().tolist(), mean.tolist(), error.tolist()


def wrong(screen: Screen) -> Iterator[Block]:
    """Measured numbers against the claim that rotary scores fall with distance."""
    ones, mean, error = _decay()
    steps = torch.arange(_STEPS + 1, dtype=torch.float64)[:, None] * frequencies(_D_K)
    rises = int((steps.cos().sum(-1).diff() > 0).sum())
    yield blocks.text(say("positions.wrong", steps=f"{_STEPS:,}", rises=f"{rises:,}", d_k=_D_K))
    header = say("positions.distance"), say("positions.of_ones"), say("positions.of_drawn", draws=f"{_DRAWS:,}")
    rows = (
        [f"{distance:,}", fixed(one, 3), f"{fixed(of_all, 4)} ± {fixed(by, 4)}"]
        for distance, one, of_all, by in zip(_DISTANCES, ones, mean, error, strict=True)
    )
    yield blocks.table(*header, rows=rows)
