"""The first token as a sink: its share of the weight and the length of its value by layer, and the text without it."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import sizes_of
from pages.shell.sections.models.common import first, headed, request, two


@headed("sinks")
def section(found: Outputs) -> None:
    if len(found.tokens) < 2:
        st.markdown(say("models.sinks.one"))
        return
    x = Axis(say("models.layer"), range=(0.5, len(found.weights) + 0.5))
    # The text without it is told in the figure, so that it is computed where the figure is in sight.
    component.row("plot-sinks", _share(found, x), _length(found, x))


def _share(found: Outputs, x: Axis) -> Chart:
    share = found.weights[:, :, 1:, 0].mean((1, 2)).numpy()
    most, token = int(share.argmax()), found.tokens[0]
    note = say(
        "models.sinks.share_note",
        token=token,
        first=two(share[0]),
        most=two(share[most]),
        layer=most + 1,
        last=two(share[-1]),
    )
    series = [Series(say("models.sinks.share"), np.arange(1, len(share) + 1), share)]
    y = Axis(say("models.sinks.share_axis"), range=(0, 1.05))
    return Chart("sink-share", say("models.sinks.share"), series, x, y, note, say("models.sinks.share_text"))


def _length(found: Outputs, x: Axis) -> Chart:
    length = (found.lengths[:, :, 0].mean(-1) / found.lengths[:, :, 1:].mean((1, 2))).numpy()
    least, layers = int(length.argmin()), np.arange(1, len(length) + 1)
    told = say("models.sinks.length_note", least=two(length[least]), layer=least + 1, last=two(length[-1]))
    series = [
        Series(say("models.sinks.length"), layers, length, colour=1),
        Series(say("models.sinks.alike"), layers, np.ones(len(layers)), "theory", colour=1),
    ]
    y = Axis(say("models.sinks.length_axis"), range=(0, 1.1 * max(1.0, float(length.max()))))
    note = f"{told} {_without(found.tokens[0])}".strip()
    return Chart("sink-length", say("models.sinks.length"), series, x, y, note, say("models.sinks.length_text"))


def _without(token: str) -> str:
    """What the model says when nobody may attend to the first token."""
    wanted = request.read()
    both = [outputs(replace(wanted, hidden=hidden, layer=None)) for hidden in (False, True)]
    with_it, without = both
    if with_it is None or without is None:
        return ""
    if sizes_of(wanted.model).causal:
        (token_before, before), (other, after) = first(with_it), first(without)
        told = say("models.sinks.next", token=token_before, before=before, other=other, after=after)
    else:
        told = say("models.sinks.vector", cosine=two(float(with_it.output @ without.output)))
    return say("models.sinks.without", token=token, told=told)
