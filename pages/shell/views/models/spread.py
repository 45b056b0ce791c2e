"""Do trained heads keep unit variance? The variance of the scaled scores of every head, measured."""

from collections.abc import Iterator

import numpy as np

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import after
from pages.shell.views.registry import named

# The smallest variance on the logarithmic axis.
_LEAST = 1e-6


@named("models.spread")
def figure(screen: Screen) -> Iterator[Block]:
    found = after(screen)
    if found is None:
        return
    yield blocks.heading(say("models.spread.title"))
    variances = found.variances.numpy()
    layers = np.arange(1, len(variances) + 1)
    drawn = variances.clip(_LEAST)
    ends = np.array([0.5, len(layers) + 0.5])
    series = [
        Series(say("models.spread.head"), layers.repeat(variances.shape[1]), drawn.ravel(), "dots"),
        Series(say("models.spread.median"), layers, np.median(drawn, 1), colour=1),
        Series(say("models.spread.theory"), ends, np.ones(2), "theory", colour=2),
    ]
    note = say(
        "models.spread.note",
        least=digits(float(variances.min())),
        median=digits(float(np.median(variances))),
        most=digits(float(variances.max())),
        within=int(((variances > 0.5) & (variances < 2)).sum()),
        all=variances.size,
    )
    x, y = Axis(say("models.layer"), range=(0.5, len(layers) + 0.5)), Axis(say("models.spread.axis"), log=True)
    title, text = say("models.spread.chart"), say("models.spread.text")
    yield blocks.figures(Chart("spread", title, series, x, y, note, text))
