"""What the model says of the text: as it was trained, and with what is changed."""

import numpy as np
import streamlit as st
import torch

from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.markdown import in_table
from pages.shell.layout.rows import row
from pages.shell.runs import trained
from pages.shell.runs.sources import Source
from pages.shell.sections.models.common import after, asked, before, is_ready, two
from pages.shell.state.page_controls import Models

_MOST = 10
# Of a sentence under a bar.
_SHORT = 32
_other = Source(lambda: Models.opened().other_text.strip() or trained.OTHER)


def section() -> None:
    if is_ready():
        # Each draws nothing of a model that says something else.
        _next_tokens()
        _similarity()


@row
def _next_tokens() -> None:
    plain, changed = before.read(), after.read()
    model = trained.loaded(asked.read().model)
    if plain is None or changed is None or model is None or not model.sizes.causal:
        return
    st.subheader(say("models.said.title"), anchor=False)
    top = torch.unique(torch.cat([found.output.topk(_MOST).indices for found in (plain, changed)]))
    top = top[plain.output[top].maximum(changed.output[top]).argsort(descending=True)][: _MOST + 2]
    names = model.shown(top.tolist())
    at = np.arange(1, len(names) + 1)
    is_changed = asked().plain() != asked()
    series = [Series(say("models.said.as.trained"), at, plain.output[top].numpy(), "bars")]
    if is_changed:
        series.append(Series(say("models.said.as.changed"), at, changed.output[top].numpy(), "bars", colour=1))
    x = Axis(say("models.said.token"), range=(0.5, len(names) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.said.probability"), range=(0, 1.05))
    first = [(model.shown([int(found.output.argmax())])[0], float(found.output.max())) for found in (plain, changed)]
    note = say("models.said.first", token=first[0][0], number=two(first[0][1]))
    if is_changed:
        gone = float((plain.output - changed.output).abs().sum()) / 2
        note = say(
            "models.said.note",
            token=first[0][0],
            number=two(first[0][1]),
            other=first[1][0],
            then=two(first[1][1]),
            left=two(float(changed.output[plain.output.argmax()])),
            gone=two(gone),
        )
    component.row("plot-next", Chart("next", say("models.said.chart"), series, x, y, note, say("models.said.text")))


@row
def _similarity() -> None:
    plain, changed, wanted = before.read(), after.read(), asked.read()
    if plain is None or changed is None or trained.sizes_of(wanted.model).causal:
        return
    st.subheader(say("models.similar.title"), anchor=False)
    texts = (_other.read(), trained.UNRELATED)
    at = np.arange(1, len(texts) + 1)
    series = []
    for place, (label, found, screen) in enumerate(
        (("trained", plain, wanted.plain()), ("changed", changed, wanted))[: 1 + (wanted != wanted.plain())]
    ):
        others = [trained.seen(screen.of(text)) for text in texts]
        cosines = [float(found.output @ other.output) for other in others if other is not None]
        series.append(Series(say(f"models.said.as.{label}"), at, cosines, "bars", colour=place))
    lows = [float(np.min(one.y)) for one in series]
    names = [text if len(text) <= _SHORT else f"{text[:_SHORT]}…" for text in texts]
    x = Axis(say("models.similar.other"), range=(0.5, len(texts) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.similar.cosine"), range=(min(-0.05, *lows), 1.05))
    numbers = [two(float(one)) for one in np.asarray(series[0].y)]
    note = say("models.similar.note", text=names[0], near=numbers[0], far=numbers[1])
    if len(series) > 1:
        note = say(
            "models.similar.changed", text=names[0], near=numbers[0], then=two(float(np.asarray(series[1].y)[0]))
        )
    component.row(
        "plot-similar",
        Chart("similar", say("models.similar.chart"), series, x, y, note, say("models.similar.text")),
    )
    pieces = " ".join(in_table(token) for token in plain.tokens)
    st.markdown(say("models.pieces", count=len(plain.tokens), pieces=pieces))
