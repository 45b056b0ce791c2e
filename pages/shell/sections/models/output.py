"""The output of the model for the text, as trained and as changed."""

import numpy as np
import streamlit as st
import torch

from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.i18n.markdown import in_table
from pages.shell.layout.rows import row
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import OTHER, UNRELATED, sizes_of
from pages.shell.sections.models import start
from pages.shell.sections.models.common import after, before, first, is_ready, request, two, words
from pages.shell.state.page_controls import Models

_MOST = 10
# Of a sentence under a bar.
_SHORT = 32
_other = Source(lambda: (Models.opened().other_text.strip() if is_ready() else "") or OTHER)


def section() -> None:
    told, changed = st.columns([4, 5], gap="medium")
    with told:
        _output()
    with changed:
        start.knobs()


@row
def _output() -> None:
    plain, changed, wanted = before.read(), after.read(), request.read()
    if plain is None or changed is None:
        return
    # The first as trained, then as changed where anything is.
    both = [plain] if wanted == wanted.plain() else [plain, changed]
    chart = _next_tokens(both) if sizes_of(wanted.model).causal else _similarity(both)
    component.row("plot-output", chart)
    pieces = " ".join(in_table(token) for token in plain.tokens)
    st.markdown(say("models.pieces", count=len(plain.tokens), pieces=pieces))


def _bars(at: np.ndarray, numbers: list[np.ndarray]) -> list[Series]:
    labels = ("trained", "changed")[: len(numbers)]
    return [
        Series(say(f"models.as.{label}"), at, y, "bars", colour=place)
        for place, (label, y) in enumerate(zip(labels, numbers, strict=True))
    ]


def _next_tokens(both: list[Outputs]) -> Chart:
    likely = torch.unique(torch.cat([found.output.topk(_MOST).indices for found in both]))
    most = torch.stack([found.output[likely] for found in both]).amax(0)
    top = likely[most.argsort(descending=True)][: _MOST + 2 * (len(both) - 1)]
    names, at = words(top.tolist()), np.arange(1, len(top) + 1)
    series = _bars(at, [found.output[top].numpy() for found in both])
    x = Axis(say("models.next_token.token"), range=(0.5, len(names) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.next_token.probability"), range=(0, 1.05))
    token, number = first(both[0])
    note = say("models.next_token.first", token=token, number=number)
    if len(both) > 1:
        plain, changed = (found.output for found in both)
        other, then = first(both[1])
        left, gone = float(changed[plain.argmax()]), float((plain - changed).abs().sum()) / 2
        numbers = {"token": token, "number": number, "then": then, "gone": two(gone)}
        if other == token:
            note = say("models.next_token.note_same", **numbers)
        else:
            note = say("models.next_token.note", other=other, left=two(left), **numbers)
    return Chart("next", say("models.next_token.title"), series, x, y, note, say("models.next_token.text"))


def _similarity(both: list[Outputs]) -> Chart:
    texts, wanted = (_other.read(), UNRELATED), request()
    cosines = []
    for found, screen in zip(both, (wanted.plain(), wanted), strict=False):
        others = [outputs(screen.of(text)) for text in texts]
        cosines.append(np.array([float(found.output @ other.output) for other in others if other is not None]))
    at = np.arange(1, len(texts) + 1)
    names = [text if len(text) <= _SHORT else f"{text[:_SHORT]}…" for text in texts]
    x = Axis(say("models.similar.other"), range=(0.5, len(texts) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.similar.cosine"), range=(min(-0.05, *(float(one.min()) for one in cosines)), 1.05))
    near, far = (two(one) for one in cosines[0])
    note = say("models.similar.note", text=names[0], near=near, far=far)
    if len(both) > 1:
        note = say("models.similar.changed", text=names[0], near=near, then=two(cosines[1][0]))
    title, text = say("models.similar.title"), say("models.similar.text")
    return Chart("similar", title, _bars(at, cosines), x, y, note, text)
