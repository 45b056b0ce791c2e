"""The model, the text and what is changed; and the model itself, loaded once for all."""

from functools import partial
from typing import Any

import streamlit as st

from attention.inputs.trained import MissingModelError, missing
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.layout.rows import changes, row
from pages.shell.layout.widgets import widget
from pages.shell.runs import trained
from pages.shell.sections.models.common import asked, lacking
from pages.shell.state.config import TOKENS
from pages.shell.state.page_controls import Models
from pages.shell.state.pending import set_controls
from pages.shell.state.registry import default

_EXAMPLES: dict[str, dict[str, Any]] = {
    "story": {"model": "minilm", "model_text": ""},
    "capital": {"model": "smollm2", "model_text": ""},
    # The head that finds what followed last time.
    "repeated": {"model": "smollm2", "model_text": trained.REPEATED, "model_layer": 18, "model_head": 6},
}
_KNOBS = ("model_scale", "model_mask", "model_dropout", "rank", "hide_first", "everywhere", "model_off")


def section() -> None:
    _controls()
    _ready()


@row
def _controls() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        for name in _EXAMPLES:
            st.button(say(f"models.example.{name}"), key=f"example-{name}", on_click=partial(_open, name))
    widget("model", on_change=_load_first)
    # Once it has been drawn: of a cold link it knows what comes.
    screen = Models.current()
    widget("model_text", placeholder=trained.TEXTS[screen.model])
    with st.expander(say("models.knobs"), expanded=any(Models.asked(name) != default(name) for name in _KNOBS)):
        for names in (_KNOBS[:3], _KNOBS[3:6]):
            for column, name in zip(st.columns(3), names, strict=True):
                with column:
                    widget(name)
        for column, name in zip(st.columns(2), ("model_off", "other_text"), strict=True):
            with column:
                widget(name, placeholder=trained.OTHER if name == "other_text" else None)
        st.button(say("models.as_trained"), key="as-trained", on_click=changes(_reset), icon=":material/undo:")


def _open(example: str) -> None:
    wanted = {name: default(name) for name in (*_KNOBS, "model_layer", "model_head")}
    model = _EXAMPLES[example]["model"]
    layer, head = trained.OPENED[model]
    set_controls(wanted | {"model_layer": layer, "model_head": head} | _EXAMPLES[example])


def _load_first() -> None:
    """Of a model that is not there yet, no row could say whether it has changed: the whole page, which loads it."""
    if trained.loaded(Models.held("model")) is None:
        st.rerun()


def _reset() -> None:
    set_controls({name: default(name) for name in _KNOBS})


@row
def _ready() -> None:
    """Have the model, and what it makes of the text, before the rows below ask for it."""
    wanted = asked.read()
    if missing(wanted.model):
        st.info(lacking(wanted.model), icon=":material/download:")
        return
    place = st.empty()

    def progress(done: float) -> None:
        place.progress(min(done, 1.0), say("models.loading", percent=f"{done:.0%}"))

    def waiting() -> None:
        place.progress(0.0, say("lab.waiting"))

    try:
        model = trained.load(wanted.model, progress, waiting)
    except MissingModelError as error:
        st.error(say("models.refused", why=code(str(error))), icon=":material/error:")
        return
    for each in (wanted.plain(), wanted):
        trained.seen(each, waiting)
    place.empty()
    if (count := len(model.ids(wanted.text))) > TOKENS:
        st.warning(say("note.tokens", most=TOKENS, count=count), icon=":material/info:")
    if wanted.model == "smollm2":
        st.caption(say("models.four_bits"))
