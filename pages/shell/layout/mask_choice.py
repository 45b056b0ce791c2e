"""The buttons that choose a mask, and the sliders of its parameters: in the control bar, or above the board of the page
about masks."""

from dataclasses import replace
from functools import partial

from attention.masks import MASKS
from pages.shell.layout import more
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.runs.preparation import prepared
from pages.shell.state.changes import set_controls
from pages.shell.state.config import OF_PRESET, Config, looked_at, unused

# This page has the choice above its figure, and not in its bar.
PAGE = "masks"


@part
def choice(page: str) -> None:
    """The choice as a part. A control is explained at its name in the bar (browser/knob_help.js), elsewhere by a
    sign."""
    draw(page, is_explained=page == PAGE)


def draw(page: str, *, is_explained: bool) -> None:
    """The buttons and the sliders alone, within the caller's part."""
    config, idle = _config(page), unused(page)
    if "mask" in idle:
        return
    depends_on(lambda: more.masks(page, _config(page)))
    depends_on(partial(_words, page))
    there, act = more.masks(page, config), partial(_as_preset, page)
    widget("mask", options=there, shows=config.used_mask, is_explained=is_explained, on_change=act)
    for name in MASKS[config.used_mask].parameters:
        if name not in idle:
            # Beyond the words a longer one would change nothing; a slider needs two ends.
            widget(name, most=max(_words(page), 2), is_explained=is_explained)


def _config(page: str) -> Config:
    return looked_at(page, Config.current())


def _words(page: str) -> int:
    """Of the longest sentence."""
    return len(prepared(_config(page))[0].inputs.tokens[0])


def _as_preset(page: str) -> None:
    """Store the preset's own mask as "that of the preset", so that another preset brings its own mask."""
    config = _config(page)
    if config.mask == replace(config, mask=OF_PRESET).used_mask:
        set_controls({"mask": OF_PRESET})
