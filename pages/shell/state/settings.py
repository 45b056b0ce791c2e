"""The settings of a visitor, as texts by name. The session holds them; the browser writes them into its address.

A widget shows the setting. Code that sets a control gives the control a new widget, so that a message about the old
widget, which may still be on its way from the browser, changes nothing (docs/decisions/settings.md).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex

import streamlit as st

_SETTINGS = "settings"


@dataclass
class Settings:
    """The settings of one visit, and the counters that keep widgets, figures and the address in step with them."""

    # The set texts by name. A missing setting has its default.
    texts: dict[str, str] = field(default_factory=dict)
    # A token that differs for each visit.
    session: str = field(default_factory=token_hex)
    # The number of changes so far.
    at: int = 0
    # The path and the query of the page, as last sent to the browser.
    here: str = ""
    address: str = ""
    # The page of the next run, if it differs.
    page: str | None = None
    # For each control, the number of new widgets so far, and the label, options or ends of the present one.
    made: dict[str, int] = field(default_factory=dict)
    offered: dict[str, Hashable] = field(default_factory=dict)
    # For each setting, how often figures have given it.
    heard: dict[str, int] = field(default_factory=dict)
    # Control to the part of the page that shows its widget, and the controls whose new widget is not drawn yet.
    drawn: dict[str, str] = field(default_factory=dict)
    renewed: set[str] = field(default_factory=set)
    # The page that was opened last, and the settings that it lent and nobody has touched (opens_with.py).
    opened: str = ""
    lent: set[str] = field(default_factory=set)

    def set(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.lent.discard(name)
        self.at += 1

    def renew(self, name: str) -> None:
        """Give a control a new widget when it is drawn next."""
        self.made[name] = self.made.get(name, 0) + 1
        self.renewed.add(name)

    def key(self, name: str) -> str:
        """The key of the widget of a control."""
        made = self.made.get(name, 0)
        return f"{name}--{made}" if made else name

    def key_of(self, name: str, offered: Hashable) -> str:
        """The key of the widget of a control that is drawn now; a new one if the widget offers something else than
        before. offered: its label, options or ends."""
        if self.offered.setdefault(name, offered) != offered:
            self.offered[name] = offered
            self.renew(name)
        return self.key(name)

    def stands(self, name: str, part: str) -> None:
        """Note that the widget of a control was drawn in a part of the page."""
        self.drawn[name] = part
        self.renewed.discard(name)

    def clears(self, part: str) -> None:
        """Forget the widgets of a part of the page that is drawn again."""
        self.drawn = {name: other for name, other in self.drawn.items() if other != part}

    @property
    def outdated(self) -> frozenset[str]:
        """The parts with widgets that code has replaced."""
        return frozenset(self.drawn[name] for name in self.renewed if name in self.drawn)


def settings() -> Settings:
    """The settings of this visitor."""
    found: Settings | None = st.session_state.get(_SETTINGS)
    if found is None:
        found = st.session_state[_SETTINGS] = Settings()
    return found


def texts() -> Mapping[str, str]:
    return settings().texts
