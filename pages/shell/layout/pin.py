"""Two screens at once: the pinned one, A, and that of the shared controls, B."""

from typing import Literal

import streamlit as st

from pages.shell.i18n import say
from pages.shell.layout.part import depends_on, part
from pages.shell.state.changes import set_controls
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Compare

PAGE = "compare"


def pinned() -> Config:
    """The pinned screen, side A."""
    return Compare.current().screen


def draw(page: str) -> None:
    """The buttons under Share: pin the screen, and go to the page that compares it."""
    if page != PAGE:
        st.markdown(f"**{say(f'page.{PAGE}.title')}**")
        _pin()
        st.button(say("pin.go"), key="pin-go", on_click=_go, icon=":material/compare:", width="stretch")


def buttons() -> None:
    """The same buttons on the page that shows both sides."""
    with st.container(horizontal=True):
        _pin("content")
        st.button(say("pin.swap"), key="pin-swap", on_click=_swap, icon=":material/swap_horiz:")


def _same() -> bool:
    return pinned() == Config.current()


@part
def _pin(width: Literal["stretch", "content"] = "stretch") -> None:
    depends_on(_same)
    label = say("pin.done") if _same() else say("pin.pin")
    st.button(label, key="pin", disabled=_same(), on_click=_pin_it, icon=":material/push_pin:", width=width)


def _pin_it() -> None:
    set_controls({"pinned": Config.current().bundled()})


def _swap() -> None:
    set_controls(pinned().values() | {"pinned": Config.current().bundled()})


def _go() -> None:
    set_controls({}, PAGE)
