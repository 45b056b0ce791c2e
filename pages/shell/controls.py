"""Every shared control as one frozen Config, whose fields are the parameters of the URL."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import streamlit as st

from attention.device import devices
from attention.masks import CORNERS, MASKS
from attention.presets import PRESETS, STORY

AUTO = "auto"
TOKENS, SENTENCES, HEADS, SIZE = 64, 8, 16, 512
SIZES = (*range(1, 65), *range(72, 129, 8), *range(160, 257, 32), *range(320, SIZE + 1, 64))
SCALES = ("sqrt_d_k", "none", "d_k", "sqrt_d_model")


@dataclass(frozen=True)
class Choice:
    """One of some ids; a number that is not among them becomes the nearest one that is."""

    options: tuple[str, ...]

    def nearest(self, raw: str, default: str) -> str:
        if raw in self.options:
            return raw
        numbers = [option for option in self.options if option.isdecimal()]
        wanted = _number(raw)
        if not numbers or wanted is None:
            return default
        return min(numbers, key=lambda option: abs(float(option) - wanted))


@dataclass(frozen=True)
class Range:
    """A number from low to high in equal steps."""

    low: float
    high: float
    step: float = 1

    def nearest(self, raw: str, default: float) -> float:
        wanted = _number(raw)
        if wanted is None:
            return default
        clamped = min(max(wanted, self.low), self.high)
        stepped = self.low + round((clamped - self.low) / self.step) * self.step
        return round(stepped, 6) if isinstance(default, float) else int(stepped)


@dataclass(frozen=True)
class Flag:
    def nearest(self, raw: str, default: bool) -> bool:
        return {"true": True, "false": False}.get(raw.lower(), default)


@dataclass(frozen=True)
class Text:
    most: int

    def nearest(self, raw: str, default: str) -> str:
        return "".join(c for c in raw.replace("\r", "") if c == "\n" or c.isprintable())[: self.most]


Knob = Choice | Range | Flag | Text


def _number(raw: str) -> float | None:
    try:
        number = float(raw)
    except ValueError:
        return None
    if math.isnan(number):
        return None
    return min(max(number, -1e9), 1e9)


def _knob(default: Any, knob: Knob) -> Any:
    return field(default=default, metadata={"knob": knob})


_SIZES = Choice(tuple(map(str, SIZES)))
_HEAD_SIZES = Choice((AUTO, *map(str, SIZES)))


@dataclass(frozen=True)
class Config:
    """The screen: what a link carries and what the widgets of the sidebar show."""

    preset: str = _knob("story", Choice((*PRESETS, "random")))
    text: str = _knob(STORY, Text(4000))
    positions: str = _knob("preset", Choice(("preset", "none", "sinusoidal")))
    seed: int = _knob(0, Range(0, 9999))
    d_model: str = _knob("16", _SIZES)
    heads: int = _knob(4, Range(1, HEADS))
    d_k: str = _knob(AUTO, _HEAD_SIZES)
    d_v: str = _knob(AUTO, _HEAD_SIZES)
    bias: bool = _knob(False, Flag())
    mask: str = _knob("causal", Choice(tuple(MASKS)))
    width: int = _knob(2, Range(1, TOKENS))
    length: int = _knob(2, Range(0, TOKENS))
    last: int = _knob(0, Range(0, TOKENS))
    corner: str = _knob("upper_left", Choice(CORNERS))
    padding: bool = _knob(True, Flag())
    scale: str = _knob("sqrt_d_k", Choice(SCALES))
    dropout: float = _knob(0.0, Range(0.0, 0.9, 0.05))
    mode: str = _knob("training", Choice(("training", "inference")))
    sentence: int = _knob(1, Range(1, SENTENCES))
    head: int = _knob(1, Range(1, HEADS))
    device: str = _knob(devices()[0], Choice(devices()))

    @classmethod
    def current(cls) -> "Config":
        """What the widgets hold; the default where one was not drawn."""
        return cls(**{name: st.session_state[name] for name in KNOBS if st.session_state.get(name) is not None})

    def random(self) -> "Config":
        """The same screen with random weights, for a page on which no preset has a point to make."""
        return replace(self, preset="random")

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> "Config":
        """What a link asks for, each value the nearest that its widget can hold."""
        given = [name for name in KNOBS if name in parameters]
        values: dict[str, Any] = {
            name: KNOBS[name].nearest(parameters[name], getattr(DEFAULTS, name)) for name in given
        }
        return cls(**values)


KNOBS: dict[str, Knob] = {f.name: f.metadata["knob"] for f in fields(Config)}
DEFAULTS = Config()
# What a page does not look at: its widgets stay where they are, disabled, and so does the link.
UNUSED: dict[str, frozenset[str]] = {"heads": frozenset({"preset", "last", "corner"})}


def settled(parameters: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The parameters of a link that no widget could hold: name to (what came, the nearest that can be)."""
    return changed(parameters, Config.of(parameters))


def changed(parameters: Mapping[str, str], config: Config) -> dict[str, tuple[str, str]]:
    """Where a link differs from a configuration: name to (what came, what the configuration has)."""
    given = {name: written(getattr(config, name)) for name in KNOBS if name in parameters}
    return {name: (parameters[name], value) for name, value in given.items() if value != parameters[name]}


def means(raw: str, value: str) -> bool:
    """Whether what came is another spelling of the same number."""
    number = _number(raw)
    return number is not None and number == _number(value)


def written(value: Any) -> str:
    """A value as a bound widget writes it into the URL."""
    return str(value).lower() if isinstance(value, bool) else str(value)
