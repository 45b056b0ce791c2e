"""The live training of the layer that learned a grammar."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from attention.experiments.learning import State
from attention.inputs.learned import Setting
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.layout import training
from pages.shell.layout.drawn import drawn
from pages.shell.layout.live import show
from pages.shell.layout.rows import row
from pages.shell.runs import learned
from pages.shell.runs.sources import Source, shared
from pages.shell.state.config import LEARNED
from pages.shell.views import View

_asked = Source(lambda: training.asked(shared()))
# The setting where it has something to show, so that a move between others draws nothing anew.
_shipped = Source(lambda: one if (one := _asked.read()) in learned.KNOWN else None)
_watched = Source(lambda: one if (one := _asked.read()) is not None and training.states(one) else None)


def drawer(scores: View, heads: View) -> None:
    """How well the layer answers, behind a line that opens; nothing of other presets."""
    _drawer(Source(lambda: shared().preset == LEARNED), scores, heads)


@row
def _drawer(is_there: bool, scores: View, heads: View) -> None:
    if is_there:
        with st.expander(say("drawer.learned"), key="drawer-learned"):
            show(scores)
            _training(_shipped.read())
            _trained(_watched.read())
            show(heads)


@row
def _training(setting: Setting | None) -> None:
    """Any other setting than those that were shipped is trained beside the note about it."""
    if setting is not None:
        training.offer(setting)


@row
def _trained(setting: Setting | None) -> None:
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
