"""The widget of a control, bound to the URL."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.shell.i18n import say, spoken
from pages.shell.i18n.options import word
from pages.shell.layout.rows import changes, row
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import Cells, Choice, Edits, Flag, Range, Text
from pages.shell.state.pending import address
from pages.shell.state.reader import Reader
from pages.shell.state.reads import Answer, note
from pages.shell.state.registry import ALL_FIELDS, default

_MOST_STEPS = 1000
# Letters of a text that is one line.
_ONE_LINE = 99


def widget(
    name: str,
    *,
    most: float | None = None,
    placeholder: str | None = None,
    disabled: bool = False,
    on_change: Callable[[], None] | None = None,
) -> None:
    """Draw the widget that fits the knob of a control. most: an end of a range that is nearer than the knob's;
    placeholder: the text that is used while none is typed.

    on_change: what is done first when it is moved; then the rows are drawn that this concerns or, of who reads, all.
    """
    knob, value, label = ALL_FIELDS[name], default(name), say(f"control.{name}.label")
    bound: dict[str, Any] = {
        "key": name,
        "bind": "query-params",
        "help": say(f"control.{name}.help"),
        "disabled": disabled,
        "on_change": on_change if name in Reader.knobs() else changes(on_change, name),
    }
    match knob:
        case Choice(options) if knob.ordered:
            st.select_slider(label, options, value, **bound)
            _words(name, options)
        case Choice(options):
            # Over the ids, the words: layout/choices.py.
            st.pills(label, options, default=str(value), required=True, **bound)
        case Range():
            _range(label, knob, value, most, bound)
        case Flag():
            st.toggle(label, value, **bound)
        case Cells() | Edits() | Bundle():
            st.text_input(label, value, max_chars=knob.most, **bound)
        case Text(length) if length <= _ONE_LINE:
            st.text_input(label, value, max_chars=length, **bound)
        case Text(length):
            st.text_area(label, value, max_chars=length, height=100, placeholder=placeholder, **bound)


def buttons(name: str, options: Sequence[Any], *, disabled: bool = False) -> None:
    """The widget of a control as buttons, one for each value: `choices.offer` says which of them are seen."""
    st.segmented_control(
        say(f"control.{name}.label"),
        options,
        default=default(name),
        required=True,
        key=name,
        bind="query-params",
        help=say(f"control.{name}.help"),
        disabled=disabled,
        on_change=changes(),
    )


def slide(name: str, options: Sequence[Any]) -> None:
    """The widget of a control as a slider over the values that a screen allows; what it holds is always one of them."""
    st.select_slider(
        say(f"control.{name}.label"),
        options,
        default(name),
        key=name,
        bind="query-params",
        help=say(f"control.{name}.help"),
        on_change=changes(None, name),
    )


def expander(key: str, label: str, icon: str | None = None) -> Any:
    """A line that opens, and is drawn again when it does: `open` says whether it is; in every language the same one."""
    labelled = f"{key}-language"
    if key in st.session_state and st.session_state.get(labelled) != spoken():
        # With another label Streamlit takes it for another one, which is closed.
        st.session_state[key] = st.session_state[key]
    st.session_state[labelled] = spoken()
    line = st.expander(label, key=key, icon=icon, on_change="rerun")
    # What one click changes, the browser asks for in the name of one row: often that of what tells of the sight.
    note(Answer(key))
    return line


def _words(name: str, options: Sequence[str]) -> None:
    """Styles that write the words of the options of a slider over their ids, at its thumb and at its first end."""
    rules = []
    for option in options:
        if (shown := word(name, option)) != option:
            places = [f'.st-key-{name}:has([aria-valuetext="{option}"]) [data-testid="stSliderThumbValue"]']
            if option == options[0]:
                places.append(f'.st-key-{name} [data-testid="stSliderTickBar"] > :first-child')
            rules += [f'{place} p {{ display: none; }} {place}::after {{ content: "{shown}"; }}' for place in places]
    if rules:
        st.html(f"<style>{' '.join(rules)}</style>")


@row
def widgets(*names: str) -> None:
    """The widgets of several controls side by side, beside the figures that they change."""
    # One alone does not take the whole width.
    columns = st.columns(len(names) if len(names) > 1 else 3)
    for column, name in zip(columns, names, strict=False):
        with column:
            widget(name)


def _range(label: str, knob: Range, value: Any, most: float | None, bound: dict[str, Any]) -> None:
    number = type(value)
    ends = number(knob.low), number(knob.high if most is None else most)
    if most is not None and bound["key"] in st.session_state:
        st.session_state[bound["key"]] = min(st.session_state[bound["key"]], most)
    # A slider of a few hundred pixels cannot be set to one of ten thousand values.
    draw = st.number_input if (ends[1] - ends[0]) / knob.step > _MOST_STEPS else st.slider
    draw(label, *ends, value, number(knob.step), **bound)
    if most is not None:
        address(bound["key"], value)
