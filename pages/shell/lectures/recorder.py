"""The visitor's own lecture: save screens as stops, give or download the lecture, and open its file again."""

from typing import Any

import streamlit as st

from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.lectures import editor, kept
from pages.shell.lectures.format import MOST_STOPS, LectureError
from pages.shell.lectures.kept import MOST_BYTES, SAVED
from pages.shell.lectures.player import go
from pages.shell.lectures.writing import file
from pages.shell.state.changes import at_first, now, set_controls
from pages.shell.state.config import FILE
from pages.shell.state.reader import Reader
from pages.shell.state.registry import BY_PAGE, SCREENS, USES
from pages.shell.state.url import written

_REFUSED, _READ = "lecture_refused", "lecture_read"
_UPLOAD = "lecture-upload"


def keep() -> None:
    """Have the browser keep the saved stops, and bring the lecture of a link. This runs on every page, since a link
    that waits for a lecture must not wait until somebody opens Teach."""
    stops: list[dict[str, Any]] | None = st.session_state.get(SAVED)
    kept.draw(None if stops is None else _file(stops))


def _file(stops: list[dict[str, Any]]) -> str:
    return file(editor.title(), stops) if stops else ""


def draw(page: str) -> None:
    """The panel under Teach: save a screen, edit, give, download or forget the lecture, open a file."""
    saved: list[dict[str, Any]] = st.session_state.get(SAVED) or []
    text = _file(saved)
    with st.expander(say("lecture.own")):
        full = len(saved) >= MOST_STOPS
        st.button(say("lecture.save"), key="lecture-save", disabled=full, on_click=_save, args=(page,))
        if saved:
            if any(stop["screen"].get("preset") == FILE for stop in saved):
                st.caption(say("lecture.of_file"))
            editor.draw(saved)
            st.button(say("lecture.give"), key="lecture-give", type="primary", on_click=_begin, args=(text,))
            st.download_button(
                say("lecture.download", count=len(saved)),
                text,
                file_name="lecture.toml",
                mime="application/toml",
                key="lecture-download",
                on_click="ignore",
            )
            st.button(say("lecture.forget"), key="lecture-forget", on_click=_forget)
        st.file_uploader(say("lecture.open"), type="toml", key=_UPLOAD, on_change=_open, max_upload_size=1)
        editor.offer()
        if refused := st.session_state.get(_REFUSED):
            st.error(say("lecture.refused", reason=plain(refused.told())))


def _save(page: str) -> None:
    own = [BY_PAGE[page] for page in (page, *USES.get(page, ())) if page in BY_PAGE]
    others = [screen for screen in BY_PAGE.values() if screen not in own]
    screens = [screen for screen in SCREENS if screen is not Reader and screen not in others]
    values = [pair for screen in screens for pair in screen.current().values().items()]
    changed = {name: value for name, value in values if written(value) != at_first(name, page)}
    stop: dict[str, Any] = {"page": page, "screen": changed} | kept.place()
    if cell := now("cell"):
        stop["cell"] = cell
    st.session_state[SAVED] = [*(st.session_state.get(SAVED) or []), stop]
    editor.look_at(len(st.session_state[SAVED]) - 1)


def _forget() -> None:
    st.session_state[SAVED] = []


def _open() -> None:
    uploaded = st.session_state[_UPLOAD]
    # On another page the uploader reports the same file again.
    if uploaded is not None and uploaded.file_id == st.session_state.get(_READ):
        return
    st.session_state[_READ] = uploaded and uploaded.file_id
    st.session_state.pop(_REFUSED, None)
    if uploaded is None:
        return
    try:
        if uploaded.size > MOST_BYTES:
            raise LectureError(1, "large", size=uploaded.size, most=MOST_BYTES)
        # utf-8-sig, since editors on Windows begin a file with a byte order mark.
        text = uploaded.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = uploaded.getvalue().count(b"\n", 0, error.start) + 1
        st.session_state[_REFUSED] = LectureError(line, "no_text")
    except LectureError as refused:
        st.session_state[_REFUSED] = refused
    else:
        _begin(text)


def _begin(text: str) -> None:
    st.session_state.pop(_REFUSED, None)
    try:
        kept.opened(text)
    except LectureError as refused:
        st.session_state[_REFUSED] = refused
    else:
        set_controls({"lecture": "own"})
        go(1)
