"""The choice of the number that is differentiated, and the run, target and gradients that tasks of the page use."""

from dataclasses import replace
from functools import partial

import streamlit as st

from attention.analysis.backward import Backward
from attention.inputs.learned import ON_THE_WAY
from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import marked, widget
from pages.shell.runs import alone, backward, learned
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.changes import set_controls
from pages.shell.state.config import Config, looked_at, stops
from pages.shell.state.page_controls import Backward as Asked
from pages.shell.views import backward as views
from pages.shell.views.steps import focus_of


def shown() -> Run:
    return compute(looked_at("backward", Config.current()))


def goal() -> Goal:
    asked = Asked.current()
    return Goal.of(asked.goal, asked.goal_at)


def found() -> Backward:
    run = shown()
    return backward.found(run, goal(), focus_of(run))


def is_on_the_way() -> bool | None:
    """Whether the layer of the screen was kept during its training; None where it was not trained."""
    setting = learned.used(replace(looked_at("backward", Config.current()), updates=str(ON_THE_WAY[0])))
    return None if setting is None else setting.taken is not None


def _can_learn() -> bool:
    run, asked = shown(), backward.asked_of(shown(), goal(), focus_of(shown()))
    return alone.can_learn(run, goal()) and (asked is not None or bool(Asked.current().learned_from))


@part
def answer_steps() -> None:
    """The controls that teach the layer one differentiated answer: a slider of steps, and a button that plays it."""
    depends_on(_can_learn)
    if _can_learn():
        played, dragged = page.transport()
        with played:
            show(views.learned)
        with dragged:
            # Steps of learning start from the layer at rest, so a weight moved by hand returns.
            widget("answer_steps", on_change=partial(set_controls, {"pushed": ""}))


def _stops() -> tuple[str, ...]:
    return stops(Config.current().updates)


@part
def updates() -> None:
    depends_on(is_on_the_way)
    depends_on(_stops)
    match is_on_the_way():
        case True:
            marked("updates", 2, _stops())
        case False:
            st.caption(say("backward.answer.at_its_end"))
        case None:
            st.caption(say("backward.answer.not_kept"))


@part
def controls() -> None:
    widget("goal")
