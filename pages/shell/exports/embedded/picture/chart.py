"""A chart: lines, dots or bars over one axis, with bands and error bars, and a legend of the unlabelled series."""

import base64
import math
from itertools import pairwise
from typing import Any

import numpy as np

from pages.shell.exports.embedded.picture.drawing import Drawing, Line, Point, Rect, Text, long
from pages.shell.exports.embedded.picture.style import Style
from pages.shell.i18n.numbers import digits

_TYPE, _HIGH = 12, 260
_WIDTHS = {"theory": 1.5, "thin": 1.0, "faint": 0.4}
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 12, 42
_DASHES: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 3), (8, 3, 2, 3), (14, 4))
_THEORY = (4.0, 3.0)
_TICKS = 5


def numbers(series: dict[str, Any]) -> dict[str, np.ndarray]:
    """The columns of a series, as far as it has them: x, y, low, high."""
    return {
        name: np.frombuffer(base64.b64decode(series[name]), dtype="<f4").astype(float)
        for name in ("x", "y", "low", "high")
        if name in series
    }


class _Axis:
    """Map numbers to pixels between the two ends of an axis."""

    def __init__(self, said: dict[str, Any], seen: list[float], start: float, end: float, zero: bool) -> None:
        self.said, self.log = said, said["log"]
        values = [one for one in seen if math.isfinite(one) and (one > 0 or not self.log)]
        low, high = map(float, said.get("range") or (min(values, default=0.0), max(values, default=1.0)))
        if said.get("range") is None:
            # Bars start at zero.
            low = min(low, 0.0) if zero and not self.log else float(low)
            room = 0.0 if self.log else 0.04 * (high - low)
            low, high = (low if zero and low == 0 else low - room), high + room
        if low == high:
            low, high = (low / 2.0, high * 2.0) if self.log else (low - 0.5, high + 0.5)
        self.low, self.high, self.start, self.end = self._of(low), self._of(high), start, end

    def _of(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def at(self, value: float) -> float:
        if self.log and value <= 0:
            return math.nan
        share = (self._of(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        given = self.said.get("ticks")
        if given is not None:
            names = self.said.get("names") or [digits(one, 3) for one in given]
            return [(value, name) for value, name in zip(given, names, strict=True) if self.sees(value)]
        if self.log:
            powers = range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)
            each = max(1, len(powers) // 6)
            return [(10.0**power, digits(10.0**power, 1).removeprefix("1 · ")) for power in powers[::each]]
        step = _round_step((self.high - self.low) / _TICKS)
        first = math.ceil(self.low / step - 1e-9)
        count = math.floor(self.high / step + 1e-9) - first + 1
        values = [round((first + at) * step, 10) for at in range(count)]
        return [(value, digits(value, 4)) for value in values]

    def sees(self, value: float) -> bool:
        return (value > 0 or not self.log) and self.low - 1e-9 <= self._of(value) <= self.high + 1e-9


def _round_step(step: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(one * power for one in (1, 2, 5, 10) if one * power >= step * 0.999)


def drawn(chart: dict[str, Any], style: Style, width: float) -> Drawing:
    columns = [numbers(series) for series in chart["series"]]
    seen = {
        "x": [float(one) for each in columns for one in each["x"]],
        "y": [float(one) for each in columns for name in ("y", "low", "high") if name in each for one in each[name]],
    }
    has_bars = any(series["style"] == "bars" for series in chart["series"])
    x = _Axis(chart["x"], seen["x"], _LEFT, width - _RIGHT, zero=False)
    y = _Axis(chart["y"], seen["y"], _TOP + _HIGH, _TOP, zero=has_bars)
    picture = Drawing(width, _TOP + _HIGH + _BOTTOM)
    _grid(picture, x, y, style)
    for series, each in zip(chart["series"], columns, strict=True):
        _series(picture, series, each, (x, y), style)
    for mark in chart["marks"]:
        if x.sees(mark["x"]):
            at = x.at(mark["x"])
            picture.add(Line([(at, _TOP), (at, _TOP + _HIGH)], style.quiet, 1.5, (2, 3)))
            picture.add(Text(at + 4, _TOP + 10, mark["text"], _TYPE, style.quiet))
    _legend(picture, chart["series"], style)
    return picture


def _grid(picture: Drawing, x: _Axis, y: _Axis, style: Style) -> None:
    for value, name in x.ticks():
        at = x.at(value)
        picture.add(Line([(at, _TOP), (at, _TOP + _HIGH)], style.grid, 0.5))
        picture.add(Text(at, _TOP + _HIGH + 16, name, _TYPE, style.text, "middle"))
    for value, name in y.ticks():
        at = y.at(value)
        picture.add(Line([(_LEFT, at), (picture.width - _RIGHT, at)], style.grid, 0.5))
        picture.add(Text(_LEFT - 6, at + 4, name, _TYPE, style.text, "end"))
    middle = (_LEFT + picture.width - _RIGHT) / 2
    picture.add(Text(middle, _TOP + _HIGH + 34, x.said["title"], _TYPE, style.text, "middle"))
    picture.add(Text(14, _TOP + _HIGH / 2, y.said["title"], _TYPE, style.text, "middle", turn=-90))


def _series(
    picture: Drawing, series: dict[str, Any], each: dict[str, np.ndarray], axes: tuple[_Axis, _Axis], style: Style
) -> None:
    x, y = axes
    colour = style.series(series["colour"])
    kind = series["style"]
    places = list(zip(each["x"], each["y"], strict=True))
    if "low" in each and kind in ("line", "theory"):
        ends = [list(zip(each["x"], each[name], strict=True)) for name in ("low", "high")]
        around = [*_seen(ends[0], x, y), *reversed(_seen(ends[1], x, y))]
        if len(around) > 2:
            picture.add(Line(around, "", 0, fill=colour, opacity=0.15))
    if kind == "bars":
        _bars(picture, places, axes, colour)
    elif kind == "dots":
        for at, (left, top) in enumerate(places):
            if not (x.sees(left) and math.isfinite(top) and y.sees(top)):
                continue
            middle, high = x.at(left), y.at(top)
            if "low" in each:
                low, most = (min(max(each[name][at], -1e300), 1e300) for name in ("low", "high"))
                if y.sees(low) and y.sees(most):
                    picture.add(Line([(middle, y.at(low)), (middle, y.at(most))], colour, 1.5))
            picture.add(Rect(middle - 3, high - 3, 6, 6, colour))
    else:
        dash = _THEORY if kind == "theory" else _DASHES[series["dash"] % len(_DASHES)]
        for part in _pieces(places, x, y):
            picture.add(Line(part, colour, _WIDTHS.get(kind, 2.5), dash))
    if said := series.get("said"):
        end = min(max(x.at(said["x"]), _LEFT), picture.width - _RIGHT)
        anchor = "end" if end - long(said["text"], _TYPE) > _LEFT else "start"
        picture.add(Text(end, y.at(said["y"]) - 4, said["text"], _TYPE, colour, anchor, bold=True))


def _seen(places: list[tuple[float, float]], x: _Axis, y: _Axis) -> list[Point]:
    """The points in pixels; those above or below the picture are moved to its edge."""
    found = []
    for left, top in places:
        if x.sees(left) and math.isfinite(top) and not math.isnan(y.at(top)):
            found.append((x.at(left), min(max(y.at(top), float(_TOP)), float(_TOP + _HIGH))))
    return found


def _pieces(places: list[tuple[float, float]], x: _Axis, y: _Axis) -> list[list[Point]]:
    """A line in the pieces between its gaps."""
    pieces: list[list[Point]] = [[]]
    for place in places:
        found = _seen([place], x, y)
        if found:
            pieces[-1] += found
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def _bars(picture: Drawing, places: list[tuple[float, float]], axes: tuple[_Axis, _Axis], colour: str) -> None:
    x, y = axes
    lefts = sorted(x.at(left) for left, _ in places if x.sees(left))
    wide = min(0.85 * min((b - a for a, b in pairwise(lefts) if b > a), default=40.0), 60.0)
    ground = y.at(0.0) if y.sees(0.0) else float(_TOP + _HIGH)
    for middle, top in _seen(places, x, y):
        picture.add(Rect(middle - wide / 2, min(top, ground), wide, abs(ground - top), colour))


def _legend(picture: Drawing, series: list[dict[str, Any]], style: Style) -> None:
    listed = [one for one in series if "said" not in one and not one.get("unlisted")]
    if len(listed) < 2 and not any("said" in one for one in series):
        return
    left, top = float(_LEFT), picture.height + 8
    for one in listed:
        wide = long(one["name"], _TYPE) + 44
        if left > _LEFT and left + wide > picture.width:
            left, top = float(_LEFT), top + 20
        colour = style.series(one["colour"])
        if one["style"] in ("bars", "dots"):
            picture.add(Rect(left + 8, top - 8, 8, 8, colour))
        else:
            dash = _THEORY if one["style"] == "theory" else _DASHES[one["dash"] % len(_DASHES)]
            picture.add(Line([(left, top - 4), (left + 24, top - 4)], colour, 2.5, dash))
        picture.add(Text(left + 30, top, one["name"], _TYPE, style.text))
        left += wide
    if listed:
        picture.height = top + 12
