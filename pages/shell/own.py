"""The controls that one page has for itself, and which pages have nothing but their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attention.masks import MASKS
from pages.shell.controls import Config
from pages.shell.knobs import Choice, Controls, Knob, Range, Text, knob, written


@dataclass(frozen=True)
class Dropout(Controls):
    """Which keep-mask of the seed is shown, and how many of them are drawn for the statistics."""

    draw: int = knob(0, Range(0, 9999))
    draws: str = knob("1000", Choice(("10", "30", "100", "300", "1000", "3000", "10000")))


CROSS = "cross_attention"


@dataclass(frozen=True)
class CrossAttention(Controls):
    """What is looked at, by the shared text, and through which mask."""

    context: str = knob("une créature bleue et duveteuse errait dans la forêt verdoyante", Text(4000))
    cross_mask: str = knob("full", Choice(tuple(MASKS)))


# Page to its own controls.
OWN: dict[str, type[Controls]] = {"dropout": Dropout, CROSS: CrossAttention}
# Pages without a run of the shared Config: their sidebar is empty, and what they can set stands beside their figures.
ALONE: frozenset[str] = frozenset()
SCREENS: tuple[type[Controls], ...] = (Config, *OWN.values())
EVERY: dict[str, Knob] = {name: held for screen in SCREENS for name, held in screen.knobs().items()}


def default(name: str) -> Any:
    """What a control holds before it is touched."""
    return next(getattr(screen, name) for screen in SCREENS if name in screen.knobs())


def settled(parameters: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The parameters of a link that no widget could hold: name to (what came, the nearest that can be)."""
    return changed(parameters, *(screen.of(parameters) for screen in SCREENS))


def changed(parameters: Mapping[str, str], *screens: Controls) -> dict[str, tuple[str, str]]:
    """Where a link differs from screens: name to (what came, what the screen has)."""
    given = {
        name: written(getattr(screen, name)) for screen in screens for name in screen.knobs() if name in parameters
    }
    return {name: (parameters[name], value) for name, value in given.items() if value != parameters[name]}
