"""The control bar: the words, heads, d_k, dropout and mask, always in sight; the rarer controls are behind "More", with
all others on pages that have at most one control in the bar."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import streamlit as st

from attention.inputs.presets import PRESETS, Prepared
from pages.shell.i18n import say
from pages.shell.i18n.options import size_of_heads, word
from pages.shell.layout import mask_choice, more, one_change, pin, words
from pages.shell.layout.die import die
from pages.shell.layout.drawer import drawer
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.runs import brought
from pages.shell.runs.offered import POWERS, offered
from pages.shell.runs.preparation import prepared
from pages.shell.state.changes import set_controls
from pages.shell.state.config import AUTO, HEADS, LIVE, Config, looked_at, looks, unused
from pages.shell.state.page_controls import COMPARE
from pages.shell.state.todays_controls import COSTS

NAMES = ("heads", "d_k", "mask", "dropout")
# Larger sizes are not offered: a touch leads to the layer that learned, which would only replace them by this one.
_MOST_FIXED = 32
# The page whose first slider is p.
_DROPOUT = "dropout"
# The session key of the screen that the visitor left by touching a fixed size, for the way back.
_LEFT = "left_screen"


def acts(page: str) -> bool:
    """Whether a page has the bar. The page about costs has none, because it chooses the sizes of a layer as a whole."""
    return looks(page) and page != COSTS


def draw(page: str) -> None:
    """The bar, and the way back after a touch of a fixed size. A page that changes one setting at a time has it in a
    drawer."""
    # Around the part and its own container, because only children of the page's container stay in sight.
    within = drawer("every_setting") if page == COMPARE else nullcontext()
    with within, st.container(key="bar", horizontal=True, vertical_alignment="center"):
        words.panel(page)
        if page in pin.UNDER_MORE:
            if alone := pin.UNDER_MORE[page]:
                with st.container(key="knobs", horizontal=True, vertical_alignment="center"):
                    (_number if alone == "heads" else mask_choice.choice)(page)
            more.panel(page, partial(_behind, page))
        else:
            _knobs(page)
            more.panel(page)
        pin.panel(page)
    _way_back(page)


def _knobs(page: str) -> None:
    """The controls in parts that hold what is offered together; a moved control leaves the other parts as they are."""
    with st.container(key="knobs", horizontal=True, vertical_alignment="center"):
        _sizes(page)
        if "dropout" not in unused(page):
            _dropout(page)
        if _above(page) != "mask":
            mask_choice.choice(page)


@part
def _number(page: str) -> None:
    """The control of heads, if it is the only one in the bar."""
    depends_on(lambda: offered(_config(page)))
    _heads(page, is_explained=False)


def _heads(page: str, *, is_explained: bool) -> None:
    config = _config(page)
    if brought.of(config) is not None:
        st.caption(say("file.sizes", heads=_fixed(config).module.heads, d_k=_fixed(config).module.d_k))
    elif config.preset in PRESETS:
        _fixed_size("heads", _fixed(config).module.heads, [count for count in POWERS if count <= HEADS])
    else:
        widget("heads", options=offered(config)[0], is_explained=is_explained)


def _behind(page: str) -> None:
    """Under "More", the controls that other pages have in the bar."""
    depends_on(lambda: offered(_config(page)))
    config = _config(page)
    if pin.UNDER_MORE[page] != "heads":
        _heads(page, is_explained=True)
    if brought.of(config) is None and config.preset not in PRESETS:
        widget("d_k", options=offered(config)[1])
    if "dropout" not in unused(page) and _above(page) != "dropout":
        widget("dropout")
    if "mask" not in (pin.UNDER_MORE[page], _above(page)):
        mask_choice.draw(page, is_explained=True)
    if not pin.is_kept():
        pin.keep()


@part
def _sizes(page: str) -> None:
    config = _config(page)
    # The offered sizes depend on d_model, whose slider stands elsewhere.
    depends_on(lambda: _config(page).d_model)
    depends_on(partial(_above, page))
    if brought.of(config) is not None:
        st.caption(say("file.sizes", heads=_fixed(config).module.heads, d_k=_fixed(config).module.d_k))
    elif config.preset in PRESETS:
        module = _fixed(config).module
        _fixed_size("heads", module.heads, [count for count in POWERS if count <= HEADS])
        _fixed_size("d_k", module.d_k, [size for size in POWERS if size <= _MOST_FIXED])
    else:
        heads, sizes = offered(config)
        if _above(page) != "heads":
            _knob("heads", options=heads)
        # The automatic size is written as a rule; its number would be outdated while the slider of heads is held.
        _knob("d_k", options=sizes, called={AUTO: size_of_heads(config.d_model)})


@part
def _dropout(page: str) -> None:
    depends_on(partial(_above, page))
    if _above(page) == "dropout":
        return
    config = Config.current()
    _knob("dropout")
    _die(idle=config.dropout == 0 or config.mode != Config.mode)


def _knob(name: str, **given: Any) -> None:
    """A control of the bar, which is explained when it is pointed at or focused (browser/knob_help.js)."""
    widget(name, is_explained=False, **given)


def _above(page: str) -> str:
    """The control above the figure of a page, which the bar leaves out."""
    if page == mask_choice.PAGE:
        return "mask"
    return "dropout" if page == _DROPOUT else one_change.control() if page == COMPARE else ""


def _config(page: str) -> Config:
    return looked_at(page, Config.current())


def _fixed(config: Config) -> Prepared:
    """The inputs and weights of the preset."""
    return prepared(config)[0]


def _die(*, idle: bool) -> None:
    """The die, invisible while it would do nothing (knobs.css); its place is kept, so the masks beside it stay."""
    die("draw", say("bar.die"), say("bar.die_help"), key="die", type="secondary", disabled=idle)


def _fixed_size(name: str, size: int, sizes: list[int]) -> None:
    """A size fixed by the preset: touching it switches to the preset with free sizes."""
    st.segmented_control(
        say(f"control.{name}.label"),
        sorted({*sizes, size}),
        default=size,
        required=True,
        key=f"fixed-{name}",
        on_change=partial(_set_free, name),
    )


def _set_free(name: str) -> None:
    """Keep the sizes of the preset except the touched one, and remember the screen."""
    chosen = st.session_state[f"fixed-{name}"]
    screen = Config.current()
    if chosen is None or screen.preset not in PRESETS:
        return
    module = prepared(screen)[0].module
    sizes = {"heads": module.heads, "d_k": module.d_k} | {name: chosen}
    st.session_state[_LEFT] = screen.bundled()
    set_controls({"preset": LIVE, "heads": int(sizes["heads"]), "d_k": str(sizes["d_k"])})


@part
def _way_back(page: str) -> None:
    left = Config.unbundled(st.session_state.get(_LEFT, ""))
    if left is None or Config.current().preset != LIVE or "preset" in unused(page):
        return
    names = {"live": word("preset", LIVE), "preset": word("preset", left.preset)}
    with st.container(key="way-back", horizontal=True, vertical_alignment="center"):
        st.markdown(say("bar.left", **names), width="content")
        st.button(
            say("bar.back", preset=names["preset"]),
            key="back",
            on_click=_go_back,
            type="tertiary",
            icon=":material/undo:",
        )


def _go_back() -> None:
    left = Config.unbundled(st.session_state.pop(_LEFT, ""))
    if left is not None:
        set_controls(left.values())
