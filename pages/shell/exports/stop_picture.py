"""The picture of a stop: its figure, drawn for paper, or the part of the page that it names."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pages.shell.exports.embedded.figure import Figure, names
from pages.shell.exports.embedded.picture import composed, svg
from pages.shell.exports.embedded.picture.composed import NoPictureError
from pages.shell.i18n import say, speaking
from pages.shell.lectures.format import Stop
from pages.shell.state.url import written

# Prefixes that pages put before the names of views in the keys of containers.
_CONTAINERS = ("plot-", "answers-", "open-")


@dataclass(frozen=True)
class Picture:
    """An SVG, and its one sentence for screen readers."""

    svg: str
    sentence: str


@dataclass(frozen=True)
class _Part(Figure):
    """A view limited to one of its cards."""

    part: dict[str, Any] = field(default_factory=dict)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return [self.part]


def drawn(stop: Stop, language: str) -> Picture | None:
    """The picture; None if the server can draw nothing of the stop, such as a race that has not run.

    It takes seconds if the figure shows an experiment without a recent result, which is then run."""
    settings = {name: written(value) for name, value in stop.screen.items()} | (
        {"cell": stop.cell} if stop.cell else {}
    )
    came = tuple(sorted((settings | {"theme": "light"}).items()))
    with speaking(language):
        for computing in (False, True):
            for name in _views(stop):
                figure = Figure(name, came, language)
                if computing:
                    figure.compute()
                if picture := _picture(figure, stop.figure):
                    return picture
    return None


def _picture(figure: Figure, card: str) -> Picture | None:
    """The picture of a view, or of the card that a stop names; None if the view lacks the card or cannot be drawn."""
    shown = _shown(figure, card) if card else figure
    if shown is None:
        return None
    try:
        text = svg.written(composed.drawn(shown), shown.title, shown.sentence, say("app.language"))
    except NoPictureError:
        return None
    return Picture(text, f"{shown.title}: {shown.sentence}")


def _views(stop: Stop) -> Iterator[str]:
    """The views that may hold a stop's figure: those of its part of the page, then all others of the page."""
    there = [name for name in names() if name.partition(".")[0] == stop.page]
    parts = [stop.at, *(stop.at.removeprefix(one) for one in _CONTAINERS if stop.at.startswith(one))]
    wanted = {f"{stop.page}.{one}" for part in parts for one in (part, part.replace("-", "_"))} if stop.at else set()
    named = [name for name in there if name in wanted or name == f"{stop.page}.{stop.figure}"]
    yield from named
    if stop.figure:
        yield from (name for name in there if name not in named)


def _shown(figure: Figure, id: str) -> Figure | None:
    """The view limited to the card with an id; None if it has no such card."""
    for block in figure.blocks:
        for card in block.get("cards", ()):
            if card.get("id") == id:
                part = block | {"cards": [card]}
                return _Part(**vars(replace(figure)), part=part)
    return None
