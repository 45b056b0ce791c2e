"""What the page on positions shows: two words that move, wavelengths, a query that turns, and two conventions."""

import math
from functools import cache
from typing import Any

import numpy as np
import torch

from attention.analysis.moved_positions import KINDS, conventions, decay, scores
from attention.positions import SCALINGS, frequencies, rotate
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.state.page_controls import Positions

_SHIFTS = 48
_D_K = 128
_TRAINED, _FACTOR = 4096, 8.0
_DISTANCES = (0, 1, 8, 64, 1024, 4096)
_MOVES = (0, 10, 100)


def _seed() -> torch.Generator:
    return torch.Generator().manual_seed(7)


@row
def moved() -> None:
    """The score of the two words by kind of positions: both move together, and the query alone."""
    chosen = Positions.current()
    shift = torch.arange(_SHIFTS)
    query, key = torch.full_like(shift, chosen.pos_query), torch.full_like(shift, chosen.pos_key)
    charts = []
    for name, (at_query, at_key) in {"both": (query + shift, key + shift), "one": (query + shift, key)}.items():
        made = {kind: scores(kind, at_query, at_key, _seed(), base=float(chosen.pos_base)) for kind in KINDS}
        stays = [say(f"positions.kind.{kind}") for kind, values in made.items() if float(values.std()) < 1e-9]
        series = [
            Series(say(f"positions.kind.{kind}"), shift, values, colour=colour, dash=colour)
            for colour, (kind, values) in enumerate(made.items())
        ]
        note = say("positions.stays", names=", ".join(stays))
        x, y = Axis(say("positions.shift")), Axis(say("positions.score"))
        charts.append(Chart(f"moved-{name}", say(f"positions.title_{name}"), series, x, y, note))
    component.row("plot-positions-moved", *charts)


@row
def waves() -> None:
    """The wavelength of each pair of features, as trained and as it is stretched for longer texts."""
    base = float(Positions.held("pos_base"))
    pair = np.arange(1, _D_K // 2 + 1)
    series = []
    plain = frequencies(_D_K, base=base)
    for colour, scaling in enumerate(SCALINGS):
        factor = 1.0 if scaling == "none" else _FACTOR
        theta = frequencies(_D_K, base=base, scaling=scaling, factor=factor, trained=_TRAINED)
        name = say(f"positions.scaling.{scaling}", factor=int(_FACTOR))
        series.append(Series(name, pair, 2 * math.pi / theta, colour=colour, dash=colour))
    turns = int((_TRAINED * plain >= 2 * math.pi).sum())
    given: dict[str, Any] = {"turns": turns, "pairs": len(plain), "trained": f"{_TRAINED:,}"}
    given["angle"] = f"{float((_TRAINED - 1) * plain[-1]):.3f}"
    given["later"] = f"{float((2 * _TRAINED - 1) * plain[-1]):.3f}"
    waves = Chart(
        "wavelengths",
        say("positions.waves"),
        series,
        Axis(say("positions.pair")),
        Axis(say("positions.wavelength"), log=True),
        say("positions.waves_note", **given),
    )
    component.row("plot-positions-waves", waves, _turned(base))


def _turned(base: float) -> Chart:
    """The first pairs of one query as points of the plane, for the places up to that of the query."""
    at = torch.arange(Positions.held("pos_query") + 1, dtype=torch.float64)
    theta = frequencies(8, base=base)
    q = torch.tensor([1.0, 0.8, 0.6, 0.4] + [0.0] * 4, dtype=torch.float64).expand(len(at), -1)
    turned = rotate(q, at[:, None] * theta)
    names = [say("positions.of_pair", pair=pair + 1, angle=f"{float(angle):.4g}") for pair, angle in enumerate(theta)]
    series = [
        Series(name, turned[:, pair], turned[:, pair + len(theta)], "dots", colour=pair)
        for pair, name in enumerate(names)
    ]
    side = (-1.1, 1.1)
    x, y = Axis(say("positions.first"), range=side), Axis(say("positions.second"), range=side)
    return Chart("turned", say("positions.turned"), series, x, y, say("positions.turned_note", places=len(at)))


@row
def mixed() -> None:
    """Scores under both conventions, and with one of each."""
    found = conventions(_MOVES, _seed())
    header = say("positions.convention"), *(say("positions.moved_by", shift=shift) for shift in _MOVES)
    rows = ([say(f"positions.named.{name}"), *map(fixed, values.tolist())] for name, values in found.items())
    page.table(*header, rows=rows)


@cache
def _decay() -> tuple[list[float], list[float], list[float]]:
    ones, mean, error = decay(_DISTANCES, 4000, _seed())
    return ones.flatten().tolist(), mean.tolist(), error.tolist()


@row
def wrong() -> None:
    """What is measured of the sentence that rotary scores fall with distance."""
    ones, mean, error = _decay()
    header = say("positions.distance"), say("positions.of_ones"), say("positions.of_drawn")
    rows = (
        [f"{distance:,}", fixed(one, 3), f"{fixed(of_all, 4)} ± {fixed(by, 4)}"]
        for distance, one, of_all, by in zip(_DISTANCES, ones, mean, error, strict=True)
    )
    page.table(*header, rows=rows)
