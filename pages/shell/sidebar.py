"""The shared controls, in the order in which a lecturer needs them."""

from functools import partial
from typing import Any

import streamlit as st

from attention import __version__
from attention.device import devices
from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell import component
from pages.shell.exports import handout
from pages.shell.exports.address import app_address
from pages.shell.i18n import say, spoken
from pages.shell.i18n.options import word
from pages.shell.layout import pin
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import expander, widget
from pages.shell.lectures import recorder
from pages.shell.lectures.notes import notes
from pages.shell.lectures.player import running
from pages.shell.runs.preparation import prepared
from pages.shell.server import qr
from pages.shell.state.changes import set_controls
from pages.shell.state.config import (
    LIVE,
    OF_PRESET,
    RANDOM,
    VARIANTS,
    Config,
    looked_at,
    looks,
    unused,
)
from pages.shell.state.page_controls import CROSS, CrossAttention
from pages.shell.state.painted_cells import cells
from pages.shell.state.reader import Reader


def draw(page: str) -> None:
    """The shared controls that a page looks at, but those of the bar, and the reader's settings."""
    with st.sidebar:
        component.share("share", qr.MOST)
        on = running()
        if on is not None:
            # Where the lecturer looks first, and closed for who reads alone: the answer stands there.
            speaker = expander("lecture-notes", say("lecture.speaker"))
            if speaker.open:
                with speaker:
                    notes(on)
        if looks(page):
            with st.container(key="shared"):
                _controls(page)
                # A page that looks at less of the screen, but for variants, would not show what it pins.
                if unused(page) <= set(VARIANTS):
                    pin.draw(page)
        _section("reader")
        widget("lang")
        widget("lecture")
        if on is not None and len(on.stops) > 1:
            widget("stop", most=len(on.stops))
        if on is not None:
            widget("room")
            st.download_button(
                say("lecture.handout"),
                partial(handout.made, Reader.current().lecture, on, spoken(), app_address()),
                "attention-handout.html",
                "text/html",
                key="lecture-handout",
                on_click="ignore",
            )
        widget("present")
        recorder.draw(page)
        st.caption(say("app.version", version=__version__))
    if Reader.current().present:
        with st.container(key="presenting", horizontal=True):
            component.share("share-small", qr.MOST, small=True)
            component.palette("projector")
            st.button(say("lecture.leave"), key="leave-present", on_click=_leave)


@part
def _controls(page: str) -> None:
    idle, config = unused(page), _config(page)
    # How many heads there are is chosen in the bar.
    depends_on(partial(_counts, page))
    waiting: list[str] = []

    def section(name: str) -> None:
        """A heading that appears with the first widget beneath it."""
        waiting[:] = [name]

    def place(*names: str, **given: Any) -> None:
        """The widgets of the controls that the page looks at."""
        for name in names:
            if name not in idle:
                if waiting:
                    _section(waiting.pop())
                widget(name, **given)

    section("input")
    place("preset", on_change=_load_preset)
    fixed = config.preset in PRESETS
    if fixed:
        st.caption(say("control.fixed", preset=word("preset", config.preset), live=word("preset", LIVE)))
    else:
        place("text", placeholder=config.sentence_of_preset)
    if page == CROSS:
        widget("context")
    if not fixed:
        section("sizes")
        place("d_model", "d_v")
        # A layer that learned answers with words: its output is as wide as they are.
        if config.preset == RANDOM:
            place("d_out")
        place("bias")
    sentences, heads = _counts(page)
    masking = _mask_parts(page, config)
    if page == CROSS or "last" not in idle or (sentences > 1 and "padding" not in idle):
        waiting.clear()
        _section("mask")
    if page == CROSS:
        widget("cross_mask")
    for name in masking:
        widget(name)
    place("last")
    if page == CROSS or config.last > 0:
        place("corner")
    if sentences > 1:
        place("padding")
    _unpaint()
    section("shown")
    for name, count in {"sentence": sentences, "head": heads}.items():
        # No picker where there is one.
        if count > 1:
            place(name, most=count)
    if len(devices()) > 1:
        place("device")
    place("draw", "seed")


def _leave() -> None:
    set_controls({"present": False})


def _config(page: str) -> Config:
    return looked_at(page, Config.current())


def _counts(page: str) -> tuple[int, int]:
    """How many sentences and how many heads there are."""
    ready = prepared(_config(page), CrossAttention.current().context if page == CROSS else None)[0]
    return len(ready.inputs.tokens), ready.module.heads


def _mask_parts(page: str, config: Config) -> list[str]:
    """The parameters of the mask that the page looks at."""
    if page == CROSS:
        return list(MASKS[CrossAttention.current().cross_mask].parameters)
    idle = unused(page)
    return [name for name in MASKS[config.used_mask].parameters if name not in idle and "mask" not in idle]


def _load_preset() -> None:
    """A preset is loaded with the mask that shows its point; every knob stays live after that."""
    without = Config.current().preset in ("notebook", "token_by_token")
    set_controls({"mask": "full" if without else OF_PRESET, "positions": OF_PRESET})


def _unpaint() -> None:
    """The way back from painted cells, where there are some."""
    count = len(cells(Config.current().painted))
    if count:
        st.button(
            say("mask.unpaint", count=count),
            key="unpaint",
            on_click=set_controls,
            args=({"painted": ""},),
            width="stretch",
        )


def _section(name: str) -> None:
    st.markdown(f"**{say(f'section.{name}')}**")
