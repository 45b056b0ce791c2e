"""A link becomes a screen: what it asks for is brought within the limits before any widget reads it."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.shell.controls import UNUSED, Config
from pages.shell.knobs import means
from pages.shell.own import CROSS, SCREENS, CrossAttention, changed
from pages.shell.run import prepared
from pages.shell.text import listed, quoted, say

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
        parts = listed("semicolon", (_told(name, came, nearest) for name, (came, nearest) in told.items()))
        st.toast(say("link.changed", parts=parts), icon=":material/link:")


def _told(name: str, came: str, nearest: str) -> str:
    """What a parameter became; of one that nothing could be made of, that it is gone."""
    if not nearest and came.strip():
        return say("link.dropped", name=f"`{name}`")
    return f"`{name}`: {quoted(came)} → {quoted(nearest)}"
