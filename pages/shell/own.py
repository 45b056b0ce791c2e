"""The controls that one page has for itself, and which pages have nothing but their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pages.shell.controls import Config
from pages.shell.knobs import Controls, Knob, Range, knob, written


@dataclass(frozen=True)
class OneQuery(Controls):
    """A query vector in the plane: its angle in degrees and its length."""

    q_angle: int = knob(130, Range(0, 359))
    q_length: float = knob(1.5, Range(0.0, 4.0, 0.1))


# Page to its own controls.
OWN: dict[str, type[Controls]] = {"one_query": OneQuery}
# Pages without a run of the shared Config: their sidebar is empty, and what they can set stands beside their figures.
ALONE: frozenset[str] = frozenset({"one_query"})
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
