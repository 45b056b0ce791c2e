"""Train the setting of the controls; offered beside the note that the nearest shipped setting is shown."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from attention.experiments.learning import State, train
from attention.inputs.learned import Setting
from pages.shell import component
from pages.shell.i18n import say
from pages.shell.layout.part import dependent, depends_on, here, redraw
from pages.shell.runs import learned
from pages.shell.runs.results import results
from pages.shell.runs.training import Training
from pages.shell.state.config import LEARNED, Config, looked_at

_TRAINED, _LAP = "learned_trained", "learned_lap"


def asked(page: str) -> Setting | None:
    """The setting that the screen of a page asks for; None for other presets than `learned`."""
    config = looked_at(page, Config.current())
    return learned.wanted(config) if config.preset == LEARNED else None


@dependent
def beside_note(page: str) -> None:
    """The offer beside the note; neither exists for a setting that was shipped."""
    depends_on(partial(asked, page))
    setting = asked(page)
    if setting is not None and setting not in learned.KNOWN:
        offer(setting)


def offer(setting: Setting) -> None:
    """A button that trains a setting; the progress while it is trained."""
    if results("learned").get(setting):
        return
    if st.session_state.get(_TRAINED) == setting:
        _lap(setting)
    elif setting.numbers > learned.LARGEST:
        st.caption(say("learned.large", numbers=f"{setting.numbers:,}", most=f"{learned.LARGEST:,}"))
    else:
        st.button(
            say("learned.watch" if setting in learned.KNOWN else "learned.train"),
            key="learned-train",
            help=say("learned.numbers", numbers=f"{setting.numbers:,}"),
            on_click=partial(_choose, setting),
            icon=":material/model_training:",
        )


def states(setting: Setting) -> Sequence[State]:
    """The states of a training so far, advanced here or by another visitor who shares it."""
    depends_on(lambda: st.session_state.get(_LAP))
    if st.session_state.get(_TRAINED) == setting:
        under_way = results("running").get((setting,))
        return tuple(under_way.states[setting]) if under_way else ()
    return results("learned").get(setting) or ()


def _choose(setting: Setting | None) -> None:
    st.session_state[_TRAINED] = setting


def _lap(setting: Setting) -> None:
    """One turn of training, shared with all who train this setting. A visitor who changes the setting leaves it."""
    under_way = results("running")
    running: Training[Setting, State] = under_way.get((setting,)) or Training.of((setting,), train)
    under_way.keep((setting,), running)
    place = st.empty()
    running.advance(lambda: place.progress(0.0, say("lab.waiting")))
    place.empty()
    trained = running.states[setting]
    if running.done:
        results("learned").keep(setting, tuple(trained))
        running.runs.clear()
        _choose(None)
        # The whole page is drawn again, from the trained weights.
        st.rerun()
    done = len(trained) - 1
    with st.container(key="learned-progress", horizontal=True, vertical_alignment="center"):
        st.progress(done / setting.steps, say("learned.progress", done=done, steps=setting.steps))
        st.button(say("lab.race.button.stop"), key="learned-stop", on_click=partial(_choose, None))
    st.session_state[_LAP] = setting, len(trained)
    component.ask_for_lap("learned-lap", len(trained), partial(redraw, here()))
