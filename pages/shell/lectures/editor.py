"""Edit the visitor's own lecture: its questions, and the order of its stops."""

from typing import Any

import streamlit as st

from pages.shell.i18n import say, spoken
from pages.shell.lectures.format import LETTERS, MOST_LETTERS, Text, in_language
from pages.shell.lectures.kept import SAVED, TITLE
from pages.shell.lectures.player import OWN_FILE
from pages.shell.lectures.writing import table
from pages.shell.state.reader import Reader

# Session keys: the stop that is edited, from 0; and how often stops were moved, which gives all fields new widgets.
_SHOWN, _MOVED = "lecture_edited", "lecture_moves"
_LINES = ("question", "answer", "look", "notes")


def title() -> Text:
    """The title of the lecture."""
    return st.session_state.get(TITLE) or say("lecture.untitled")


def look_at(number: int) -> None:
    """Show the fields of the stop with this number, from 0."""
    st.session_state[_SHOWN] = number
    st.session_state[_MOVED] = st.session_state.get(_MOVED, 0) + 1


def draw(stops: list[dict[str, Any]]) -> None:
    """The fields of one stop, and buttons that move or remove it. stops: tables as in the file of a lecture."""
    moves = st.session_state.get(_MOVED, 0)
    here = min(st.session_state.get(_SHOWN, 0), len(stops) - 1)
    key, named = f"lecture-title-{moves}", in_language(title(), spoken())
    st.text_input(say("lecture.edit.title"), named, MOST_LETTERS, key=key, on_change=_entitle, args=(key,))
    key, numbers = f"lecture-edit-{moves}", range(1, len(stops) + 1)
    # Stops are chosen by number, since the text of a question changes while it is edited.
    st.pills(
        say("lecture.edit.stop"), numbers, default=here + 1, required=True, key=key, on_change=_turn_to, args=(key,)
    )
    st.caption(say(f"page.{stops[here]['page']}.title"))
    stop = stops[here]
    for name in _LINES:
        key = f"lecture-{name}-{moves}"
        draw_field = st.text_input if name == "question" else st.text_area
        draw_field(
            say(f"lecture.edit_field.{name}"),
            in_language(stop.get(name, ""), spoken()),
            max_chars=MOST_LETTERS,
            key=key,
            on_change=_write,
            args=(here, name, key),
        )
        if name == "question":
            _choices(here, stop, moves)
    key = f"lecture-cover-{moves}"
    st.toggle(say("lecture.edit.cover"), stop.get("cover", False), key=key, on_change=_cover, args=(here, key))
    with st.container(horizontal=True):
        for name, to in (("up", here - 1), ("down", here + 1)):
            there = 0 <= to < len(stops)
            label = say(f"lecture.edit_move.{name}")
            st.button(label, key=f"lecture-{name}", disabled=not there, on_click=_move, args=(here, to))
        st.button(say("lecture.edit.remove"), key="lecture-remove", on_click=_remove, args=(here,))


def offer() -> None:
    """Offer to edit the lecture that was opened, unless that would replace saved stops."""
    on = st.session_state.get(OWN_FILE)
    if on is not None and Reader.current().lecture == "own" and not st.session_state.get(SAVED):
        st.button(say("lecture.edit.open"), key="lecture-edit-open", on_click=_take)


def _choices(here: int, stop: dict[str, Any], moves: int) -> None:
    """The choices, one on each line, and the letter of the right one."""
    choices, key = stop.get("choices", ()), f"lecture-choices-{moves}"
    lines = "\n".join(in_language(one, spoken()) for one in choices)
    st.text_area(say("lecture.edit.choices", most=len(LETTERS)), lines, key=key, on_change=_choose, args=(here, key))
    if choices:
        letters = tuple(LETTERS[: len(choices)])
        right = stop.get("right") or None
        key = f"lecture-right-{moves}-{len(choices)}"
        st.pills(
            say("lecture.edit.right"), letters, default=right, key=key, on_change=_write, args=(here, "right", key)
        )


def _turn_to(key: str) -> None:
    look_at(st.session_state[key] - 1)


def _entitle(key: str) -> None:
    st.session_state[TITLE] = _text(st.session_state.get(TITLE, ""), st.session_state[key])


def _write(at: int, name: str, key: str) -> None:
    stop = _stop(at)
    text = st.session_state[key] or ""
    stop[name] = text if name == "right" else _text(stop.get(name, ""), text)


def _cover(at: int, key: str) -> None:
    _stop(at)["cover"] = bool(st.session_state[key])


def _choose(at: int, key: str) -> None:
    stop = _stop(at)
    lines = [line.strip()[:MOST_LETTERS] for line in st.session_state[key].splitlines() if line.strip()]
    before = [*stop.get("choices", ())]
    before += [""] * (len(lines) - len(before))
    stop["choices"] = [_text(old, line) for old, line in zip(before, lines[: len(LETTERS)], strict=False)]
    if stop.get("right", "") not in tuple(LETTERS[: len(stop["choices"])]):
        stop["right"] = ""


def _text(old: Text, written: str) -> Text:
    """The text with a new version in the language of the screen; its other languages stay."""
    return written if isinstance(old, str) else {**old, spoken(): written}


def _stop(at: int) -> dict[str, Any]:
    stops: list[dict[str, Any]] = [dict(stop) for stop in st.session_state[SAVED]]
    st.session_state[SAVED] = stops
    return stops[at]


def _move(at: int, to: int) -> None:
    stops = [*st.session_state[SAVED]]
    stops[at], stops[to] = stops[to], stops[at]
    st.session_state[SAVED] = stops
    look_at(to)


def _remove(at: int) -> None:
    stops = st.session_state[SAVED]
    st.session_state[SAVED] = [*stops[:at], *stops[at + 1 :]]
    look_at(max(0, at - 1))


def _take() -> None:
    on = st.session_state[OWN_FILE]
    st.session_state[TITLE], st.session_state[SAVED] = on.title, [table(stop) for stop in on.stops]
    look_at(0)
