"""Why arcs are cut at all: a layer that was trained with dropout beside one that was trained without, with arcs cut."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.runs import learned_scores
from pages.shell.runs.run import run
from pages.shell.screen import Screen
from pages.shell.state.config import KNOBS, LEARNED, TRAINED_PS, Config
from pages.shell.state.fields import Range
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# By what a layer was trained with: the place in the palette of its line.
_COLOURS = (3, 0)
# Where its name ends: below the lower line, and above the upper one.
_NAMES = ((0.42, 0.55), (0.88, 0.79))


def _named(p: str) -> str:
    return say("dropping.layer_with", p=p) if float(p) else say("dropping.layer_without")


def purpose(screen: Screen) -> Iterator[Block]:
    """In words, and in the scores of the two layers at this p."""
    told = [say("dropping.purpose")]
    if screen.config.preset == LEARNED:
        p = screen.config.dropout
        without, trained = (f"{share:.0%}" for share in measured(p))
        told.append(say("dropping.purpose_measured", p=f"{p:.2f}", without=without, trained=trained))
    yield blocks.text(listed("sentence", told))


def scores(screen: Screen) -> Iterator[Block]:
    """The scores of the two layers against p, with dots at that of the screen."""
    if screen.config.preset != LEARNED:
        return
    here, steps = screen.config.dropout, _steps()
    dots, lines = measured(here), np.array([measured(p) for p in steps]).T
    series = []
    for p, line, dot, colour, end in zip(TRAINED_PS, lines, dots, _COLOURS, _NAMES, strict=True):
        series.append(Series(_named(p), steps, line, colour=colour, said=(*end, _named(p))))
        name = say("dropping.scores_here", layer=_named(p), p=f"{here:.2f}")
        series.append(Series(name, [here], [dot], "dots", colour=colour, is_listed=False))
    x = Axis(say("dropping.scores_p"), range=(-0.02, steps[-1] + 0.02))
    y = Axis(say("dropping.scores_share"), range=(0, 1.05))
    note = say("dropping.scores_note", p=f"{here:.2f}")
    yield blocks.figures(Chart("dropout-scores", say("dropping.scores"), series, x, y, note, light=True))


def _steps() -> list[float]:
    """Every second value of the slider of p, from 0 to the largest: each costs a twentieth of a second, once."""
    slider = KNOBS["dropout"]
    assert isinstance(slider, Range)
    return [round(slider.step * at, 6) for at in range(0, 1 + round(slider.high / slider.step), 2)]


class Measured(NamedTuple):
    without: float
    trained: float


@lru_cache(maxsize=64)
def measured(p: float) -> Measured:
    """The scores of the two layers of default sizes on test sentences, with arcs cut at a p."""
    return Measured(*(_score(Config(dropout=p, trained_p=trained)) for trained in TRAINED_PS))


def _score(config: Config) -> float:
    found = learned_scores.tested(config, run(config).module)
    assert found is not None
    return found.scores.mean
