"""The controls that one page has for itself, and which pages have nothing but their own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages.shell.controls import AUTO, Config
from pages.shell.knobs import Choice, Controls, Flag, Knob, Range, knob, written


@dataclass(frozen=True)
class Masks(Controls):
    """What is shown of all masks side by side."""

    every_mask: str = knob("weights", Choice(("weights", "masked", "mask")))


@dataclass(frozen=True)
class Order(Controls):
    """How the words are shuffled, and what could tell their places."""

    shuffle: int = knob(1, Range(1, 99))
    order_mask: str = knob("full", Choice(("full", "causal")))
    order_positions: bool = knob(False, Flag())


@dataclass(frozen=True)
class WhatIf(Controls):
    """What is added to every feature of which part, and which basis queries and keys are written in."""

    shifted: str = knob("keys", Choice(("keys", "queries")))
    shift: float = knob(5.0, Range(-20.0, 20.0, 0.5))
    basis: int = knob(1, Range(1, 99))


@dataclass(frozen=True)
class Heads(Controls):
    """Whether the size of a head stays when their number changes."""

    fixed_d_k: bool = knob(False, Flag())

    def sized(self, config: Config) -> Config:
        """At fixed d_k, and where the screen does not set it, a head has the size of one of four."""
        if not self.fixed_d_k or config.d_k != AUTO:
            return config
        return replace(config, d_k=str(max(1, int(config.d_model) // 4)))


# Page to its own controls.
OWN: dict[str, type[Controls]] = {"masks": Masks, "heads": Heads, "order": Order, "experiments": WhatIf}
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
