"""A view under its own address: the settings in the address, the blocks that are shown, and one sentence about them."""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from html import unescape
from typing import Any
from urllib.parse import urlencode

from pages.shell import views
from pages.shell.i18n import say, settled
from pages.shell.i18n.vocabulary import words
from pages.shell.runs.possible import nearest, other_than
from pages.shell.runs.results import computed_unseen
from pages.shell.screen import Screen
from pages.shell.state import beside_figures, rewritten
from pages.shell.state.reader import Reader
from pages.shell.state.registry import BY_PAGE, HOME
from pages.shell.views.prose import inline

THEMES = ("auto", "light", "dark", "transparent", "transparent-dark")
# Parameters of a figure's address beside the settings of its screen.
OWN = ("controls", "theme")
# Former name of a view: its present name. A link in somebody's slides outlives a name.
RENAMED: dict[str, str] = {
    "cross_attention.guess_place": "cross_attention.guess_dropped",
    "positions.now": "positions.kinds",
    "compare.example": "compare.changing",
    "masks.five": "masks.every_mask",
    "models.without": "models.offered",
    "scaling.weighed": "scaling.variance",
    "scaling.guess_factor": "scaling.variance",
}
# This setting does not apply, because a figure alone shows its answer.
_ASKED = "guess_first"
_TAG = re.compile(r"<[^>]*>")
# The most experiments whose results one view may use.
_MOST_EXPERIMENTS = 4
# Characters of a name that are compared with those of the views.
_LONGEST = 80


class NoFigureError(LookupError):
    """No view has this name. nearest: the names that resemble it, at most three."""

    def __init__(self, name: str) -> None:
        self.nearest = tuple(get_close_matches(name[:_LONGEST], names(), n=3, cutoff=0.4))
        super().__init__(name)


def names() -> list[str]:
    """The names of views that a page of the app shows; these views have an address."""
    return [name for name in views.VIEWS if name.partition(".")[0] in BY_PAGE]


def page_of(name: str) -> str:
    """The page of a view. NoFigureError: no view has this name."""
    page = name.partition(".")[0]
    if page not in BY_PAGE or name not in views.VIEWS:
        raise NoFigureError(name)
    return page


@dataclass(frozen=True)
class Figure:
    """A figure. name: the name of its view; came: its address, name to text, as it came; language: that of the screen.

    NoFigureError: no view has the name."""

    name: str
    came: tuple[tuple[str, str], ...]
    language: str

    @classmethod
    def of(cls, name: str, came: dict[str, str], browser: str) -> "Figure":
        """The figure of an address. browser: the browser's language, for an address that names none."""
        name = RENAMED.get(name, name)
        page_of(name)
        return cls(name, tuple(sorted(came.items())), settled(came.get("lang", ""), browser))

    @property
    def asked(self) -> tuple[Hashable, ...]:
        """All that the figure depends on, without computed results."""
        return self.name, self.came, self.language

    @cached_property
    def given(self) -> dict[str, str]:
        return dict(self.came)

    @cached_property
    def settings(self) -> dict[str, str]:
        """The settings of the screen, without those of the reader and of the frame around the figure."""
        return {name: text for name, text in self.given.items() if name not in (*OWN, _ASKED, *Reader.knobs())}

    @cached_property
    def screen(self) -> Screen:
        return Screen(page_of(self.name), self.settings, self.language)

    @cached_property
    def theme(self) -> str:
        return self.given["theme"] if self.given.get("theme") in THEMES else THEMES[0]

    @cached_property
    def _wanted(self) -> list[str]:
        return [name for name in dict.fromkeys(self.given.get("controls", "").split(",")) if name]

    @cached_property
    def controls(self) -> list[str]:
        """The requested controls beside the figure, as far as its page has them."""
        there = beside_figures.possible(self.screen.page)
        return [name for name in self._wanted if name in there]

    @cached_property
    def view(self) -> dict[str, Any]:
        """The blocks and the stamp of the view, as in an answer of the server."""
        shown = views.answered(self.screen.page, [self.name], self.settings, self.language)
        return dict(shown["views"][self.name])

    def compute(self) -> None:
        """Run the experiments that the view waits for, which may take seconds. Tasks of a page cannot run here."""
        for _ in range(_MOST_EXPERIMENTS):
            try:
                views.VIEWS[self.name].blocks(self.screen)
            except views.NotYetError as waits:
                if waits.experiment is None:
                    return
                computed_unseen(waits.experiment)
            else:
                return

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return list(self.view.get("blocks", ()))

    @cached_property
    def note(self) -> str:
        """A note in Markdown on the changed settings of the address; empty if none was changed."""
        texts = other_than(self.given, nearest(self.screen.page, self.settings, self.settings))
        if self.given.get("theme", self.theme) != self.theme:
            texts["theme"] = (self.given["theme"], self.theme)
        strange = [name for name in self._wanted if name not in self.controls]
        return rewritten.told(texts, (*rewritten.misspelt(self.settings), *strange[:20]))

    @cached_property
    def cards(self) -> list[dict[str, Any]]:
        """The figures of the view, each with the words of its step."""
        return [self.worded(card) for block in self.blocks for card in block.get("cards", ())]

    def worded(self, card: dict[str, Any]) -> dict[str, Any]:
        """A figure with the words of its step, which answers of the server leave out."""
        at = card.get("of", -1)
        return (words(self.language)["table"][at] if at >= 0 else {}) | card

    @cached_property
    def title(self) -> str:
        parts = [part for part in (self.cards[0].get("title"), self.cards[0].get("part")) if part] if self.cards else []
        heading = next((plain(block["html"]) for block in self.blocks if block["kind"] == "heading"), "")
        return " · ".join(parts) or heading or say(f"page.{self.screen.page}.title", self.language)

    @cached_property
    def sentence(self) -> str:
        """The sentence of the figure: its own summary, else the view's first text, else the sentence about its page."""
        notes = (card.get("note", "") for card in self.cards)
        texts = (plain(block["html"]) for block in self.blocks if block["kind"] in ("text", "note") and "html" in block)
        about = plain(inline(say(f"page.{self.screen.page}.lead", self.language)))
        return next((one for one in (*notes, *texts) if one), about)

    @cached_property
    def full(self) -> str:
        """The address of the whole screen in the app, relative to the root of the app."""
        query = urlencode([(name, text) for name, text in self.came if name not in OWN])
        return f"{'' if self.screen.page == HOME else self.screen.page}{'?' if query else ''}{query}" or "."


def plain(html: str) -> str:
    """The text of a piece of HTML in one line."""
    return " ".join(unescape(_TAG.sub("", html)).split())
