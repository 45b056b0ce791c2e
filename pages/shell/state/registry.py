"""The registry of all controls: the controls of each page, their defaults, and the settings of a link."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from attention.masks import MASKS
from pages.shell.state.config import Config
from pages.shell.state.controls import Controls, Knob
from pages.shell.state.fields import Choice
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import (
    CROSS,
    Backward,
    Compare,
    CrossAttention,
    Dropout,
    Heads,
    Laboratory,
    Masks,
    Models,
    OneQuery,
    Order,
    Walkthrough,
    WhatIf,
)
from pages.shell.state.reader import Reader
from pages.shell.state.todays_controls import Costs, FewerKeys, OneToken, Positions, State, Taming, Tiles
from pages.shell.state.url import written

# The page at the root of the app.
HOME = "walkthrough"
# Page to its own controls.
BY_PAGE: dict[str, type[Controls]] = {
    "walkthrough": Walkthrough,
    "one_query": OneQuery,
    "masks": Masks,
    "dropout": Dropout,
    "heads": Heads,
    CROSS: CrossAttention,
    "order": Order,
    "compare": Compare,
    "scaling": Laboratory,
    "backward": Backward,
    "experiments": WhatIf,
    "tiles": Tiles,
    "costs": Costs,
    "positions": Positions,
    "fewer_keys": FewerKeys,
    "one_token": OneToken,
    "state": State,
    "taming": Taming,
    "models": Models,
}
# Page to other pages whose controls it uses as well; `models` has the walkthrough's pipeline.
USES: dict[str, tuple[str, ...]] = {"models": ("walkthrough",)}
SCREENS: tuple[type[Controls], ...] = (Config, Reader, Guesses, *BY_PAGE.values())
ALL_FIELDS: dict[str, Knob] = {name: held for screen in SCREENS for name, held in screen.knobs().items()}

# The controls of the control bar.
IN_BAR = (
    "heads",
    "d_k",
    "dropout",
    "mask",
    "cross_mask",
    *dict.fromkeys(chain(*(of.parameters for of in MASKS.values()))),
)
# The settings that figures alone set; one of them, the chosen cell, is no control.
OF_FIGURES = frozenset({"cell"}).union(*(screen.of_figures() for screen in SCREENS))


def default(name: str) -> Any:
    """The default of a control."""
    return next(getattr(screen, name) for screen in SCREENS if name in screen.knobs())


def settled(parameters: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The parameters of a link that no widget could hold: name to (what came, the nearest valid value)."""
    return changed(parameters, *(screen.of(parameters) for screen in SCREENS))


def changed(parameters: Mapping[str, str], *screens: Controls) -> dict[str, tuple[str, str]]:
    """The differences of a link from screens: name to (what came, what the screen has)."""
    return {
        name: (parameters[name], written(getattr(screen, name)))
        for screen in screens
        for name, knob in screen.knobs().items()
        # A value in former words is no other value.
        if name in parameters and written(getattr(screen, name)) != _today(knob, parameters[name])
    }


def _today(knob: Knob, raw: str) -> str:
    return knob.now(raw) if isinstance(knob, Choice) else raw
