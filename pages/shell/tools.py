"""The tools beside the menu of every page: share the screen, teach with it, read it in another language."""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from attention import __version__
from pages.shell import component
from pages.shell.exports import handout
from pages.shell.exports.address import app_address
from pages.shell.exports.qr_code import MOST as MOST_OF_CODE
from pages.shell.i18n import say, spoken
from pages.shell.layout.widgets import expander, widget
from pages.shell.lectures import in_room, recorder
from pages.shell.lectures.format import Lecture
from pages.shell.lectures.notes import notes
from pages.shell.lectures.player import running
from pages.shell.lectures.room_names import of_reader
from pages.shell.state.changes import set_controls
from pages.shell.state.reader import Reader


def draw(page: str) -> None:
    """The row of tools; the notes of a lecture, if one is running; on a projector, the small tools in their place."""
    on = running()
    recorder.keep()
    if not is_on_wall():
        with st.container(key="tools", horizontal=True):
            with st.popover(say("tools.share"), key="tool-share", icon=":material/share:", type="tertiary"):
                _share()
                st.markdown(f"**{say('tools.teach')}**")
                _teach(page, on)
            with st.popover(say("tools.language"), key="tool-language", icon=":material/translate:", type="tertiary"):
                widget("lang")
    if on is not None:
        with st.sidebar:
            # The notes start closed, because they have the answer, which a lone reader should not see.
            speaker = expander("lecture-notes", say("lecture.speaker"))
            if speaker.open:
                with speaker:
                    notes(on)
    if Reader.current().present:
        with st.container(key="presenting", horizontal=True):
            component.share("share-small", MOST_OF_CODE, small=True)
            component.palette("projector")
            st.button(say("lecture.leave"), key="leave-present", on_click=_leave)


def is_on_wall() -> bool:
    """Whether a lecture is shown to an audience."""
    return running() is not None and Reader.current().present


def _share() -> None:
    component.share("share", MOST_OF_CODE)


def _teach(page: str, on: Lecture | None) -> None:
    widget("lecture")
    if on is not None and len(on.stops) > 1:
        widget("stop", most=len(on.stops))
    if on is not None:
        widget("room")
        if of_reader(Reader.current().room):
            in_room.panel()
        make = partial(handout.made, Reader.current().lecture, on, spoken(), app_address())
        for name, label, answers in (
            ("handout", say("lecture.handout"), True),
            ("handout_without", say("lecture.handout_without"), False),
        ):
            st.download_button(
                label,
                partial(make, answers=answers),
                "attention-handout.html",
                "text/html",
                key=f"lecture-{name}",
                on_click="ignore",
            )
    widget("present")
    widget("quiz")
    recorder.draw(page)
    # A link, because Streamlit keeps the file of a download button for each visitor, and looks through these files
    # after every run.
    asked = urlencode({"file": "exercises", "page": page, "language": spoken(), "app": app_address()})
    st.link_button(say("tools.exercises"), f"file?{asked}", help=say("tools.exercises_help"))
    st.caption(say("app.version", version=__version__))


def _leave() -> None:
    set_controls({"present": False})
