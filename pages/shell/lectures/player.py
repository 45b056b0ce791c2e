"""Play a lecture: its stops become screens, and a bar along the bottom of every page leads through them."""

import time
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.shell import component
from pages.shell.i18n import listed, say
from pages.shell.lectures import alone, in_room
from pages.shell.lectures.format import LETTERS, Lecture, Stop, lecture, said
from pages.shell.lectures.notes import CLOCK, clock
from pages.shell.lectures.room_names import of_reader
from pages.shell.state.changes import NAMES, at_first, is_set, set_controls
from pages.shell.state.reader import LECTURES, Reader
from pages.shell.state.url import written

# Session key of the lecture whose file was opened here.
OWN_FILE = "lecture_file"
_AT = "lecture_at"
_STARTED, _REVEALED, _TURNED = "lecture_started", "lecture_revealed", "lecture_turned"
_READER = frozenset(Reader.knobs())


def running() -> Lecture | None:
    """The lecture that is running; None for none. A broken file was reported when it was opened."""
    return _read(Reader.current().lecture)


def _read(name: str) -> Lecture | None:
    if name == "own":
        return st.session_state.get(OWN_FILE)
    return lecture(name) if name in LECTURES else None


def possible(reader: Reader) -> Reader:
    """The reader's settings, with the last stop in place of a later one that the lecture does not have."""
    on = _read(reader.lecture)
    if on is None:
        # The browser may still bring the file of the visitor's own lecture (lectures/kept.py).
        return reader
    return replace(reader, stop=min(reader.stop, len(on.stops)))


def arrive(page: str) -> str | None:
    """Put the screen of a stop that was just chosen into the controls; returns the page of the stop if it is another.

    The screen of a link is kept, so that a visitor can share what they have changed at a stop.
    """
    on, reader = running(), Reader.current()
    if on is None:
        st.session_state.pop(_AT, None)
        return None
    number = min(reader.stop, len(on.stops))
    if st.session_state.get(_AT) == (reader.lecture, number):
        return None
    stop = on.stops[number - 1]
    others = NAMES - _READER
    comes_with_screen = _AT not in st.session_state and any(is_set(name, page) for name in others)
    st.session_state[_AT] = (reader.lecture, number)
    st.session_state.setdefault(_STARTED, time.time())
    if comes_with_screen:
        return None
    as_opened = {name: at_first(name, stop.page) for name in others}
    set_controls(as_opened | {"cell": stop.cell, "stop": number} | dict(stop.screen), stop.page)
    return stop.page if stop.page != page else None


def bar(page: str) -> None:
    """The question of the stop, its answer on request, and buttons to other stops. page: the page that is shown."""
    on = running()
    if on is None:
        return
    number = min(Reader.current().stop, len(on.stops))
    stop = on.stops[number - 1]
    shown = st.session_state.get(_REVEALED) == (Reader.current().lecture, number)
    asks = bool(stop.answer) and not shown
    reader = Reader.current()
    with st.container(key="lecture-bar"):
        is_alone = alone.reads(stop, reader)
        st.markdown(_told(on, stop, number, with_choices=not of_reader(reader.room) and not is_alone))
        if is_alone:
            alone.choices(stop, _key(number), partial(_reveal, number))
        elif of_reader(reader.room):
            in_room.draw(on, number, page, revealed=shown)
        # The hidden answer keeps its place: Streamlit would draw the buttons after it anew, and a key would press the
        # old ones.
        answer = st.empty()
        if shown:
            chosen = alone.chosen(_key(number)) if is_alone else None
            tell = answer.success if chosen in (None, stop.right) else answer.warning
            tell(alone.verdict(chosen, stop) + _answered(stop))
        with st.container(horizontal=True, vertical_alignment="center"):
            _button("previous", number > 1, go, number - 1)
            called = "hide" if shown else "reveal"
            _button("reveal", bool(stop.answer), _reveal, None if shown else number, called=called)
            _turn_button(reader.lecture, number, stop)
            _button("next", number < len(on.stops), go, number + 1)
            _button("restore", True, go, number)
            _button("end", True, _end)
            st.caption(_time(on) if number > 1 else f"{_time(on)} · {said(on.title)}")
    # An element before the page, so that styles find the page as its sibling, without `:has()`, which slows every move.
    hidden = st.empty()
    if asks:
        hidden.button(say("lecture.button.reveal"), key="lecture-asks", disabled=True)
    component.lecture(
        reader.lecture,
        number,
        {
            "figure": stop.figure,
            "at": stop.at,
            "covers": covers(stop) if stop.cover and not shown else None,
            "asks": asks,
            "missing": say("lecture.missing", name=stop.figure or stop.at),
            "clock": clock(on, reader.lecture, number, st.session_state.get(_STARTED, time.time())),
        },
        plays=stop.play,
        on_stop=_follow,
    )


def covers(stop: Stop) -> list[str]:
    """The figures that would give the answer of a stop away: the shown one, and those of its claims."""
    there = (claim for claim in stop.claims if not {"page", "screen"} & set(claim))
    claimed = (claim.get("figure", claim.get("chart", claim.get("note"))) for claim in there)
    return list(dict.fromkeys(id for id in (stop.figure, *claimed) if isinstance(id, str) and id))


def is_asking() -> bool:
    """Whether a lecture runs whose current question has an answer that is not revealed yet."""
    on, reader = running(), Reader.current()
    if on is None:
        return False
    number = min(reader.stop, len(on.stops))
    return bool(on.stops[number - 1].answer) and st.session_state.get(_REVEALED) != (reader.lecture, number)


def _told(on: Lecture, stop: Stop, number: int, *, with_choices: bool) -> str:
    head = say("lecture.stop", number=number, all=len(on.stops))
    lettered = zip(LETTERS, stop.choices if with_choices else (), strict=False)
    choices = " · ".join(f"({letter}) {said(one)}" for letter, one in lettered)
    question = said(stop.question)
    return f":gray[{head}] {f'**{question}**' if question else ''} {choices}".rstrip()


def _key(number: int) -> str:
    return f"lecture-choice-{Reader.current().lecture}-{number}"


def _answered(stop: Stop) -> str:
    letter = f"**({stop.right})** " if stop.right else ""
    return letter + listed("sentence", (said(part) for part in (stop.answer, stop.look) if part))


def _time(on: Lecture) -> str:
    minutes = int((time.time() - st.session_state.get(_STARTED, time.time())) / 60)
    return (
        say("lecture.minutes", minutes=minutes, planned=on.minutes)
        if on.minutes
        else say("lecture.since", minutes=minutes)
    )


def _button(name: str, live: bool, act, *arguments, called: str = "") -> None:  # type: ignore[no-untyped-def]
    st.button(
        say(f"lecture.button.{called or name}"), key=f"lecture-{name}", disabled=not live, on_click=act, args=arguments
    )


def _turn_button(lecture: str, number: int, stop: Stop) -> None:
    """A button that sets the control of a stop to its next value, and to the first after the last."""
    if stop.turn is None:
        return
    name, values = stop.turn
    place, turned = st.session_state.get(_TURNED, (None, 0))
    index = turned if place == (lecture, number) else 0
    label = say("lecture.turns", name=say(f"control.{name}.label"), value=written(values[index]))
    after = ((lecture, number), (index + 1) % len(values))
    st.button(label, key="lecture-turn", icon=":material/tune:", on_click=_turn, args=(name, values[index], after))


def _turn(name: str, value: object, after: tuple[tuple[str, int], int]) -> None:
    st.session_state[_TURNED] = after
    set_controls({name: value})


def go(number: int) -> None:
    """Go to a stop; the current stop gets its own screen back."""
    st.session_state[_AT] = None
    st.session_state.pop(_TURNED, None)
    set_controls({"stop": number})


def _reveal(number: int | None) -> None:
    st.session_state[_REVEALED] = (Reader.current().lecture, number)


def _end() -> None:
    set_controls({"lecture": "none"})
    for name in (_AT, _STARTED, _REVEALED, _TURNED, CLOCK):
        st.session_state.pop(name, None)


def _follow() -> None:
    """Follow another window of this browser to its stop of the same lecture."""
    # The channel is missing when this window goes to another page in the same moment.
    reported = st.session_state.get("lecture-channel", {}).get("stop")
    if isinstance(reported, int) and not isinstance(reported, bool):
        go(Reader.of({"stop": str(reported)}).stop)
