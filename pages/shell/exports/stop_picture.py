"""The picture of a stop: the figure that it shows, drawn for paper, or the part of the page that it names."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pages.shell.exports.embedded.figure import Figure, names
from pages.shell.exports.embedded.picture import composed, svg
from pages.shell.exports.embedded.picture.composed import NoPictureError
from pages.shell.i18n import say, speaking
from pages.shell.lectures.format import Stop
from pages.shell.state.url import written

# What a page calls the containers of its views beside their names.
_CONTAINERS = ("plot-", "answers-", "open-")


@dataclass(frozen=True)
class Picture:
    """An SVG, and its one sentence for those who do not see it."""

    svg: str
    sentence: str


@dataclass(frozen=True)
class _Part(Figure):
    """One figure of a view."""

    part: dict[str, Any] = field(default_factory=dict)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return [self.part]


def drawn(stop: Stop, language: str) -> Picture | None:
    """The picture; None where the server draws nothing of what the stop shows, as of a race before it is run.

    It takes seconds where the figure shows an experiment that nobody has run lately, and that is run for it."""
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
    """The view, or the card of it that a stop names; None where it has no such card, or cannot be drawn."""
    shown = _shown(figure, card) if card else figure
    if shown is None:
        return None
    try:
        text = svg.written(composed.drawn(shown), shown.title, shown.sentence, say("app.language"))
    except NoPictureError:
        return None
    return Picture(text, f"{shown.title}: {shown.sentence}")


def _views(stop: Stop) -> Iterator[str]:
    """The views that may hold what the stop shows: that of its part of the page, then all others of the page."""
    there = [name for name in names() if name.partition(".")[0] == stop.page]
    parts = [stop.at, *(stop.at.removeprefix(one) for one in _CONTAINERS if stop.at.startswith(one))]
    wanted = {f"{stop.page}.{one}" for part in parts for one in (part, part.replace("-", "_"))} if stop.at else set()
    named = [name for name in there if name in wanted or name == f"{stop.page}.{stop.figure}"]
    yield from named
    if stop.figure:
        yield from (name for name in there if name not in named)


def _shown(figure: Figure, id: str) -> Figure | None:
    """The card with an id, where the view has one."""
    for block in figure.blocks:
        for card in block.get("cards", ()):
            if card.get("id") == id:
                part = block | {"cards": [card]}
                return _Part(**vars(replace(figure)), part=part)
    return None
