"""The speaker's view: the notes of a stop with its answer, the next stop, all stops, and a clock."""

import time

import streamlit as st

from pages.shell.i18n import say
from pages.shell.lectures.format import Lecture, said
from pages.shell.state.reader import Reader

# Session key of the time at which the lecture came to its stop.
CLOCK = "lecture_clock"


def notes(on: Lecture) -> None:
    """The notes of the stop. They are in the sidebar, which the window on the wall hides."""
    number = min(Reader.current().stop, len(on.stops))
    stop = on.stops[number - 1]
    # The browser writes the time into it: component/browser/clock.js.
    with st.container(key="lecture-clock"):
        st.markdown(f"**{say('lecture.clock_title')}**")
    for part in (stop.look, stop.notes, stop.answer):
        if part:
            st.markdown(said(part))
    if number < len(on.stops):
        st.markdown(say("lecture.then", question=said(on.stops[number].question)))
    st.caption(say("lecture.keys"))
    with st.expander(say("lecture.overview")):
        # The escaped dot keeps Markdown from renumbering the list where a stop has no question.
        st.markdown("  \n".join(f"{at}\\. {said(one.question)}" for at, one in enumerate(on.stops, 1)))


def clock(on: Lecture, name: str, number: int, started: float) -> dict[str, object]:
    """Seconds at the stop and in the lecture, at the time `at`, and the words with which the browser counts on.

    started: when the lecture began, in seconds as from `time.time()`.
    """
    now = time.time()
    place, since = st.session_state.get(CLOCK, (None, now))
    if place != (name, number):
        since = now
        st.session_state[CLOCK] = ((name, number), since)
    if on.minutes:
        planned = on.minutes * 60 // len(on.stops)
        share = f"{planned // 60}:{planned % 60:02}"
        words = say("lecture.clock", share=share, minutes=on.minutes, stop="{stop}", all="{all}")
    else:
        words = say("lecture.clock_open", stop="{stop}", all="{all}")
    return {"at": now, "stop": now - since, "all": now - started, "words": words}
