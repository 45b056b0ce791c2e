"""The control bar: heads, d_k, mask and dropout, with scale and mode, always in sight; the rarer ones behind "More"."""

from dataclasses import replace
from functools import partial

import streamlit as st

from attention.inputs.learned import SHIPPED
from attention.inputs.presets import PRESETS, Prepared
from attention.masks import MASKS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.layout import choices, more
from pages.shell.layout.rows import changes, row
from pages.shell.layout.widgets import slide, widget
from pages.shell.runs.preparation import prepared
from pages.shell.runs.sources import Source, opened
from pages.shell.state.config import AUTO, HEADS, LEARNED, LIVE, OF_PRESET, SEEDS, SIZES, Config, looked_at, unused
from pages.shell.state.pending import restore, set_controls

NAMES = ("heads", "d_k", "mask", "dropout", "scale", "mode")
_POWERS = tuple(2**exponent for exponent in range(10))
_HEADS = range(1, HEADS + 1)
_MASKS = (OF_PRESET, *MASKS)
# Where a touch leads to the layer that learned, larger ones would only be moved to it.
_MOST_FIXED = 32
_HEAD_SIZES = (AUTO, *map(str, SIZES))
# The screen that touching a fixed size has left, for the way back.
_LEFT = "left_screen"


def draw(page: str) -> None:
    """The bar, and the way back where a fixed size was touched."""
    # Around the row, which has a container of its own: only what stands in that of the page stays in sight.
    with st.container(key="bar"):
        _knobs(page)
        more.draw(page)
    _way_back(page)


@row
def _knobs(page: str) -> None:
    idle = unused(page)
    fixed = Source(partial(_fixed, page), key=lambda: _config(page).preset).read()
    with st.container(key="knobs", horizontal=True, vertical_alignment="center"):
        if fixed:
            module = fixed.module
            _fixed_size("heads", module.heads, [count for count in _POWERS if count <= HEADS])
            _fixed_size("d_k", module.d_k, [size for size in _POWERS if size <= _MOST_FIXED])
        else:
            heads, sizes = Source(partial(_offered, page)).read()
            slide("heads", heads)
            slide("d_k", sizes)
        unseen = {"heads", "d_k"} if fixed else set()
        for name in ("dropout", "mask", "scale", "mode"):
            if name in idle:
                unseen.add(name)
            else:
                widget(name)
            if name == "dropout" and name not in idle:
                _die()
            if name == "dropout":
                # Where the first screen has room for it.
                more.switch(page)
        # Nobody sees the only container here, nor what follows it, which is there for the link alone (plot.css). Beside
        # the others, since a widget that moved to another container would lose its parameter.
        with st.container(key="knobs-unseen"):
            used, chosen = Source(partial(_masks, page)).read()
            # Something to hold on to: of styles alone Streamlit makes an element of no row.
            st.html(choices.stand_in("mask", _MASKS, OF_PRESET, used, chosen) + "<span></span>")
        all_of = {"heads": _HEADS, "d_k": _HEAD_SIZES}
        for name in NAMES:
            if name in unseen:
                slide(name, all_of[name]) if name in all_of else widget(name)


def _config(page: str) -> Config:
    # As the link has it: the widgets of the sidebar come later.
    return looked_at(page, opened())


def _fixed(page: str) -> Prepared | None:
    """What the preset brings; None where the controls do."""
    config = _config(page)
    return prepared(config)[0] if config.preset in PRESETS else None


def _masks(page: str) -> tuple[str, str]:
    """The mask of the preset, and what is chosen: it, or another."""
    config = _config(page)
    return replace(config, mask=OF_PRESET).used_mask, config.mask


def _offered(page: str) -> tuple[list[int], list[str]]:
    """The numbers of heads, and the sizes of one: those that were trained or, of random weights, those that are whole
    parts of d_model, and powers of two."""
    config = _config(page)
    if config.preset == LEARNED:
        alike = [setting for setting in SHIPPED if setting.d_model == int(Config.d_model)]
        heads, sizes = {one.heads for one in alike}, {one.d_k for one in alike}
    else:
        heads = {each for each in _HEADS if int(config.d_model) % each == 0 or (config.d_k != AUTO and each in _POWERS)}
        sizes = set(_POWERS)
    # A link may hold any of them.
    now = set() if config.d_k == AUTO else {int(config.d_k)}
    return sorted({*heads, Config.heads, config.heads}), [AUTO, *map(str, sorted(sizes | now))]


def _die() -> None:
    st.button(
        say("bar.die"), key="die", help=say("bar.die_help"), on_click=changes(_draw_again), icon=":material/casino:"
    )


def _draw_again() -> None:
    restore()
    set_controls({"draw": (Config.current().draw + 1) % SEEDS})


def _fixed_size(name: str, size: int, sizes: list[int]) -> None:
    """A size that the preset brings: touching it leads to where sizes are free."""
    st.segmented_control(
        say(f"control.{name}.label"),
        sorted({*sizes, size}),
        default=size,
        required=True,
        key=f"fixed-{name}",
        help=say(f"control.{name}.help"),
        on_change=changes(partial(_set_free, name)),
    )


def _set_free(name: str) -> None:
    """Keep the sizes of the preset but the one that was touched, and remember the screen."""
    chosen = st.session_state[f"fixed-{name}"]
    restore()
    screen = Config.current()
    if chosen is None or screen.preset not in PRESETS:
        return
    module = prepared(screen)[0].module
    sizes = {"heads": module.heads, "d_k": module.d_k} | {name: chosen}
    st.session_state[_LEFT] = screen.bundled()
    set_controls({"preset": LIVE, "heads": int(sizes["heads"]), "d_k": str(sizes["d_k"])})


@row
def _way_back(page: str) -> None:
    left = Config.unbundled(st.session_state.get(_LEFT, ""))
    if left is None or Config.asked("preset") != LIVE or "preset" in unused(page):
        return
    names = {"live": word("preset", LIVE), "preset": word("preset", left.preset)}
    with st.container(key="way-back", horizontal=True, vertical_alignment="center"):
        st.markdown(say("bar.left", **names), width="content")
        st.button(
            say("bar.back", preset=names["preset"]),
            key="back",
            on_click=changes(_go_back),
            type="tertiary",
            icon=":material/undo:",
        )


def _go_back() -> None:
    restore()
    left = Config.unbundled(st.session_state.pop(_LEFT, ""))
    if left is not None:
        set_controls(left.values())
