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
    set; here: the path of the page; page: where the next run is to be; made: how often the widget of a control was made
    anew; offered: what each widget was made of; heard: how often figures have given each setting; drawn: the controls
    that have a widget on the page."""

    texts: dict[str, str] = field(default_factory=dict)
    session: str = field(default_factory=token_hex)
    at: int = 0
    here: str = ""
    page: str | None = None
    made: dict[str, int] = field(default_factory=dict)
    offered: dict[str, Hashable] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)

    def set(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.at += 1

    def renew(self, name: str) -> None:
        """Give a control a new widget when it is drawn next."""
        self.made[name] = self.made.get(name, 0) + 1

    def key(self, name: str) -> str:
        """The key of the widget of a control."""
        made = self.made.get(name, 0)
        return f"{name}--{made}" if made else name

    def key_of(self, name: str, offered: Hashable) -> str:
        """The key of the widget of a control that is drawn now: another one where it offers something else than before.
        offered: its label, its options or ends."""
        self.drawn.add(name)
        if self.offered.setdefault(name, offered) != offered:
            self.offered[name] = offered
            self.renew(name)
        return self.key(name)


def settings() -> Settings:
    """Those of this visitor."""
    found: Settings | None = st.session_state.get(_SETTINGS)
    if found is None:
        found = st.session_state[_SETTINGS] = Settings()
    return found


def texts() -> Mapping[str, str]:
    return settings().texts
