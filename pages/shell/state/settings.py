"""The settings of a visitor, as texts by name. The session holds them; the browser writes them into its address.

A widget shows what is set here. Code that sets a control gives it a new widget: a message that left the browser before
it heard of that speaks of the old widget, and changes nothing (docs/decisions/settings.md).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from secrets import token_hex

import streamlit as st

_SETTINGS = "settings"


@dataclass
class Settings:
    """texts: of a name that is missing, the default; session: another one for each visit; at: how often something was
    set; here: the path of the page, address: its query, as the browser was told last; page: where the next run is to
    be; made: how often the widget of a control was made anew; offered: what each widget was made of; heard: how often
    figures have given each setting; drawn: the controls that have a widget on the page, and the part that it stands in;
    renewed: those whose next widget has not been drawn yet; opened: the page that was opened last; lent: what it has
    opened with and nobody has touched (opens_with.py)."""

    texts: dict[str, str] = field(default_factory=dict)
    session: str = field(default_factory=token_hex)
    at: int = 0
    here: str = ""
    address: str = ""
    page: str | None = None
    made: dict[str, int] = field(default_factory=dict)
    offered: dict[str, Hashable] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    drawn: dict[str, str] = field(default_factory=dict)
    renewed: set[str] = field(default_factory=set)
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
        """The key of the widget of a control that is drawn now: another one where it offers something else than before.
        offered: its label, its options or ends."""
        if self.offered.setdefault(name, offered) != offered:
            self.offered[name] = offered
            self.renew(name)
        return self.key(name)

    def stands(self, name: str, part: str) -> None:
        """The widget of a control has been drawn in a part of the page."""
        self.drawn[name] = part
        self.renewed.discard(name)

    def clears(self, part: str) -> None:
        """A part of the page is drawn again, with whichever widgets it then has."""
        self.drawn = {name: other for name, other in self.drawn.items() if other != part}

    @property
    def outdated(self) -> frozenset[str]:
        """The parts that show widgets which code has replaced."""
        return frozenset(self.drawn[name] for name in self.renewed if name in self.drawn)


def settings() -> Settings:
    """Those of this visitor."""
    found: Settings | None = st.session_state.get(_SETTINGS)
    if found is None:
        found = st.session_state[_SETTINGS] = Settings()
    return found


def texts() -> Mapping[str, str]:
    return settings().texts
