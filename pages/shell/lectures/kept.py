"""Keep the visitor's own lecture beyond its tab: the browser stores its file, and the stops that were saved.

The server has both only during a visit, and a reload or a second window is another visit. A lecture from a link, or
from the room of a lecturer, is shown like one's own, and does not replace the stored one.
"""

from typing import Any

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say
from pages.shell.lectures.format import Lecture, LectureError, Text, read
from pages.shell.lectures.player import OWN_FILE
from pages.shell.lectures.room_names import of_reader
from pages.shell.lectures.writing import table
from pages.shell.state.changes import set_controls
from pages.shell.state.reader import Reader

MOST_BYTES = 200_000
# Session keys of the saved stops, each a table as in the file of a lecture (None until the browser has told them), and
# of their title.
SAVED, TITLE = "lecture_saved", "lecture_title"
_TEXT, _ARRIVED, _MISSED, _KEY = "lecture_text", "lecture_arrived", "lecture_missed", "lecture-kept"
_LONGEST_PLACE = 200


def draw(saved: str | None) -> None:
    """Tell the browser what to keep, and ask for what it has kept. saved: the file of the saved stops, "" for none,
    None until the browser has told them."""
    kept = {"lecture": st.session_state.get(_TEXT), "saved": saved}
    reader, arrived = Reader.current(), st.session_state.get(_ARRIVED, "")
    waits = reader.lecture == "own" and st.session_state.get(OWN_FILE) is None
    component.own_lecture(_KEY, kept, asks=waits, room=of_reader(reader.room), arrived=arrived, on_found=_found)
    if st.session_state.pop(_MISSED, False):
        st.toast(say("lecture.elsewhere"), icon=":material/co_present:", duration="long")


def opened(text: str, *, keeps: bool = True) -> Lecture:
    """Open the lecture of a file. keeps: whether the browser is to keep it. LectureError: the file is wrong."""
    lecture = st.session_state[OWN_FILE] = _checked(text)
    st.session_state[_TEXT], st.session_state[_ARRIVED] = (text, "") if keeps else (None, text)
    return lecture


def place() -> dict[str, str]:
    """The figure and the part of the page that the visitor looks at, as in a stop; empty if the browser names none."""
    told = st.session_state.get(_KEY, {}).get("place")
    places = {name: told.get(name) for name in ("figure", "at")} if isinstance(told, dict) else {}
    return {name: one for name, one in places.items() if isinstance(one, str) and 0 < len(one) <= _LONGEST_PLACE}


def _checked(text: str) -> Lecture:
    if (size := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
        raise LectureError(1, "large", size=size, most=MOST_BYTES)
    return read(text)


def _found() -> None:
    """Take over what the browser has kept, checked like any other input from outside."""
    found = st.session_state[_KEY].get("found")
    texts = {name: text for name, text in found.items() if isinstance(text, str)} if isinstance(found, dict) else {}
    if st.session_state.get(SAVED) is None:
        st.session_state[TITLE], st.session_state[SAVED] = _stops(texts.get("saved", ""))
    waits = Reader.current().lecture == "own"
    if st.session_state.get(OWN_FILE) is None and (waits or texts.get("lecture")):
        try:
            opened(texts.get("lecture", ""), keeps="arrived" not in texts)
        except LectureError:
            if waits:
                st.session_state[_MISSED] = True
                set_controls({"lecture": "none", "stop": 1})


def _stops(text: str) -> tuple[Text, list[dict[str, Any]]]:
    try:
        lecture = _checked(text)
    except LectureError:
        return "", []
    return lecture.title, [table(stop) for stop in lecture.stops]
