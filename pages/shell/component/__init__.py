"""Elements for our scripts (browser/mounts.js): components of Streamlit, and HTML elements if they have no state."""

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import count
from typing import Any

import streamlit as st

# The script is loaded by address and kept terse, because this text is sent with every update of every row of figures.
_BOOT = """const p=import(new URL("assets/plot/mounts.js",document.baseURI))
export default c=>{const m=p.then(p=>p.render(c));return()=>m.then(end=>end())}"""
_registered = st.components.v2.component("attention_plot", js=_BOOT, isolate_styles=False)
# The number of the next message.
_sent = count()


def _mount_point(names: str, data: Mapping[str, Any]) -> None:
    """Leave an HTML element with data for browser/mount_points.js. names: the classes of the element.

    Streamlit registers two widgets for a component, and goes through all of them in every run; an HTML element has no
    state (docs/decisions/mount-points.md).
    """
    # The sanitiser of Streamlit's page drops an attribute with an end tag in it.
    text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e")
    st.html(f'<div class="att-mount {names}" data-mount="{escape(text)}"></div>')


def _message(data: Mapping[str, Any]) -> None:
    """Tell the browser something once. The number makes it a new element, even if the data is as before."""
    _mount_point("att-message", {**data, "number": next(_sent)})


def settings(told: Mapping[str, Any]) -> None:
    """Have the browser write settings into its address. told: the settings as `state.changes.told` returns them."""
    _message({"settings": dict(told)})


def listening(key: str, told: Mapping[str, Any], on_given: Callable[[], None]) -> None:
    """As `settings`, and listen to figures that set some.

    on_given: called before the next run when figures have set some; `st.session_state[key]["given"]` then has, by name,
    the text and how often figures have set anything by then."""
    _registered(key=key, data={"settings": dict(told)}, height=1, on_given_change=on_given)


def words(content: Mapping[str, Any], context: Mapping[str, Any]) -> None:
    """Send titles, formulas and sentences, which no update changes. Call it once a page, before figures.

    context: what the browser needs to ask for views (browser/live.js): page, language and build; and by name the
    settings: `controls`, all; `reader`, those that change no view; `looks`, those that move the gaze and change no
    number; `beside`, name and label of those that a figure can take with it (browser/embed.js).
    """
    # The browser asks for the whole page if a server may not know its rows (reopen.js).
    data = {"words": content, "context": context}
    _registered(key="plot-words", data=data, on_again_change=_nothing, height=1)


def views(names: Sequence[str]) -> None:
    """Places for views below each other; the browser asks for their blocks by address."""
    (*others, last) = (name.partition(".")[2] for name in names)
    # Within the place of several views, the browser names a place for each (browser/view.js).
    _mount_point("" if others else f"st-key-plot-{last}", {"views": list(names)})


def thumbnail(page: str) -> None:
    """A small picture of the first figure of another page, drawn when it comes into sight."""
    _mount_point("", {"thumbnail": page})


def computed() -> None:
    """Have the browser ask again for waiting views."""
    _message({"computed": True})


def blocks(key: str, shown: Sequence[Mapping[str, Any]]) -> None:
    """Blocks made by a task, as data; the browser asks for the blocks of views by address instead."""
    _registered(key=key, data={"blocks": list(shown)})


def ask_for_lap(key: str, lap: int, on_lap: Callable[[], None] | None = None) -> None:
    """Have the browser ask for another run of this part once it has drawn this one. lap: a number that differs each
    time; on_lap: called before that run.

    `st.fragment(run_every=...)` does not fit, since it asks by the clock: docs/decisions/race.md.
    """
    _registered(key=key, data={"lap": lap}, on_lap_change=on_lap or _nothing, height=1)


def _nothing() -> None:
    """Do nothing: a trigger must have a callback, and only its rerun is needed."""


def palette(name: str) -> None:
    """Give the page the colours of `:root[data-palette]` in the styles, as long as this element is drawn."""
    _registered(key="plot-palette", data={"palette": name}, height=1)


def lecture(name: str, stop: int, shows: Mapping[str, Any], *, plays: bool, on_stop: Callable[[], None]) -> None:
    """Keep this browser's windows at one stop of a lecture, listen for a clicker's keys, scroll to the stop's figure.

    shows: `figure`, or else the key `at` of a container; `covers`, the figures to cover, an empty list for the
    container, None for nothing; `asks`, whether the answer is still hidden; `missing`, the sentence for a page without
    the figure; `clock`, seconds of the stop and of the lecture at a time, with their words. plays: whether the browser
    turns a knob, or tells the steps, by itself. on_stop: called before the next run when another window went on;
    `st.session_state["lecture-channel"]["stop"]`.
    """
    data = {"lecture": {"name": name, "stop": stop, "plays": plays, **shows}}
    _registered(key="lecture-channel", data=data, on_stop_change=on_stop, height=1)


def own_lecture(
    key: str, kept: Mapping[str, str | None], *, asks: bool, room: str, arrived: str, on_found: Callable[[], None]
) -> None:
    """Keep texts in the browser by name. None asks the browser for its text, "" makes it forget the text.

    asks: whether the browser must answer, even without a text; room: a room that may hold the lecture; arrived: a
    lecture that is shown and not to be kept. on_found: called before the next run after an answer, which is
    `st.session_state[key]["found"]`, name to text; beside it `"place"` is where the visitor was on saving a stop.
    """
    data = {"own": {"kept": dict(kept), "asks": asks, "room": room, "arrived": arrived}}
    _registered(key=key, data=data, on_found_change=on_found, on_place_change=_nothing, height=1)


def room(shown: Mapping[str, Any], choices: Sequence[str], words: Mapping[str, str], *, is_last: bool) -> None:
    """The choices of a question as buttons, whose presses the server counts for a room; the browser asks by itself.

    shown: room, lecture and stop; revealed, whether the answer is in sight; elsewhere, whether the page is another one
    than the stop's; language. words: the texts of a room. is_last: whether it is the last stop.
    """
    data = {"room": dict(shown), "choices": list(choices), "words": dict(words), "isLast": is_last}
    _registered(key="lecture-room", data=data)


def room_panel(words: Mapping[str, str]) -> None:
    """Buttons with which a lecturer opens and closes a room, and takes its results. words: the texts of a room."""
    _registered(key="lecture-room-panel", data={"roomPanel": dict(words)})


def share(key: str, most: int, small: bool = False) -> None:
    """Buttons that copy the link of the screen and ask for its QR code. most: the characters that a code holds.

    small: one button for both, where there is little room.
    """
    _mount_point(f"st-key-{key}", {"share": {"most": most, "small": small}})
