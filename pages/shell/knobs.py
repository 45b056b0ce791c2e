"""What a control can hold, how a value from outside is brought to it, and screens as frozen sets of controls."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import islice
from typing import Any, Self
from urllib.parse import parse_qsl

import streamlit as st

from pages.shell import edited, painted


@dataclass(frozen=True)
class Choice:
    """One of some ids; a number that is not among them becomes the nearest one that is."""

    options: tuple[str, ...]

    @property
    def ordered(self) -> bool:
        """Whether the options are steps of a size, to be slid along, rather than things to pick from."""
        return sum(option.isdecimal() for option in self.options) > 1

    def nearest(self, raw: str, default: str) -> str:
        if raw in self.options:
            return raw
        numbers = [option for option in self.options if option.isdecimal()]
        wanted = number(raw)
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
        wanted = number(raw)
        if wanted is None:
            return default
        clamped = min(max(wanted, self.low), self.high)
        stepped = self.low + round((clamped - self.low) / self.step) * self.step
        # A negative zero is written "-0.0", which no widget writes.
        return round(stepped, 6) + 0.0 if isinstance(default, float) else int(stepped)


@dataclass(frozen=True)
class Flag:
    def nearest(self, raw: str, default: bool) -> bool:
        return {"true": True, "false": False}.get(raw.lower(), default)


@dataclass(frozen=True)
class Text:
    most: int

    def nearest(self, raw: str, default: str) -> str:
        """Without what cannot be drawn, and without the mark that stands where a link was damaged."""
        kept = (c for c in raw.replace("\r", "") if c == "\n" or (c.isprintable() and c != "\ufffd"))
        return "".join(islice(kept, self.most))


@dataclass(frozen=True)
class Cells:
    """Positions in a square, two characters each: at most `most` characters, each cell once, in order."""

    most: int = 2 * painted.SIZE**2

    def nearest(self, raw: str, default: str) -> str:
        return painted.text(painted.cells(raw[: self.most]))


@dataclass(frozen=True)
class Edits:
    """Numbers typed over by hand; a text that is not wholly one of them is none."""

    most: int = edited.LONGEST

    def nearest(self, raw: str, default: str) -> str:
        return raw if edited.edits(raw) else default


@dataclass(frozen=True)
class Bundle:
    """A whole screen of other controls in one text, as `Controls.bundled` writes it."""

    of: "type[Controls]"
    most: int

    def nearest(self, raw: str, default: str) -> str:
        screen = self.of.unbundled(raw[: self.most])
        return default if screen is None else screen.bundled()


Knob = Choice | Range | Flag | Text | Cells | Edits | Bundle
# Reading half a megabyte as a number takes a tenth of a second, for each of the controls.
_LONGEST_NUMBER = 1000
# What would end a value of a bundle, or be read as something else in it.
_ESCAPED = str.maketrans({"%": "%25", "&": "%26", "+": "%2B", "\n": "%0A"})


def number(raw: str) -> float | None:
    """What came from outside as a finite number; None where it is none."""
    if len(raw) > _LONGEST_NUMBER:
        return None
    try:
        read = float(raw)
    except ValueError:
        return None
    if math.isnan(read):
        return None
    return min(max(read, -1e9), 1e9)


def knob(default: Any, what: Knob) -> Any:
    """A field of `Controls`."""
    return field(default=default, metadata={"knob": what})


class Controls:
    """Base of frozen dataclasses whose fields are controls: keys of the session and parameters of the URL."""

    @classmethod
    @cache
    def knobs(cls) -> dict[str, Knob]:
        return {f.name: f.metadata["knob"] for f in fields(cls)}  # type: ignore[arg-type]

    def values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.knobs()}

    @classmethod
    def current(cls) -> Self:
        """What the widgets hold, within the limits that only the browser keeps; the default where one was not drawn."""
        return cls.of(cls._held())

    @classmethod
    def held(cls, name: str) -> Any:
        """As `current`, of one control."""
        value, default = st.session_state.get(name), getattr(cls, name)
        return default if value is None else cls.knobs()[name].nearest(written(value), default)

    @classmethod
    def opened(cls) -> Self:
        """What the widgets hold or, where they have not been drawn yet, what the link asks for."""
        asked = {name: st.query_params[name] for name in cls.knobs() if name in st.query_params}
        return cls.of(asked | cls._held())

    @classmethod
    def _held(cls) -> dict[str, str]:
        # A look into the session is not free, and a page has many controls: one look at each.
        looked = ((name, st.session_state.get(name)) for name in cls.knobs())
        return {name: written(value) for name, value in looked if value is not None}

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Self:
        """What a link asks for, each value the nearest that its widget can hold."""
        given = [(name, held) for name, held in cls.knobs().items() if name in parameters]
        return cls(**{name: held.nearest(parameters[name], getattr(cls, name)) for name, held in given})

    def bundled(self) -> str:
        """This screen as one text: `name=value` of all that is no default and, lest it be empty, of the first."""
        first, *_ = self.knobs()
        chosen = (
            (name, value)
            for name, value in self.values().items()
            if name == first or value != getattr(type(self), name)
        )
        return "&".join(f"{name}={written(value).translate(_ESCAPED)}" for name, value in chosen)

    @classmethod
    def unbundled(cls, text: str) -> Self | None:
        """The screen that a text stands for, each value the nearest that can be; None where it names no control."""
        parameters = dict(parse_qsl(text, keep_blank_values=True))
        return cls.of(parameters) if parameters.keys() & cls.knobs().keys() else None


def written(value: Any) -> str:
    """A value as a bound widget writes it into the URL."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def means(raw: str, value: str) -> bool:
    """Whether what came is another spelling of the same number."""
    read = number(raw)
    return read is not None and read == number(value)
