"""The widgets of the shared controls, bound to the URL; choices show ids, because a bound widget writes its label."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from attention.device import devices
from attention.masks import MASKS
from attention.presets import PRESETS, Prepared
from pages.shell.controls import DEFAULTS, KNOBS, Choice, Config, Flag, Range, Text
from pages.shell.run import prepared
from pages.shell.text import say


def draw(unused: frozenset[str]) -> None:
    """Every control, in the order in which a lecturer reaches for it. unused: those that the page does not look at."""
    with st.sidebar:
        _section("input")
        _choice("preset", "preset" in unused, on_change=_load_preset)
        config = Config.current().random() if "preset" in unused else Config.current()
        fixed = prepared(config)[0] if config.preset in PRESETS else None
        _text("text", fixed)
        _choice("positions")
        _section("sizes", _why() if fixed else "")
        for name in ("d_model", "heads", "d_k", "d_v", "bias"):
            _sized(name, fixed)
        config = Config.current().random() if "preset" in unused else Config.current()
        ready = prepared(config)[0]
        _section("mask")
        _choice("mask")
        for parameter in MASKS[_value("mask")].parameters:
            _slider(parameter)
        _slider("last", "last" in unused)
        _choice("corner", "corner" in unused or _value("last") == 0)
        _flag("padding", disabled=len(ready.inputs.tokens) == 1)
        _section("softmax")
        _choice("scale")
        _section("dropout")
        _slider("dropout")
        _choice("mode")
        _section("shown")
        _picker("sentence", len(ready.inputs.tokens))
        _picker("head", ready.module.heads)
        if len(devices()) > 1:
            _choice("device")
        _seed()


def _picker(name: str, count: int) -> None:
    """Which one of several is shown; no picker where there is one."""
    if count == 1:
        return
    if name in st.session_state:
        st.session_state[name] = min(st.session_state[name], count)
    st.slider(say(f"control.{name}.label"), 1, count, **_bound(name))


def _seed() -> None:
    knob = KNOBS["seed"]
    assert isinstance(knob, Range)
    st.number_input(say("control.seed.label"), int(knob.low), int(knob.high), DEFAULTS.seed, **_bound("seed"))


def _load_preset() -> None:
    """A preset is loaded with the mask that shows its point; every knob stays live after that."""
    st.session_state["mask"] = "causal" if st.session_state["preset"] in ("story", "random") else "full"
    st.session_state["positions"] = "preset"


def _value(name: str) -> Any:
    return st.session_state.get(name, getattr(DEFAULTS, name))


def _section(name: str, note: str = "") -> None:
    st.markdown(f"**{say(f'section.{name}')}**" + (f"  \n:gray[{note}]" if note else ""))


def _bound(name: str) -> dict[str, Any]:
    return {"key": name, "bind": "query-params", "help": say(f"control.{name}.help")}


def _choice(name: str, disabled: bool = False, on_change: Callable[[], None] | None = None) -> None:
    knob = KNOBS[name]
    assert isinstance(knob, Choice)
    st.selectbox(
        say(f"control.{name}.label"),
        knob.options,
        knob.options.index(getattr(DEFAULTS, name)),
        disabled=disabled,
        on_change=on_change,
        **_bound(name),
    )


def _slider(name: str, disabled: bool = False) -> None:
    knob = KNOBS[name]
    assert isinstance(knob, Range)
    number = type(getattr(DEFAULTS, name))
    st.slider(
        say(f"control.{name}.label"),
        number(knob.low),
        number(knob.high),
        getattr(DEFAULTS, name),
        number(knob.step),
        disabled=disabled,
        **_bound(name),
    )


def _flag(name: str, disabled: bool = False) -> None:
    assert isinstance(KNOBS[name], Flag)
    st.toggle(say(f"control.{name}.label"), getattr(DEFAULTS, name), disabled=disabled, **_bound(name))


def _text(name: str, fixed: Prepared | None) -> None:
    knob = KNOBS[name]
    assert isinstance(knob, Text)
    label = say(f"control.{name}.label")
    if fixed:
        _keep(name)
        st.text_area(label, " ".join(fixed.inputs.tokens[0]), disabled=True, help=_why(), height=68)
    else:
        st.text_area(label, DEFAULTS.text, max_chars=knob.most, height=100, **_bound(name))


def _sized(name: str, fixed: Prepared | None) -> None:
    label, knob = say(f"control.{name}.label"), KNOBS[name]
    if fixed:
        _keep(name)
        module = fixed.module
        if name == "bias":
            st.toggle(label, module.b_q is not None, disabled=True, help=_why())
        else:
            size = {"d_model": module.d_model, "heads": module.heads, "d_k": module.d_k, "d_v": module.d_v}[name]
            st.slider(label, 1, 16, size, disabled=True, help=_why())
    elif name == "bias":
        _flag(name)
    elif name == "heads":
        _slider(name)
    else:
        assert isinstance(knob, Choice)
        st.select_slider(label, knob.options, getattr(DEFAULTS, name), **_bound(name))


def _keep(name: str) -> None:
    """The visitor's own value outlives the time in which a preset shows its own."""
    if name in st.session_state:
        st.session_state[name] = st.session_state[name]


def _why() -> str:
    return say("control.fixed", preset=_value("preset"))
