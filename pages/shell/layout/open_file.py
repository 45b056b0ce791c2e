"""The visitor's own file: choose, open, hold for the session, and close it."""

from typing import Any

import streamlit as st

from attention.export.files import ENDINGS
from attention.export.unreadable import UnreadableError
from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.runs import brought
from pages.shell.state.changes import set_controls
from pages.shell.state.config import FILE, OF_PRESET, Config

# The session key of the tensors. Nothing else holds them, so they are freed when the session ends.
_HELD = "opened_file"
_REFUSED, _MADE = "file_refused", "file_uploaders"
_MEGABYTE = 1_000_000


def draw() -> None:
    """Draw the uploader, and the facts about the open file."""
    there = _hold()
    if there is not None:
        st.caption(say("file.is_open", name=plain(there.name)))
        st.button(say("file.close"), key="close-file", on_click=_close, icon=":material/close:")
    most = brought.LIMITS.file // _MEGABYTE
    st.file_uploader(
        say("file.another" if there else "file.open"),
        type=[ending.removeprefix(".") for ending in ENDINGS],
        key=_key(),
        help=say("file.open_help", most=most),
        on_change=_open,
        max_upload_size=most,
    )
    if refused := st.session_state.get(_REFUSED):
        reason, numbers = refused
        told = {name: plain(str(number)) for name, number in numbers.items()}
        st.error(say("file.refused", reason=say(f"file.reason.{reason}", **told)), icon=":material/error:")


def _hold() -> brought.Brought | None:
    """The file of the address. This session holds it from now on, so a colleague's link keeps working."""
    there = brought.of(Config.current())
    if there is not None:
        st.session_state[_HELD] = there
    return there


def _key() -> str:
    """The key of the next uploader. A new key makes Streamlit free the bytes of the file before."""
    return f"open-file-{st.session_state.get(_MADE, 0)}"


def _open() -> None:
    uploaded: Any = st.session_state.get(_key())
    st.session_state.pop(_REFUSED, None)
    if uploaded is None:
        return
    st.session_state[_MADE] = st.session_state.get(_MADE, 0) + 1
    try:
        made = brought.opened(uploaded.name, uploaded.getvalue())
    except UnreadableError as refused:
        st.session_state[_REFUSED] = refused.reason, refused.numbers
        return
    st.session_state[_HELD] = made
    # These settings belong to the words or the layer before, and would be applied to the file.
    bare: dict[str, Any] = {name: getattr(Config, name) for name in ("last", "corner", "padding", "painted", "scale")}
    first: dict[str, Any] = {"sentence": 1, "head": 1, "cell": "", "mask": OF_PRESET}
    set_controls({"preset": FILE, "tensors": made.id} | bare | first | (made.mask or {}))


def _close() -> None:
    st.session_state.pop(_HELD, None)
    set_controls({"tensors": "", "preset": Config.preset, "mask": OF_PRESET})
