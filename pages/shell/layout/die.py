"""A die: a button that gives a control its next value, for controls whose value has no meaning as a quantity."""

from typing import Literal

import streamlit as st

from pages.shell.layout.part import here, redraw
from pages.shell.state.changes import now, set_controls
from pages.shell.state.fields import Range
from pages.shell.state.registry import ALL_FIELDS


def die(
    name: str,
    label: str,
    help: str | None = None,
    *,
    key: str,
    type: Literal["secondary", "tertiary"] = "tertiary",
    disabled: bool = False,
) -> None:
    """The button, in the part that it redraws. name: the control; a link with its value shows the same draw."""
    st.button(
        label,
        key=key,
        help=help,
        type=type,
        icon=":material/casino:",
        disabled=disabled,
        on_click=_again,
        args=(name, here()),
    )


def _again(name: str, part: str) -> None:
    """The next value; after the last one the first."""
    values = ALL_FIELDS[name]
    assert isinstance(values, Range)
    low, high = int(values.low), int(values.high)
    set_controls({name: low + (int(now(name)) - low + 1) % (high - low + 1)})
    redraw(part)
