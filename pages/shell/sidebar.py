"""The shared controls, in the order in which a lecturer reaches for them."""

from functools import partial
from typing import Any

import streamlit as st

from attention.device import devices
from attention.inputs.grammar import EXAMPLE
from attention.inputs.presets import PRESETS, STORY, Prepared
from attention.masks import MASKS
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout import pin
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widget
from pages.shell.lectures import recorder
from pages.shell.lectures.player import notes, running
from pages.shell.runs import learned
from pages.shell.runs.run import prepared
from pages.shell.runs.sources import Source, shared
from pages.shell.server import qr
from pages.shell.state.config import Config, looked_at, looks, unused
from pages.shell.state.page_controls import CROSS, CrossAttention, Reader
from pages.shell.state.painted_cells import cells
from pages.shell.state.pending import set_controls

_SIZES = ("d_model", "heads", "d_k", "d_v", "bias")
# What a preset brings itself.
_FIXED = ("text", *_SIZES)
_all_ask = Source(lambda: Config.held("last") == 0)
# Its widget comes last: of a cold link, only the address knows.
_painted = Source(lambda: len(cells(Config.asked("painted"))))


def draw(page: str) -> None:
    """Every shared control; disabled, those that a page does not look at, and none on a page that looks at none."""
    with st.sidebar:
        component.share("share", qr.MOST)
        if looks(page):
            # One container for all of them: docs/decisions/links.md, "A control has one place".
            with st.container(key="shared"):
                _controls(page)
                # A page that looks at less of the screen than that would not show what it pins.
                if not unused(page):
                    pin.draw(page)
        _section("reader")
        widget("lang")
        widget("lecture")
        on = running()
        if on is not None and len(on.stops) > 1:
            widget("stop", most=len(on.stops))
        widget("present")
        if on is not None:
            with st.expander(say("lecture.speaker")):
                notes()
        recorder.draw(page)
    if Reader.held("present"):
        with st.container(key="presenting", horizontal=True):
            component.share("share-small", qr.MOST, small=True)
            component.palette("projector")
            st.button(say("lecture.leave"), key="leave-present", on_click=_leave)


@row
def _controls(page: str) -> None:
    idle = unused(page)
    _section("input")
    widget("preset", disabled="preset" in idle, on_change=_load_preset)
    is_learned = _value("preset") == learned.PRESET and page != CROSS
    if is_learned:
        widget("afterwards", disabled="afterwards" in idle)
    fixed = Source(partial(_fixed_by, page), key=lambda: _config(page).preset).read()
    _text(fixed)
    if page == CROSS:
        widget("context")
    widget("positions", disabled="positions" in idle)
    _section("sizes", _why() if fixed else "")
    for name in _SIZES:
        if fixed:
            _fixed(name, fixed)
        else:
            widget(name)
    sentences, heads = Source(partial(_counts, page)).read()
    _section("mask")
    shown = _mask(page, idle)
    widget("last", disabled="last" in idle)
    widget("corner", disabled="corner" in idle or (_all_ask.read() and page != CROSS))
    widget("padding", disabled="padding" in idle or sentences == 1)
    _unpaint()
    _section("softmax")
    widget("scale")
    _section("dropout")
    widget("dropout", disabled="dropout" in idle)
    widget("mode", disabled="mode" in idle)
    _section("shown")
    _picker("sentence", sentences)
    _picker("head", heads)
    if len(devices()) > 1:
        widget("device")
    widget("seed")
    never = ("heads_off",) if is_learned else ("heads_off", "afterwards")
    _unseen(*never, *sorted({"width", "length"} - shown), *(_FIXED if fixed else ()))


def _leave() -> None:
    set_controls({"present": False})


def _config(page: str) -> Config:
    return looked_at(page, shared())


def _fixed_by(page: str) -> Prepared | None:
    """What the preset brings; None where the controls do."""
    config = _config(page)
    return prepared(config)[0] if config.preset in PRESETS else None


def _counts(page: str) -> tuple[int, int]:
    """How many sentences and how many heads there are."""
    ready = prepared(_config(page), CrossAttention.current().context if page == CROSS else None)[0]
    return len(ready.inputs.tokens), ready.module.heads


def _mask(page: str, idle: frozenset[str]) -> set[str]:
    """The mask with its parameters, which it returns; those of a mask that the page has no use for are disabled."""
    widget("mask", disabled="mask" in idle)
    used = shown = _value("mask")
    if page == CROSS:
        widget("cross_mask")
        used = CrossAttention.held("cross_mask")
    needed = MASKS[used].parameters
    for parameter in dict.fromkeys((*needed, *MASKS[shown].parameters)):
        widget(parameter, disabled=parameter not in needed or (parameter in idle and page != CROSS))
    return {*needed, *MASKS[shown].parameters}


def _picker(name: str, count: int) -> None:
    """Which one of several is shown; no picker where there is one."""
    if count > 1:
        widget(name, most=count)


def _load_preset() -> None:
    """A preset is loaded with the mask that shows its point; every knob stays live after that."""
    preset = st.session_state["preset"]
    shown = "causal" if preset in ("story", "random") else "full"
    set_controls({"mask": shown, "positions": "preset"} | _sentence(preset))


def _sentence(preset: str) -> dict[str, str]:
    """The text that goes with a preset, where the one that is there is that of another."""
    own = {learned.PRESET: EXAMPLE, "random": STORY}
    return {"text": own[preset]} if preset in own and _value("text") in own.values() else {}


def _unseen(*names: str) -> None:
    """Controls without a widget to look at: some figure may still depend on them, and a link must carry them.

    Those at their default, too: the browser does not write into its address what a widget has when it first appears.
    They stand last, and beside those that are seen: a widget that went from one container into another would lose its
    parameter of the address. The first of them is always there, and hides itself and what follows (plot.css).
    """
    for name in ("painted", "edited", "pinned", *names):
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


def _value(name: str) -> Any:
    return Config.held(name)


def _section(name: str, note: str = "") -> None:
    st.markdown(f"**{say(f'section.{name}')}**" + (f"  \n:gray[{note}]" if note else ""))


def _text(fixed: Prepared | None) -> None:
    if fixed is None:
        widget("text")
        return
    tokens = " ".join(fixed.inputs.tokens[0])
    st.text_area(say("control.text.label"), tokens, disabled=True, help=_why(), height=68)


def _fixed(name: str, fixed: Prepared) -> None:
    """What a preset brings, in the place of the control that would set it."""
    label, module = say(f"control.{name}.label"), fixed.module
    if name == "bias":
        st.toggle(label, module.b_q is not None, disabled=True, help=_why())
    else:
        size = {"d_model": module.d_model, "heads": module.heads, "d_k": module.d_k, "d_v": module.d_v}[name]
        st.slider(label, 1, 16, size, disabled=True, help=_why())


def _why() -> str:
    return say("control.fixed", preset=_value("preset"))
