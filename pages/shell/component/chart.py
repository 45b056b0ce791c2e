"""A chart as data: curves, dots or bars over one x axis. All its texts belong to the app."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.shell.component.payload import sent

# The colour of the text, for a series that is neither a head nor a layer of a figure beside the chart.
INK = -1


@dataclass(frozen=True)
class Series:
    """y over x under a name; NaN in y is a gap. style: line, theory (a thin broken line), thin, faint (a thin pale
    line, in a light chart), dots or bars.

    low, high: the ends of a band, or of error bars for dots; colour: a place in the palette of the theme, so that the
    same thing has the same colour in all charts of a page, or `INK`; dash: the pattern of a broken line. said: a label
    on the line in place of the legend, and the point where it ends. In a light chart, is_beside puts the label at the
    right of that point, beyond the axis, and is_after begins it there; is_listed: whether the legend names an
    unlabelled series, which is not needed if another line of its colour is labelled.
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
    """title: includes the unit. range: the ends, None to show all; ticks: the places of numbers, None for round ones;
    names: the texts at the ticks in place of their numbers."""

    title: str
    log: bool = False
    range: tuple[float, float] | None = None
    ticks: Sequence[float] | None = None
    names: Sequence[str] | None = None


@dataclass(frozen=True)
class Ghost:
    """An answer that can be guessed in the picture: its place and words, the verdict ("right", "wrong", "" before a
    guess), and the settings of a click."""

    x: float
    y: float
    text: str
    verdict: str
    sets: Mapping[str, str]


@dataclass(frozen=True)
class Chart:
    """A chart. note: its summary, made from the data; text: its explanation; marks: labelled lines at x; square:
    whether both axes have the same unit; ghosts: answers to the question above it, not in a light chart; light: drawn
    at once, without Plotly, for data that follow the finger; low: as low as on a phone everywhere."""

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
