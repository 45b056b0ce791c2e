"""A chart as data: curves, dots or bars over one x axis. All its texts are the app's own."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.shell.component.payload import sent

# In place of a place in the palette: the colour of the text, for what is no head and no layer of a figure beside it.
INK = -1


@dataclass(frozen=True)
class Series:
    """y over x under a name; NaN in y is a gap. style: line, theory (a thin broken line), thin, faint (a thin pale
    line, in a light chart), dots or bars.

    low, high: the ends of a band, or of error bars for dots; colour: a place in the palette of the theme, so that the
    same thing has the same colour in all charts of a page, or `INK`, and, for a line, dash: how it is broken. said:
    words on a line in place of the legend, and the point that they end at; of a light chart, is_beside: whether they
    stand at the right of it, beyond the axis; is_after: whether they begin at it; is_listed: whether the legend names
    it where nothing is said: not, where a line of its colour says what it is.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    style: str = "line"
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    colour: int = 0
    dash: int = 0
    said: tuple[float, float, str] | None = None
    is_beside: bool = False
    is_after: bool = False
    is_listed: bool = True


@dataclass(frozen=True)
class Axis:
    """title says the unit. range: its ends, None to see all; ticks: where the numbers stand, None for round ones;
    names: what stands at the ticks in place of their numbers."""

    title: str
    log: bool = False
    range: tuple[float, float] | None = None
    ticks: Sequence[float] | None = None
    names: Sequence[str] | None = None


@dataclass(frozen=True)
class Ghost:
    """An answer that can be guessed in the picture: its place and words, what became of it ("right", "wrong", "" before
    anything was guessed), and what a click on it sets."""

    x: float
    y: float
    text: str
    verdict: str
    sets: Mapping[str, str]


@dataclass(frozen=True)
class Chart:
    """A figure: note is its summary, made from what it shows; text its explanation; marks: lines at x with a word;
    square: whether one unit is as long upwards as sideways; ghosts: answers to the question above it, not in a
    light chart; light: drawn without Plotly, at once, for what moves under the finger, and low: as low as on a phone,
    too."""

    id: str
    title: str
    series: Sequence[Series]
    x: Axis
    y: Axis
    note: str
    text: str = ""
    marks: Sequence[tuple[float, str]] = ()
    square: bool = False
    ghosts: Sequence[Ghost] = ()
    light: bool = False
    low: bool = False

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {
            "series": [_series(one) for one in self.series],
            "x": _axis(self.x),
            "y": _axis(self.y),
            "marks": [{"x": x, "text": text} for x, text in self.marks],
        } | ({"square": True} if self.square else {})
        if self.light:
            drawn |= {"light": True} | ({"low": True} if self.low else {})
        if self.ghosts:
            drawn["ghosts"] = [_ghost(one) for one in self.ghosts]
        return sent(self.id, self.title, self.text, self.note, "chart", drawn)


def _ghost(one: Ghost) -> dict[str, Any]:
    return {"x": one.x, "y": one.y, "text": one.text, "verdict": one.verdict, "sets": dict(one.sets)}


def _series(one: Series) -> dict[str, Any]:
    columns = {"x": one.x, "y": one.y, "low": one.low, "high": one.high}
    numbers = {name: _bytes(column) for name, column in columns.items() if column is not None}
    told: dict[str, Any] = {"name": one.name, "style": one.style, "colour": one.colour, "dash": one.dash}
    if one.said is not None:
        x, y, text = one.said
        place = {"beside": True} if one.is_beside else {"after": True} if one.is_after else {}
        told["said"] = {"x": x, "y": y, "text": text} | place
    if not one.is_listed:
        told["unlisted"] = True
    return told | numbers


def _bytes(numbers: ArrayLike) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def _axis(axis: Axis) -> dict[str, Any]:
    said: dict[str, Any] = {"title": axis.title, "log": axis.log}
    if axis.range is not None:
        said["range"] = axis.range
    if axis.ticks is not None:
        said["ticks"] = list(axis.ticks)
    if axis.names is not None:
        said["names"] = list(axis.names)
    return said
