"""The widget of a control: it shows what the visitor has set, and sets what the visitor chooses."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.shell.i18n import say, spoken
from pages.shell.i18n.options import word
from pages.shell.layout import pictograms
from pages.shell.layout.part import here, part, redraw
from pages.shell.state.changes import choose, now
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import CellName, Cells, Choice, Configuration, Edits, Flag, Listed, Range, Text
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.settings import settings

_MOST_STEPS = 1000
# The most characters of a text in a single-line field.
_ONE_LINE = 99


def widget(
    name: str,
    *,
    options: Sequence[Any] | None = None,
    shows: Any = None,
    most: float | None = None,
    placeholder: str | None = None,
    disabled: bool = False,
    called: Mapping[str, str] | None = None,
    is_explained: bool = True,
    on_change: Callable[[], None] | None = None,
) -> None:
    """Draw the widget that fits the knob of a control.

    options: in place of the knob's; shows: the chosen option if the setting is none of them; most: an upper end below
    the knob's; placeholder: the text that is used until one is typed; called: other words for some options;
    is_explained: whether a sign beside the name explains the control; on_change: called after a visitor has chosen.
    """
    knob, label = ALL_FIELDS[name], say(f"control.{name}.label")
    value: Any = knob.nearest(now(name), default(name)) if shows is None else shows
    offered: tuple[Any, ...]
    match knob:
        case Choice():
            offered = tuple(knob.options if options is None else options)
        case Range(low, high):
            offered = tuple(options) if options else (low, high if most is None else most)
            value = min(value, offered[-1])
        case _:
            offered = ()
    called = called or {}
    key = settings().key_of(name, (label, offered, placeholder, *called.items()))
    # A widget that differs from the setting is replaced. Setting its value instead would take it from the hand that
    # moves it, and would not reach a widget in a popover that opens later.
    if key in st.session_state and st.session_state[key] != value:
        settings().renew(name)
        key = settings().key(name)
    settings().stands(name, here())
    given: dict[str, Any] = {
        "key": key,
        "help": say(f"control.{name}.help") if is_explained else None,
        "disabled": disabled,
        "on_change": partial(_chosen, name, key, here(), on_change),
    }
    match knob:
        case Range() if options:
            st.select_slider(label, offered, value, format_func=_written, **given)
        case Choice():
            shown = [called.get(option) or word(name, option) for option in offered]
            words = dict(zip(offered, shown, strict=True)).__getitem__
            if knob.ordered:
                st.select_slider(label, offered, value, format_func=words, **given)
                return
            pictograms.beside(name, key, offered)
            st.pills(label, offered, default=value, format_func=words, required=True, **given)
        case Range():
            number = type(value)
            ends = number(offered[0]), number(offered[-1])
            # A slider of a few hundred pixels cannot be set to one of ten thousand values.
            draw = st.number_input if (ends[1] - ends[0]) / knob.step > _MOST_STEPS else st.slider
            draw(label, *ends, value, number(knob.step), **given)
        case Flag():
            st.toggle(label, value, **given)
        case Cells() | Edits() | Listed() | CellName() | Bundle():
            st.text_input(label, value, max_chars=knob.most, **given)
        case Text(length) if length <= _ONE_LINE:
            st.text_input(label, value, max_chars=length, **given)
        case Configuration(length) | Text(length):
            st.text_area(label, value, max_chars=length, height=100, placeholder=placeholder, **given)


def _written(number: float) -> str:
    """A number as the slider shows it, with a true minus (browser/under_finger.js reads it)."""
    return str(number).replace("-", "−")


def _chosen(name: str, key: str, part: str, act: Callable[[], None] | None) -> None:
    if choose(name, key, st.session_state[key]) and act is not None:
        act()
    redraw(part)


def expander(key: str, label: str, icon: str | None = None) -> Any:
    """An expander that reruns its part when it opens; its `open` says whether it is open. It stays open when the
    language changes."""
    labelled = f"{key}-language"
    if key in st.session_state and st.session_state.get(labelled) != spoken():
        # Streamlit takes an expander with another label for a new, closed one.
        st.session_state[key] = st.session_state[key]
    st.session_state[labelled] = spoken()
    return st.expander(label, key=key, icon=icon, on_change="rerun")


@part
def widgets(*names: str) -> None:
    """The widgets of several controls side by side, above the figures that they change."""
    # A single widget gets a third of the width.
    columns = st.columns(len(names) if len(names) > 1 else [1, 2])
    for column, name in zip(columns, names, strict=False):
        with column:
            widget(name)


@part
def marked(name: str, every: int = 1, options: Sequence[str] | None = None) -> None:
    """The slider of a control over the full width, with labels under its stops; every: the distance of labelled stops,
    beside the last one; options: in place of the knob's."""
    widget(name, options=options)
    knob = ALL_FIELDS[name]
    assert isinstance(knob, Choice)
    with st.container(key=f"stops-{name}"):
        st.html(_stops([word(name, one) for one in options or knob.options], every))


def _stops(options: Sequence[str], every: int) -> str:
    """The labels of stops, hidden from screen readers, since the slider tells its value itself."""
    last = len(options) - 1
    # A label that would touch the last one is left out.
    written = [at == last or (at % every == 0 and last - at >= every) for at in range(len(options))]
    spans = (
        f"<span>{option if is_written else ''}</span>" for option, is_written in zip(options, written, strict=True)
    )
    return f'<div class="att-stops" aria-hidden="true">{"".join(spans)}</div>'


@part
def whole_width(name: str) -> None:
    """A slider as wide as the figure below it, so that the figure's places match those of its thumb."""
    widget(name)
