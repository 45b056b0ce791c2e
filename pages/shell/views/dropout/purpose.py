"""The reason to cut arcs, and the worth of a training with dropout on new sentences, with nothing cut."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attention.experiments.few_sentences import COUNTS, LAYER, PS, SEEDS, shipped
from pages.shell.component.chart import INK, Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.runs import learned
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import blocks, head_arcs
from pages.shell.views.blocks import Block
from pages.shell.views.dropout import two_layers

# The trainings in the text: the one on few sentences, and the one on the most.
_FEW, _MANY = COUNTS.index(60), len(COUNTS) - 1
# The style of a line by the dropout of the training, and the place of its name, over both lines or under them.
_STYLES = ("theory", "line")
_NAMES = ((250, 0.66), (60, 1.0))


def purpose(screen: Screen) -> Iterator[Block]:
    """The purpose of dropout in words, and its use after training."""
    told = listed("sentence", (say("dropping.purpose"), *_beside(screen)))
    yield blocks.text(f"{told}\n\n{_in_use(screen.config.dropout)}")


def _in_use(p: float) -> str:
    if not p:
        return say("dropping.purpose_use_none")
    factor = f"{1 / (1 - p):.3g}"
    return say("dropping.purpose_use_twice") if factor == "2" else say("dropping.purpose_use", factor=factor)


def worth(screen: Screen) -> Iterator[Block]:
    """The gain of a training with dropout in words, in the task of the page."""
    if screen.config.preset != LEARNED:
        return
    known = f"{shipped().seen[_FEW].mean():.0%}"
    few = say("dropping.purpose_few", layer=_measured(screen), known=known, **_told(_FEW))
    yield blocks.text(listed("sentence", (few, say("dropping.purpose_many", **_told(_MANY)))))


def _beside(screen: Screen) -> Iterator[str]:
    """The rows under the arcs that show the purpose, if another layer has one of them."""
    if other := two_layers.other(screen.run, head_arcs.asked_of(screen)):
        yield say("dropping.purpose_beside", question=other.name, layer=other.layer)


def _measured(screen: Screen) -> str:
    """The layer whose answers are counted; it is not the layer of the arcs."""
    here = learned.used(screen.config)
    if here is None or here.heads == LAYER.heads:
        return say("dropping.layer_of", heads=LAYER.heads)
    is_larger = here.heads < LAYER.heads and here.d_model < LAYER.d_model
    which = "dropping.layer_larger" if is_larger else "dropping.layer_other"
    return say(which, heads=LAYER.heads, here=here.heads)


def _told(at: int) -> dict[str, Any]:
    """The number of sentences read in the training, and the share of right answers on new ones after it."""
    without, trained = (f"{share:.0%}" for share in shipped().new[at].mean(-1))
    return {"count": COUNTS[at], "without": without, "trained": trained}


def scores(screen: Screen) -> Iterator[Block]:
    """Right answers on new sentences against the number of sentences in the training, with dropout and without."""
    if screen.config.preset != LEARNED:
        return
    counts, new = np.array(COUNTS), shipped().new.astype(float)
    mean, error = new.mean(-1), new.std(-1, ddof=1) / np.sqrt(len(SEEDS))
    series = []
    for at, (p, style, end) in enumerate(zip(PS, _STYLES, _NAMES, strict=True)):
        name = say("dropping.layer_with", p=p) if p else say("dropping.layer_without")
        low, high = mean[:, at] - 2 * error[:, at], np.minimum(mean[:, at] + 2 * error[:, at], 1)
        series.append(Series(name, counts, mean[:, at], style, low, high, INK, said=(*end, name)))
    x = Axis(say("dropping.scores_count"), log=True, range=(COUNTS[0] * 0.95, COUNTS[-1] * 1.05), ticks=COUNTS)
    y = Axis(say("dropping.scores_share"), range=(0.2, 1.15))
    note = say("dropping.scores_note", layer=_measured(screen), trainings=len(SEEDS))
    yield blocks.figures(
        Chart("dropout-scores", say("dropping.scores", p=PS[1]), series, x, y, note, light=True, low=True)
    )
