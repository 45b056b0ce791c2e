"""A reader alone answers the questions of a lecture with buttons, and is told whether the answer is right."""

from collections.abc import Callable

import streamlit as st

from pages.shell.i18n import say
from pages.shell.lectures.format import LETTERS, Stop, said
from pages.shell.lectures.room_names import of_reader
from pages.shell.state.reader import Reader


def reads(stop: Stop, reader: Reader) -> bool:
    """Whether one reader answers the question of a stop, rather than a hall or a room."""
    return bool(stop.right) and not of_reader(reader.room) and not reader.present


def choices(stop: Stop, key: str, reveal: Callable[[], None]) -> None:
    """The choices as buttons. reveal: called before the next run when one is pressed."""
    lettered = dict(zip(LETTERS, stop.choices, strict=False))
    st.pills(
        say("lecture.vote"),
        tuple(lettered),
        format_func=lambda letter: f"({letter}) {said(lettered[letter])}",
        key=key,
        on_change=reveal,
        label_visibility="collapsed",
    )


def chosen(key: str) -> str | None:
    """The letter that was pressed; None before."""
    return st.session_state.get(key)


def verdict(letter: str | None, stop: Stop) -> str:
    return "" if letter is None else f"**{say('predict.right' if letter == stop.right else 'predict.wrong')}** "
