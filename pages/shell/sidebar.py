"""The shared controls, in the order in which a lecturer needs them."""

from functools import partial
from typing import Any

import streamlit as st

from attention import __version__
from attention.device import devices
from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell import component, knob_bar
from pages.shell.exports import handout
from pages.shell.exports.address import app_address
from pages.shell.i18n import say, spoken
from pages.shell.i18n.options import word
from pages.shell.layout import more, pin
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import expander, widget
from pages.shell.lectures import recorder
from pages.shell.lectures.notes import notes
from pages.shell.lectures.player import running
from pages.shell.runs.preparation import prepared
from pages.shell.runs.sources import Source, shared
from pages.shell.server import qr
from pages.shell.state.config import (
    KNOBS,
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
from pages.shell.state.pending import set_controls
from pages.shell.state.reader import Reader

_NEVER_SEEN = ("painted", "edited", "pinned")
_all_ask = Source(lambda: Config.held("last") == 0)
# Its widget comes last: of a cold link, only the address knows.
_painted = Source(lambda: len(cells(Config.asked("painted"))))


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
            # One container for all of them: docs/decisions/links.md, "A control has one place".
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
    if Reader.held("present"):
        with st.container(key="presenting", horizontal=True):
            component.share("share-small", qr.MOST, small=True)
            component.palette("projector")
            st.button(say("lecture.leave"), key="leave-present", on_click=_leave)


@row
def _controls(page: str) -> None:
    idle = unused(page)
    seen: list[str] = []
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
                seen.append(name)

    section("input")
    place("preset", on_change=_load_preset)
    fixed = Source(partial(_is_fixed, page)).read()
    if fixed:
        st.caption(say("control.fixed", preset=word("preset", Config.held("preset")), live=word("preset", LIVE)))
    else:
        place("text", placeholder=Source(lambda: _config(page).sentence_of_preset).read())
    if page == CROSS:
        widget("context")
    if not fixed:
        section("sizes")
        place("d_model", "d_v")
        # A layer that learned answers with words: its output is as wide as they are.
        if Source(lambda: _config(page).preset).read() == RANDOM:
            place("d_out")
        place("bias")
    sentences, heads = Source(partial(_counts, page)).read()
    masking = _mask_parts(page, idle)
    if page == CROSS or "last" not in idle or (sentences > 1 and "padding" not in idle):
        waiting.clear()
        _section("mask")
    if page == CROSS:
        widget("cross_mask")
    for name in masking:
        widget(name)
        seen.append(name)
    place("last")
    if page == CROSS or not _all_ask.read():
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
    _unseen(*(name for name in KNOBS if name not in (*seen, *knob_bar.NAMES, *more.NAMES, *_NEVER_SEEN)))


def _leave() -> None:
    set_controls({"present": False})


def _config(page: str) -> Config:
    return looked_at(page, shared())


def _is_fixed(page: str) -> bool:
    """Whether the preset brings the text and the sizes."""
    return _config(page).preset in PRESETS


def _counts(page: str) -> tuple[int, int]:
    """How many sentences and how many heads there are."""
    ready = prepared(_config(page), CrossAttention.current().context if page == CROSS else None)[0]
    return len(ready.inputs.tokens), ready.module.heads


def _mask_parts(page: str, idle: frozenset[str]) -> list[str]:
    """The parameters of the mask that the page looks at."""
    if page == CROSS:
        return list(MASKS[CrossAttention.asked("cross_mask")].parameters)
    mask = Source(lambda: _config(page).used_mask).read()
    return [name for name in MASKS[mask].parameters if name not in idle and "mask" not in idle]


def _load_preset() -> None:
    """A preset is loaded with the mask that shows its point; every knob stays live after that."""
    without = st.session_state["preset"] in ("notebook", "token_by_token")
    set_controls({"mask": "full" if without else OF_PRESET, "positions": OF_PRESET})


def _unseen(*names: str) -> None:
    """Controls without a widget to look at: some figure may still depend on them, and a link must carry them.

    Those at their default, too: the browser does not write into its address what a widget has when it first appears.
    They stand last, and beside those that are seen: a widget that went from one container into another would lose its
    parameter of the address. The first of them is always there, and hides itself and what follows (plot.css).
    """
    for name in (*_NEVER_SEEN, *names):
        widget(name)


def _unpaint() -> None:
    """The way back from painted cells, where there are some."""
    count = _painted.read()
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
