"""The live training of the layer that learned a grammar."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from attention.experiments.learning import State
from attention.inputs.learned import Setting
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.layout import training
from pages.shell.layout.drawer import drawer
from pages.shell.layout.drawn import drawn
from pages.shell.layout.live import show
from pages.shell.layout.part import dependent, depends_on
from pages.shell.runs import learned
from pages.shell.state.config import LEARNED, Config
from pages.shell.views import View


def section(scores: View, heads: View) -> None:
    """The scores of the layer's answers, in an expander; nothing for other presets."""
    if Config.current().preset == LEARNED:
        with drawer("learned"):
            show(scores)
            _training("walkthrough")
            _trained("walkthrough")
            show(heads)


@dependent
def _training(page: str) -> None:
    """The training of a shipped setting; the training of any other setting is offered beside its note."""
    depends_on(partial(training.asked, page))
    setting = training.asked(page)
    if setting in learned.KNOWN:
        training.offer(setting)


@dependent
def _trained(page: str) -> None:
    setting = training.asked(page)
    if setting is not None and (states := training.states(setting)):
        drawn("plot-learned-curve", _curve(setting, states))


def _curve(setting: Setting, states: Sequence[State]) -> Chart:
    measured = [(state.step, state.score) for state in states if state.score is not None]
    at, score = (np.array(column) for column in zip(*measured, strict=True))
    x = Axis(say("lab.axis.step"), range=(0, setting.steps))
    y = Axis(say("learned.score"), range=(0, 1.05))
    note = say("learned.curve_note", first=_two(score[0]), last=_two(score[-1]), step=at[-1])
    return Chart("learned-curve", say("learned.curve"), (Series(say("learned.score"), at, score),), x, y, note)


def _two(share: float) -> str:
    return f"{share:.2f}"
