"""The race: heads that differ in their scale alone learn while a visitor watches.

A run of the page trains for a moment; when the browser has drawn the result, it asks for the next run. Other visitors
wait for one turn at most, and finished races are kept for all visitors.
"""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from attention.experiments.race import Race, State, train
from attention.experiments.race import curves as tabled
from attention.scales import BY_D_K
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout import page
from pages.shell.layout.drawn import drawn
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widgets
from pages.shell.lectures.player import is_asking, running
from pages.shell.runs.results import results
from pages.shell.runs.training import Training
from pages.shell.sections.scaling import deeper
from pages.shell.state.changes import set_controls
from pages.shell.state.guesses import Guesses
from pages.shell.state.page_controls import Laboratory
from pages.shell.state.reader import Reader
from pages.shell.views.scaling import curves

_CONTROLS = ("race_d", "race_lr", "race_optimiser", "race_steps", "race_seeds", "race_twin")
_REPLAY, _STOPPED, _STARTED = "race_replay", "race_stopped", "race_started"
# Limits of the race that the page states, each with the settings that show it.
LIMITS = {
    "default": {"race_d": "256", "race_lr": "1", "race_optimiser": "sgd", "race_steps": "100", "race_twin": False},
    "small_d": {"race_d": "16", "race_lr": "0.1", "race_optimiser": "sgd", "race_steps": "200", "race_twin": False},
    "small_step": {"race_d": "256", "race_lr": "0.1", "race_optimiser": "sgd", "race_steps": "500", "race_twin": False},
    "adam": {"race_d": "256", "race_lr": "0.001", "race_optimiser": "adam", "race_steps": "200", "race_twin": False},
    "twin": {"race_d": "256", "race_lr": "1", "race_optimiser": "sgd", "race_steps": "100", "race_twin": True},
}


def section() -> None:
    with deeper.heading("race", _CONTROLS, ("accuracy", "loss")) as is_open:
        with st.container(horizontal=True):
            for name, values in LIMITS.items():
                st.button(say(f"lab.race.limit.{name}"), key=f"limit-{name}", on_click=set_controls, args=(values,))
        widgets(*_CONTROLS)
        with page.predict("race"):
            if is_open:
                _laps()


@part
def _laps() -> None:
    lab = Laboratory.current()
    depends_on(lambda: (races(Laboratory.current()), _is_asked(Laboratory.current())))
    heads = races(lab)
    if _is_asked(lab):
        label = say("lab.race.start", runs=len(heads))
        st.button(label, key="race-start", type="primary", on_click=_start, args=(heads,))
    else:
        _lap(heads, _under_way(heads), lab)


def _is_asked(lab: Laboratory) -> bool:
    """Whether to ask about this race before it runs, because its curves are the answer: it is the race of the question,
    and nobody has guessed or asked to see it. A cover, or Reveal in a lecture, keeps it back by itself."""
    if Reader.current().quiz or running() or st.session_state.get(_STARTED) == races(lab):
        return False
    is_default = all(str(getattr(lab, name)) == str(value) for name, value in LIMITS["default"].items())
    return is_default and "race" not in Guesses.current().by_question


def _start(races: tuple[Race, ...]) -> None:
    st.session_state[_STARTED] = races


def races(lab: Laboratory) -> tuple[Race, ...]:
    """The races of the controls: under each seed a head for each scale, and the twin."""
    first = Race(d_k=int(lab.race_d), steps=int(lab.race_steps), optimiser=lab.race_optimiser, lr=float(lab.race_lr))
    runners = [replace(first, scale=scale) for scale in BY_D_K]
    if lab.race_twin:
        runners.append(replace(first, scale="none", small_weights=True, small_step=True))
    return tuple(replace(runner, seed=seed) for seed in range(lab.race_seeds) for runner in runners)


def _under_way(races: tuple[Race, ...]) -> Training[Race, State] | None:
    """The training of the unfinished races; None if all are finished."""
    replay: Training[Race, State] | None = st.session_state.get(_REPLAY)
    if replay is not None and replay.races == races:
        return replay
    st.session_state.pop(_REPLAY, None)
    missing = tuple(race for race in races if results("races").get(race) is None)
    if not missing:
        return None
    under_way = results("running")
    training: Training[Race, State] = under_way.get(missing) or Training.of(missing, train)
    under_way.keep(missing, training)
    return training


def _lap(races: tuple[Race, ...], training: Training[Race, State] | None, lab: Laboratory) -> None:
    """One turn of training and the curves so far."""
    # The race is the answer in a lecture, so it waits for Reveal.
    stopped, place = is_asking() or st.session_state.get(_STOPPED) == races, st.empty()
    if training is not None and not stopped:
        # A visitor who sees the progress needs no word about waiting.
        is_new = not any(training.states.values())
        training.advance(lambda: place.progress(0.0, say("lab.waiting")) if is_new else None)
        place.empty()
        if training.done:
            _finish(training)
    states: dict[Race, Sequence[State]] = {
        race: training.states[race] if training and race in training.states else _kept(race) for race in races
    }
    _buttons(races, training, stopped)
    table = tabled(states)
    drawn("plot-race", curves.chart(table, "accuracy", lab), curves.chart(table, "loss", lab))
    if lab.race_twin:
        st.markdown(curves.twin(table))
    if training is not None and not (stopped or training.done):
        component.ask_for_lap("race-lap", sum(map(len, training.states.values())))


def _finish(training: Training[Race, State]) -> None:
    for race, trained in training.states.items():
        results("races").keep(race, tuple(trained))
    # Free the heads, which the store would keep although they are not needed any more.
    training.runs.clear()
    st.session_state.pop(_REPLAY, None)


def _kept(race: Race) -> tuple[State, ...]:
    return results("races").get(race) or ()


def _buttons(races: tuple[Race, ...], training: Training[Race, State] | None, stopped: bool) -> None:
    """The progress of the training, and buttons that stop it, continue it or repeat it."""
    steps = races[0].steps
    trained = training.races if training else races
    done = min(steps, *map(len, training.states.values())) if training else steps
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / steps, say("lab.race.progress", done=done, steps=steps, runs=len(trained)))
        if training is None or training.done:
            st.button(say("lab.race.again"), key="race-again", on_click=_replay, args=(races,))
        else:
            label, then = ("go_on", None) if stopped else ("stop", races)
            st.button(say(f"lab.race.button.{label}"), key="race-stop", on_click=_stop, args=(then,))


def _replay(races: tuple[Race, ...]) -> None:
    st.session_state[_REPLAY] = Training.of(races, train)
    _stop(None)


def _stop(races: tuple[Race, ...] | None) -> None:
    st.session_state[_STOPPED] = races
