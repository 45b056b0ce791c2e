"""The panel behind "More" in the control bar: rarer controls, in the order of the computation."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from attention.device import devices
from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.layout import words
from pages.shell.layout.part import depends_on, here, part, redraw
from pages.shell.layout.widgets import widget
from pages.shell.runs import brought
from pages.shell.runs.preparation import prepared
from pages.shell.runs.translating import context_of
from pages.shell.state.changes import PAINTED, set_controls
from pages.shell.state.config import OF_RANDOM, POSITIONS, RANDOM, TURNED, VARIANTS, Config, looked_at, unused
from pages.shell.state.page_controls import CROSS, CrossAttention
from pages.shell.state.painted_cells import cells

_FREE = ("positions", *VARIANTS)
_SIZES = ("d_model", "d_v", "d_out", "bias")
_QUERIES = ("last", "corner", "padding")
_LOOK = ("sentence", "head", "device")
# These masks always have a button in the bar. Another mask has its button in the panel, and in the bar while chosen.
_MASKS = ("full", "causal", "window")
# The pages that offer all masks side by side.
_ALL_MASKS = ("masks", "heads", "backward")
NAMES = ("scale", "mode", *_FREE, *_SIZES, *_QUERIES, *_LOOK, "draw", "seed")


@part
def panel(page: str, first: Callable[[], None] | None = None) -> None:
    """The panel of a page that uses its controls. The label counts the set controls, because they act while the panel
    is closed. first: draws the controls that are in the bar of other pages."""
    idle, config = unused(page), looked_at(page, Config.current())
    there = _there(page, config, idle)
    if not any(there.values()):
        return
    named = [name for name in (*_FREE, "scale", "mode") if name not in idle]
    count = sum(getattr(config, name) != getattr(Config, name) for name in named)
    label = say("bar.more_set", count=count) if count else say("bar.more")
    # The content is drawn once the panel is open: it took a fifth of a visitor's first screen.
    opened = st.popover(label, key="more", type="tertiary", on_change="rerun")
    if not opened.open:
        return
    # The number of heads is chosen in the bar, outside of this part.
    depends_on(partial(_counts, page))
    depends_on(lambda: masks(page, looked_at(page, Config.current())))
    with opened:
        if page in words.UNDER_MORE:
            st.markdown(f"**{say('bar.words')}**")
            words.draw(page)
        if first:
            first()
        if page not in _ALL_MASKS and "mask" not in idle:
            _other_masks(page)
        for section, controls in there.items():
            if controls:
                st.markdown(f"**{say(f'section.{section}')}**")
            for name, given in controls.items():
                widget(name, on_change=_free if name in _FREE else None, **given)
        if there["queries"]:
            _unpaint()


def masks(page: str, config: Config) -> tuple[str, ...]:
    """The masks that a page offers side by side: all, or those of the bar."""
    return tuple(mask for mask in MASKS if page in _ALL_MASKS or mask in (*_MASKS, config.used_mask))


def _other_masks(page: str) -> None:
    others = [mask for mask in MASKS if mask not in masks(page, looked_at(page, Config.current()))]
    st.markdown(f"**{say('control.mask.label')}**")
    with st.container(key="other-masks", horizontal=True):
        for mask in others:
            act = partial(_choose_mask, mask, here())
            st.button(word("mask", mask), key=f"mask-{mask.replace(' & ', '-')}", on_click=act)


def _choose_mask(mask: str, part: str) -> None:
    set_controls({"mask": mask, PAINTED: ""})
    redraw(part)


def _there(page: str, config: Config, idle: frozenset[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """The controls of the panel by section, each with the arguments of its widget."""

    def some(names: Sequence[str], *but: str, **given: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {name: given.get(name, {}) for name in names if name not in idle and name not in but}

    sentences, heads = _counts(page)
    is_file = brought.of(config) is not None
    is_fixed = config.preset in PRESETS or is_file
    # The output of a layer that learned has one feature for each word, so d_out is fixed.
    sizes = {} if is_fixed else some(_SIZES, *([] if config.preset == RANDOM else ["d_out"]))
    # A single sentence needs no padding, but the mask of a file is shown as padding is.
    one = "" if sentences > 1 or is_file else "padding"
    all_ask = "corner" if page != CROSS and not config.last else ""
    queries = some(_QUERIES, one, all_ask) | ({"corner": {}} if page == CROSS else {})
    most = {"sentence": sentences, "head": heads}
    # A picker with a single choice is left out.
    single = [name for name, count in most.items() if count < 2] + ([] if len(devices()) > 1 else ["device"])
    return {
        "computed": some(("scale", "mode")),
        "variants": some(_FREE, positions={"options": _positions(idle, Config.current().positions)}),
        "sizes": sizes,
        "queries": queries,
        "shown": some(_LOOK, *single, **{name: {"most": count} for name, count in most.items()}),
        "drawn": some(("draw", "seed")),
    }


def _counts(page: str) -> tuple[int, int]:
    """The number of sentences and the number of heads."""
    config = looked_at(page, Config.current())
    ready = prepared(config, context_of(config, CrossAttention.current().context) if page == CROSS else None)[0]
    return len(ready.inputs.tokens), ready.module.heads


def _positions(idle: frozenset[str], chosen: str) -> list[str]:
    """The positions that a page offers; a page without the variants offers only those that act on the input."""
    return [each for each in POSITIONS if each == chosen or each not in TURNED or not set(VARIANTS) <= idle]


def _free() -> None:
    """Switch to random weights where a variant is on, since the weights of other presets were made without it."""
    now = Config.current()
    if now.preset != RANDOM and (now != now.plain() or now.positions in OF_RANDOM):
        set_controls({"preset": RANDOM})


def _unpaint() -> None:
    """A button that removes the painted cells, if there are any."""
    count = len(cells(Config.current().painted))
    if count:
        label = say("mask.unpaint", count=count)
        st.button(label, key="unpaint", on_click=set_controls, args=({PAINTED: ""},), width="stretch")
