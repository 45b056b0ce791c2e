"""Tasks of the page that take longer than an answer to the browser may, other than loading and asking the model."""

from functools import partial

import streamlit as st

from pages.shell import component
from pages.shell.i18n import say, spoken
from pages.shell.layout.live import show
from pages.shell.layout.part import dependent, depends_on
from pages.shell.runs.results import computed
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.screen import Screen
from pages.shell.sections.models.common import is_ready, request
from pages.shell.state.page_controls import Models
from pages.shell.state.settings import texts
from pages.shell.views.models.attribution import attributed
from pages.shell.views.models.effects import chart, every_head

_WANTED = "effects_wanted"


def effects() -> None:
    """The effect of every head; with the model, on request, since it takes a while."""
    st.subheader(say("models.effects.title"), anchor=False)
    st.markdown(say(f"models.effects.text_{request().model}"))
    if is_ready():
        _effects()
    else:
        show(chart)


@dependent
def _effects() -> None:
    depends_on(Models)
    wanted = request()
    experiment = every_head(wanted)
    if st.session_state.get(_WANTED) == wanted or experiment.found() is not None:
        computed(experiment.key, experiment.make)
        show(chart)
        return
    sizes = sizes_of(wanted.model)
    st.button(
        say("models.effects.start", count=sizes.layers * sizes.heads),
        key="effects-start",
        on_click=partial(_start, wanted),
        icon=":material/play_arrow:",
    )


def _start(wanted: Request) -> None:
    st.session_state[_WANTED] = wanted


def attribution() -> None:
    if is_ready():
        _attribution()


@dependent
def _attribution() -> None:
    depends_on(Models)
    depends_on(lambda: texts().get("cell"))
    screen = Screen("models", dict(texts()), spoken())
    experiment = attributed(screen, screen.run)
    computed(experiment.key, experiment.make)
    component.computed()
