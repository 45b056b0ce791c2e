"""Turn a link into a valid screen: each value is limited before any widget reads it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

import streamlit as st

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.lectures import player
from pages.shell.runs.preparation import prepared
from pages.shell.runs.trained.request import possible
from pages.shell.runs.translating import context_of
from pages.shell.screen import Place
from pages.shell.state.config import Config, looked_at, looks
from pages.shell.state.controls import Controls
from pages.shell.state.page_controls import CROSS, CrossAttention, Models
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, SCREENS, changed
from pages.shell.state.settings import settings
from pages.shell.state.url import means

_SEEN, _CHANGED, _UNKNOWN = "link_seen", "link_changed", "link_unknown"
# Characters of a value that are quoted, and how many of them stand before its first difference.
_QUOTED, _BEFORE = 40, 12
# A link of a thousand strange names would be compared for a third of a second, and told in a toast of a page.
_STRANGE = 20


def read() -> None:
    """Take the settings of a link, once a visit."""
    if _SEEN in st.session_state:
        return
    # The last of several is the one that was set last.
    st.session_state[_SEEN] = {name: ", ".join(st.query_params.get_all(name)) for name in st.query_params}
    settings().texts.update(st.query_params.to_dict())


def settle(page: str) -> None:
    """Bring what a link asked for to the nearest that there is, once a visit, and remember what was changed."""
    came: dict[str, str] | None = st.session_state.get(_SEEN)
    if not came:
        return
    st.session_state[_SEEN] = {}
    parameters = dict(settings().texts)
    others = (screen.of(parameters) for screen in SCREENS if screen not in (Config, Reader, Models))
    nearest = {name: value for name, (_, value) in changed(came, *others, *_possible(page, parameters)).items()}
    # No control holds it: a figure is asked about it.
    if came.get("cell") and Place.of(came["cell"]) is None:
        nearest["cell"] = ""
    st.session_state[_CHANGED] = {
        name: (came[name], value) for name, value in nearest.items() if not means(came[name], value)
    }
    st.session_state[_UNKNOWN] = misspelt(parameters)
    settings().texts.update(nearest | dict.fromkeys(st.session_state[_UNKNOWN], ""))
    settings().at += 1


def _possible(page: str, parameters: Mapping[str, str]) -> tuple[Controls, ...]:
    """The sentence, the heads, the layer and the stop that are there, where a link asks for later ones."""
    config = Config.of(parameters)
    shown = looked_at(page, config) if looks(page) else config
    ready = prepared(shown, context_of(shown, CrossAttention.of(parameters).context) if page == CROSS else None)[0]
    sentence, head = min(config.sentence, len(ready.inputs.tokens)), min(config.head, ready.module.heads)
    there = replace(config, sentence=sentence, head=head)
    return there, player.possible(Reader.of(parameters)), possible(Models.of(parameters))


def misspelt(names: Iterable[str]) -> tuple[str, ...]:
    """The names that no control has and that look like the name of one; others belong to whoever added them."""
    strange = [name for name in names if name not in ALL_FIELDS]
    return tuple(
        name
        for name in strange[:_STRANGE]
        if get_close_matches(name.removeprefix("amp;").lower(), ALL_FIELDS, n=1, cutoff=0.8)
    )


def tell() -> None:
    """What was changed in the link, until the visitor has seen it."""
    rewritten: dict[str, tuple[str, str]] = st.session_state.pop(_CHANGED, {})
    unknown: tuple[str, ...] = st.session_state.pop(_UNKNOWN, ())
    told = []
    if rewritten:
        parts = (_told(name, came, nearest) for name, (came, nearest) in rewritten.items())
        told.append(say("link.changed", parts=listed("semicolon", parts)))
    if unknown:
        told.append(say("link.unknown", names=listed("comma", (_code(name[:_QUOTED]) for name in unknown))))
    if told:
        st.toast(listed("sentence", told), icon=":material/link:", duration="long")


def _told(name: str, came: str, nearest: str) -> str:
    """What a parameter became; of one that nothing could be made of, that it is gone."""
    if not nearest and came.strip():
        return say("link.dropped", name=f"`{name}`")
    before, after = _quoted(came, nearest)
    return f"`{name}`: {before} → {after}"


def _quoted(came: str, nearest: str) -> tuple[str, str]:
    """Both as code, long ones from shortly before the place where they part."""
    alike = next(
        (i for i, (a, b) in enumerate(zip(came, nearest, strict=False)) if a != b), min(len(came), len(nearest))
    )
    start = alike - _BEFORE if alike + _BEFORE > _QUOTED else 0
    return tuple(_code(_cut(text, start)) for text in (came, nearest))  # type: ignore[return-value]


def _cut(text: str, start: int) -> str:
    return f"{'…' if start else ''}{text[start : start + _QUOTED]}{'…' if len(text) > start + _QUOTED else ''}"


def _code(text: str) -> str:
    return code(text) or say("link.nothing")
