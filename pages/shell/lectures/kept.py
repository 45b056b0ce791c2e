"""A lecture of the visitor's own outlives its tab: the browser keeps its file, and the stops that were saved for one.

The server has them for as long as a visit lasts; a reload is another visit, and so is a second window.
"""

from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.lectures.format import Lecture, LectureError, read
from pages.shell.lectures.player import OWN_FILE
from pages.shell.state.changes import set_controls
from pages.shell.state.reader import Reader

MOST_BYTES = 200_000
# The stops that were saved, each with page, screen and cell; None while only the browser knows of some.
SAVED = "lecture_saved"
_TEXT, _MISSED, _KEY = "lecture_text", "lecture_missed", "lecture-kept"


def draw(saved: str | None) -> None:
    """Tell the browser what to keep, and ask for what it has kept. saved: the file of the stops, "" for none, None
    while only the browser knows."""
    kept = {"lecture": st.session_state.get(_TEXT), "saved": saved}
    waits = Reader.current().lecture == "own" and st.session_state.get(OWN_FILE) is None
    component.own_lecture(_KEY, kept, asks=waits, on_found=_found)
    if st.session_state.pop(_MISSED, False):
        st.toast(say("lecture.elsewhere"), icon=":material/co_present:", duration="long")


def opened(text: str) -> Lecture:
    """Open the lecture of a file. LectureError: what is wrong with it."""
    lecture = st.session_state[OWN_FILE] = _checked(text)
    st.session_state[_TEXT] = text
    return lecture


def _checked(text: str) -> Lecture:
    if (size := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
        raise LectureError(1, "large", size=size, most=MOST_BYTES)
    return read(text)


def _found() -> None:
    """What a browser answers is input from outside like any other."""
    found = st.session_state[_KEY].get("found")
    texts = {name: text for name, text in found.items() if isinstance(text, str)} if isinstance(found, dict) else {}
    if st.session_state.get(SAVED) is None:
        st.session_state[SAVED] = _stops(texts.get("saved", ""))
    waits = Reader.current().lecture == "own"
    if st.session_state.get(OWN_FILE) is None and (waits or texts.get("lecture")):
        try:
            opened(texts.get("lecture", ""))
        except LectureError:
            if waits:
                st.session_state[_MISSED] = True
                set_controls({"lecture": "none", "stop": 1})


def _stops(text: str) -> list[dict[str, Any]]:
    try:
        stops = _checked(text).stops
    except LectureError:
        return []
    return [
        {"page": stop.page, "screen": dict(stop.screen)} | ({"cell": stop.cell} if stop.cell else {}) for stop in stops
    ]
