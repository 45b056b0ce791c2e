"""A link becomes a screen: what it asks for is brought within the limits before any widget reads it."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.shell.controls import UNUSED, Config
from pages.shell.knobs import means
from pages.shell.own import CROSS, SCREENS, CrossAttention, changed
from pages.shell.run import prepared
from pages.shell.text import listed, say

_SEEN, _CHANGED = "link_seen", "link_changed"


def settle(page: str) -> None:
    """Rewrite, once a session, the parameters that no widget could hold, and say so on the page.

    A bound widget drops what it cannot hold and takes its default; here it gets the nearest value instead. The
    rewritten URL counts only in a run that starts with it, hence the rerun.
    """
    if _SEEN in st.session_state:
        return
    st.session_state[_SEEN] = True
    parameters = st.query_params.to_dict()
    others = (screen.of(parameters) for screen in SCREENS if screen is not Config)
    rewritten = changed(parameters, _possible(page, parameters), *others)
    if rewritten:
        st.session_state[_CHANGED] = {
            name: (came, nearest) for name, (came, nearest) in rewritten.items() if not means(came, nearest)
        }
        for name, (_, nearest) in rewritten.items():
            st.query_params[name] = nearest
        st.rerun()


def _possible(page: str, parameters: Mapping[str, str]) -> Config:
    """The sentence and the head that are there on a page, where a link asks for later ones."""
    config = Config.of(parameters)
    shown = config.random() if "preset" in UNUSED.get(page, ()) else config
    ready = prepared(shown, CrossAttention.of(parameters).context if page == CROSS else None)[0]
    sentence, head = min(config.sentence, len(ready.inputs.tokens)), min(config.head, ready.module.heads)
    return replace(config, sentence=sentence, head=head)


def tell() -> None:
    """What was changed in the link, until the visitor has seen it."""
    told = st.session_state.pop(_CHANGED, None)
    if told:
        parts = listed(
            "semicolon", (f"`{name}`: {_short(came)} → {_short(nearest)}" for name, (came, nearest) in told.items())
        )
        st.toast(say("link.changed", parts=parts), icon=":material/link:")


def _short(text: str) -> str:
    """What came from outside, as code: shortened, and with nothing in it that Markdown would read."""
    shown = text.replace("`", "'").replace("\n", " ")
    return f"`{shown[:40]}{'…' if len(shown) > 40 else ''}`" if shown.strip() else "``"
