"""Screens as frozen sets of controls, read from widgets, links and bundles."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from typing import Any, Self
from urllib.parse import parse_qsl

from pages.shell.state.fields import CellName, Cells, Choice, Configuration, Digest, Edits, Flag, Listed, Range, Text
from pages.shell.state.settings import settings
from pages.shell.state.unset import unset
from pages.shell.state.url import written


@dataclass(frozen=True)
class Bundle:
    """A whole screen of other controls in one text, as `Controls.bundled` writes it."""

    of: "type[Controls]"
    most: int

    def nearest(self, raw: str, default: str) -> str:
        screen = self.of.unbundled(raw[: self.most])
        return default if screen is None else screen.bundled()


Knob = Choice | Range | Flag | Text | Cells | Edits | Listed | CellName | Configuration | Digest | Bundle
# Characters that would end a value of a bundle or change its meaning.
_ESCAPED = str.maketrans({"%": "%25", "&": "%26", "+": "%2B", "\n": "%0A"})


def knob(default: Any, what: Knob, *, in_figures: bool = False) -> Any:
    """A field of `Controls`. in_figures: whether figures alone set it; such a control has no widget, and the browser
    writes it into the address."""
    return field(default=default, metadata={"knob": what, "in_figures": in_figures})


class Controls:
    """Base of frozen dataclasses whose fields are controls: keys of the session and parameters of the URL."""

    @classmethod
    @cache
    def knobs(cls) -> dict[str, Knob]:
        return {f.name: f.metadata["knob"] for f in fields(cls)}  # type: ignore[arg-type]

    @classmethod
    @cache
    def of_figures(cls) -> frozenset[str]:
        """The names of the controls that figures alone set."""
        return frozenset(f.name for f in fields(cls) if f.metadata["in_figures"])  # type: ignore[arg-type]

    def values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.knobs()}

    @classmethod
    def current(cls) -> Self:
        """The visitor's present settings."""
        return cls.of({**unset(settings().opened), **settings().texts})

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Self:
        """The screen of a link, each value the nearest that its widget can hold."""
        asked = tuple((name, parameters[name]) for name in cls.knobs() if name in parameters)
        screen: Self = _nearest(cls, asked)  # type: ignore[arg-type]
        return screen

    def bundled(self) -> str:
        """This screen as one text: `name=value` of each control without its default, or else of the first control, so
        that the text is not empty."""
        first, *_ = self.knobs()
        chosen = (
            (name, value)
            for name, value in self.values().items()
            if name == first or value != getattr(type(self), name)
        )
        return "&".join(f"{name}={written(value).translate(_ESCAPED)}" for name, value in chosen)

    @classmethod
    def unbundled(cls, text: str) -> Self | None:
        """The screen of a bundle, each value the nearest valid one; None if the text names no control."""
        parameters = dict(parse_qsl(text, keep_blank_values=True))
        return cls.of(parameters) if parameters.keys() & cls.knobs().keys() else None


# Cached: every part of a page asks for the same screen, several times in a run. A frozen screen can be shared.
@lru_cache(maxsize=64)
def _nearest(of: type[Controls], parameters: tuple[tuple[str, str], ...]) -> Any:
    knobs = of.knobs()
    return of(**{name: knobs[name].nearest(text, getattr(of, name)) for name, text in parameters})
