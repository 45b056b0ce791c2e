"""The first token as a sink: its share of the weight and the length of its value by layer, and the text without it."""

from dataclasses import replace

import numpy as np
import streamlit as st

from attention.inputs.trained import TrainedModel
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.layout.rows import row
from pages.shell.runs import trained
from pages.shell.runs.trained import Seen
from pages.shell.sections.models.common import after, asked, is_ready, two


def section() -> None:
    if is_ready():
        _charts()
        _hidden()


@row
def _charts() -> None:
    found = after.read()
    if found is None:
        return
    st.subheader(say("models.sinks.title"), anchor=False)
    if len(found.tokens) < 2:
        st.markdown(say("models.sinks.one"))
        return
    layers = np.arange(1, len(found.weights) + 1)
    share = found.weights[:, :, 1:, 0].mean((1, 2)).numpy()
    length = (found.lengths[:, :, 0].mean(-1) / found.lengths[:, :, 1:].mean((1, 2))).numpy()
    x = Axis(say("models.layer"), range=(0.5, len(layers) + 0.5))
    most, least = int(share.argmax()), int(length.argmin())
    first = say(
        "models.sinks.share_note",
        token=found.tokens[0],
        first=two(share[0]),
        most=two(share[most]),
        layer=most + 1,
        last=two(share[-1]),
    )
    second = say("models.sinks.length_note", least=two(length[least]), layer=least + 1, last=two(length[-1]))
    component.row(
        "plot-sinks",
        Chart(
            "sink-share",
            say("models.sinks.share"),
            [Series(say("models.sinks.share"), layers, share)],
            x,
            Axis(say("models.sinks.share_axis"), range=(0, 1.05)),
            first,
            say("models.sinks.share_text"),
        ),
        Chart(
            "sink-length",
            say("models.sinks.length"),
            [
                Series(say("models.sinks.length"), layers, length, colour=1),
                Series(say("models.sinks.alike"), layers, np.ones(len(layers)), "theory", colour=1),
            ],
            x,
            Axis(say("models.sinks.length_axis"), range=(0, 1.1 * max(1.0, float(length.max())))),
            second,
            say("models.sinks.length_text"),
        ),
    )


@row
def _hidden() -> None:
    """What the model says when nobody may attend to the first token."""
    wanted = asked.read()
    model = trained.loaded(wanted.model)
    with_it, without = (trained.seen(replace(wanted, hidden=hidden, layer=None)) for hidden in (False, True))
    if with_it is None or without is None or model is None or len(with_it.tokens) < 2:
        return
    st.markdown(say("models.sinks.without", token=with_it.tokens[0], told=_told(model, with_it, without)))


def _told(model: TrainedModel, with_it: Seen, without: Seen) -> str:
    if not model.sizes.causal:
        return say("models.sinks.vector", cosine=two(float(with_it.output @ without.output)))
    names = [model.shown([int(found.output.argmax())])[0] for found in (with_it, without)]
    values = [two(float(found.output.max())) for found in (with_it, without)]
    return say("models.sinks.next", token=names[0], before=values[0], other=names[1], after=values[1])
