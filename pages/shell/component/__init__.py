"""The figure component: a row of cards, each a step with its heatmap, drawn in the browser by browser/mounts.js."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from attention.figures import Heatmap
from pages.shell.component.arcs import Arcs
from pages.shell.component.chart import Chart
from pages.shell.component.heatmap import Card, Figure, sent
from pages.shell.component.sharing import Sharing
from pages.shell.component.sight import FAR, TELLS, mounted

# Loaded by address, and terse: this text travels with every update of every row of figures.
_BOOT = """const p=import(new URL("assets/plot/mounts.js",document.baseURI))
export default c=>{const m=p.then(p=>p.render(c));return()=>m.then(end=>end())}"""
_registered = st.components.v2.component("attention_plot", js=_BOOT, isolate_styles=False)


def _component(key: str, **mount: Any) -> None:
    mounted(key)
    _registered(key=key, **mount)


def words(content: Mapping[str, Any], context: Mapping[str, Any]) -> None:
    """What does not change from one update to the next: titles, formulas, sentences. Once a page, before figures.

    context: what the browser has to know to ask for views (browser/live.js): page, language and build; of settings, by
    name, all `controls`; `reader`, which change no view; `looks`, which change where
    one looks and no number.
    """
    # The browser asks for the whole page where a server may not know its rows: reopen.js.
    data = {"words": content, "context": context}
    _component(key="plot-words", data=data, on_again_change=_nothing, height=1)


def view(key: str, name: str) -> None:
    """A place for a view, whose blocks the browser asks for by address."""
    _registered(key=key, data={"view": name})


def sight(on_sight: Callable[[], None]) -> None:
    """What tells which mounts are out of sight. on_sight: called before the next run when these are others."""
    heard: dict[str, Any] = {f"on_{FAR}_change": on_sight}
    _component(key=TELLS, data={"sight": True}, height=1, **heard)


def computed(key: str, what: str) -> None:
    """Have the browser ask again for views that were waiting. what: another text for another result."""
    _registered(key=key, data={"computed": what}, height=1)


def labels(tokens: Mapping[str, Sequence[str]]) -> None:
    """The tokens by axis name, for all figures of the page."""
    _component(key="plot-labels", data={"labels": {axis: list(names) for axis, names in tokens.items()}}, height=1)


def mount(key: str, data: Mapping[str, Any], **heard: Callable[[], None]) -> None:
    """Draw what a module beside this one sends. heard: what is called before the next run, by trigger."""
    called: dict[str, Any] = dict(heard)
    _component(key=key, data=data, **called)


def cards(
    key: str,
    chapter: str,
    row: Sequence[Card],
    on_cell: Callable[[], None],
    *,
    opens: str = "",
) -> None:
    """Draw a row of cards under a fixed key, headed by a chapter.

    on_cell: called before the next run when a cell was clicked, which then is `clicked(key)`; opens: the key of the
    container that shows what is told of a cell, where that is elsewhere on the page: a click scrolls there.
    """
    data: dict[str, Any] = {"chapter": chapter, "cards": [sent(card) for card in row]}
    if opens:
        data["opens"] = opens
    _component(key=key, data=data, on_cell_change=on_cell)


@dataclass(frozen=True)
class Click:
    """A cell that the browser reports, row and column from 0; sets: the control and the value that it chooses."""

    figure: str
    row: int
    column: int
    sets: tuple[str, str] | None


def clicked(key: str) -> Click | None:
    """The click on the row of figures with this key, input from outside like any other; None for what is none."""
    match st.session_state[key].get("cell"):
        case {"figure": str(figure), "row": int(row), "column": int(column), **rest}:
            match rest.get("sets"):
                case [str(name), str() | int() as value]:
                    return Click(figure, row, column, (name, str(value)))
            return Click(figure, row, column, None)
    return None


def row(
    key: str,
    *figures: Figure | Chart | Arcs | Sharing,
    on_cell: Callable[[], None] | None = None,
    opens: str = "",
) -> None:
    """Draw figures of any kind, which bring their own words, side by side under a fixed key; their ids differ.

    on_cell: called before the next run when a cell of a `Figure`, a word of `Arcs` or a head of `Sharing` was clicked;
    opens: as in `cards`.
    """
    data: dict[str, Any] = {"chapter": "", "cards": [figure.sent() for figure in figures]}
    heard: dict[str, Any] = {"on_cell_change": on_cell}
    if on_cell:
        # Without a listener the browser must not report: headed rows always have one, and need not say so.
        data["clicks"] = True
    if opens:
        data["opens"] = opens
    _component(key=key, data=data, **{name: call for name, call in heard.items() if call})


def single(key: str, heatmap: Heatmap, title: str, rows: Sequence[str], columns: Sequence[str], note: str = "") -> None:
    """One figure that brings its own title and the labels of its sides."""
    row(key, Figure(heatmap, title, rows, columns, note))


def ask_for_lap(key: str, lap: int, on_lap: Callable[[], None] | None = None) -> None:
    """Have the browser ask for another run of this row once it has drawn this one. lap: another number every time.

    on_lap: called before that run, where it concerns other rows, too.
    Not by `st.fragment(run_every=...)`, which asks by the clock: docs/decisions/race.md.
    """
    # Not among the mounts that may be out of sight: a training goes on while somebody reads on.
    _registered(key=key, data={"lap": lap}, on_lap_change=on_lap or _nothing, height=1)


def _nothing() -> None:
    """Do nothing: a trigger must have a callback, and its rerun is all that is needed."""


def palette(name: str) -> None:
    """Give the page, for as long as this is drawn, the colours that `:root[data-palette]` has in the styles."""
    _component(key="plot-palette", data={"palette": name}, height=1)


def choice(key: str) -> dict[str, Any]:
    """What was chosen in the pipeline with this key, input from outside like any other; empty for what is nothing."""
    match st.session_state[key].get("choice"):
        case {"step": str(step), **rest}:
            head = rest.get("head")
            return {"step": step} | ({"head": head} if isinstance(head, int) else {})
        case {"told": int(told)}:
            return {"told": told}
    return {}


def lecture(name: str, stop: int, shows: Mapping[str, Any], *, plays: bool, on_stop: Callable[[], None]) -> None:
    """Keep the windows of this browser at one stop of a lecture, listen for a clicker's keys, scroll to what is shown.

    shows: figure, or else the key `at` of a container; covers, the figures that are to be covered, none of them for the
    container, None for nothing; asks, whether the answer is still to come; missing, what is said where it is not
    on the page; clock, seconds of the stop and of the lecture at a time, with the words around them. plays: whether
    the browser turns a knob, or tells the steps, by itself.
    on_stop: called before the next run when another window went on; `st.session_state["lecture-channel"]["stop"]`.
    """
    data = {"lecture": {"name": name, "stop": stop, "plays": plays, **shows}}
    _component(key="lecture-channel", data=data, on_stop_change=on_stop, height=1)


def own_lecture(key: str, kept: Mapping[str, str | None], *, asks: bool, on_found: Callable[[], None]) -> None:
    """Keep texts in the browser by name; None: it is asked for what it has, "": it is to forget it.

    asks: whether it must answer, even that it has nothing. on_found: called before the next run when it has answered,
    which then is `st.session_state[key]["found"]`, name to text.
    """
    _component(key=key, data={"own": {"kept": dict(kept), "asks": asks}}, on_found_change=on_found, height=1)


def votes(room: str, stop: str, choices: Sequence[str], words: Mapping[str, str], *, counts: bool) -> None:
    """The choices of a question as buttons, whose presses the server counts for a room; counts: whether they are seen.

    words: `label`, of all buttons, and `count`, of how many have answered, with a place for the number, `{count}`.
    """
    asked = {"room": room, "stop": stop, "choices": list(choices), "counts": counts}
    _component(key="lecture-votes", data={"votes": asked | dict(words)})


def share(key: str, most: int, small: bool = False) -> None:
    """What copies the link of the screen and asks for its QR code. most: the characters that a code holds.

    small: one button for both, where there is little room.
    """
    _component(key=key, data={"share": {"most": most, "small": small}})
