"""What of the page takes longer than an answer to the browser may, beside loading the model and asking it."""

from functools import partial
from itertools import count

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say, spoken
from pages.shell.layout.live import show
from pages.shell.layout.rows import changes, row
from pages.shell.runs.results import computed
from pages.shell.runs.sources import Source
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.screen import Screen
from pages.shell.sections.models.common import is_ready, place, request
from pages.shell.state.page_controls import Models
from pages.shell.state.url import written
from pages.shell.views.models.attribution import attributed
from pages.shell.views.models.effects import chart, every_head

_WANTED = "effects_wanted"
_drawn = count()
_wanted = Source(lambda: st.session_state.get(_WANTED))


def effects() -> None:
    """The effect of every head: on request where the model is there, since it takes a while."""
    st.subheader(say("models.effects.title"), anchor=False)
    _lead(request)
    if is_ready():
        _effects(request, _wanted)
    else:
        show(chart)


@row
def _lead(wanted: Request) -> None:
    st.markdown(say(f"models.effects.text_{wanted.model}"))


@row
def _effects(wanted: Request, asked: Request | None) -> None:
    experiment = every_head(wanted)
    if asked == wanted or experiment.found() is not None:
        computed(experiment.key, experiment.make)
        show(chart)
        return
    sizes = sizes_of(wanted.model)
    st.button(
        say("models.effects.start", count=sizes.layers * sizes.heads),
        key="effects-start",
        on_click=changes(partial(_start, wanted)),
        icon=":material/play_arrow:",
    )


def _start(wanted: Request) -> None:
    st.session_state[_WANTED] = wanted


def attribution() -> None:
    if is_ready():
        _attribution(request, place, Source(lambda: st.query_params.get("cell", "")))


@row
def _attribution(_wanted: Request, _place: tuple[int, int], cell: str) -> None:
    held = {name: written(value) for name, value in Models.opened().values().items()}
    screen = Screen("models", held | {"cell": cell}, spoken())
    experiment = attributed(screen, screen.run)
    computed(experiment.key, experiment.make)
    component.computed("models-attribution", str(next(_drawn)))
