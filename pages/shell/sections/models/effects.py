"""The effect of every single head: each switched off alone, on request, since it takes a while."""

import pandas as pd
import streamlit as st

from attention.analysis.head_patterns import PATTERNS
from attention.experiments.head_effects import head_effects
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.layout.rows import changes
from pages.shell.runs.results import Progress, computed
from pages.shell.runs.sources import Source
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import fitting, loaded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request
from pages.shell.sections.models.common import headed, measured, name, request

_WANTED = "effects_wanted"
_wanted = Source(lambda: st.session_state.get(_WANTED))
_FIRST = 3


@headed("effects")
def section(found: Outputs) -> None:
    wanted = request.read()
    st.markdown(say(f"models.effects.text_{wanted.model}"))
    table = None
    if loaded(wanted.model) is None:
        table = recorded.effects(wanted.plain())
    elif _wanted.read() == wanted:
        table = computed(("head effects", wanted), lambda progress: _table(wanted, progress))
    if table is None:
        count = found.weights.shape[0] * found.weights.shape[1]
        st.button(
            say("models.effects.start", count=count),
            key="effects-start",
            on_click=changes(_start),
            args=(wanted,),
            icon=":material/play_arrow:",
        )
        return
    component.row("plot-effects", _chart(found, wanted, table))


def _chart(found: Outputs, wanted: Request, table: pd.DataFrame) -> Chart:
    layers, heads = found.weights.shape[:2]
    at = table["layer"] + (table["head"] + 0.5) / heads + 0.5
    series = [Series(say("models.effects.effect"), at, table["effect"], "bars")]
    x = Axis(say("models.layer"), range=(0.5, layers + 0.5))
    y = Axis(say(f"models.effects.axis_{wanted.model}"))
    kinds = measured(found).kinds()
    largest = table.nlargest(_FIRST, "effect")
    parts = (
        say(
            "models.effects.head",
            head=name(int(layer), int(head)),
            effect=digits(effect),
            what=say(f"models.pattern.{PATTERNS[int(kinds[int(layer), int(head)])]}.title"),
        )
        for layer, head, effect in largest[["layer", "head", "effect"]].to_numpy()
    )
    small = int((table["effect"] < table["effect"].max() / 10).sum())
    note = say("models.effects.note", parts=listed("comma", parts), small=small, all=len(table))
    return Chart("effects", say("models.effects.chart"), series, x, y, note)


def _table(wanted: Request, progress: Progress) -> pd.DataFrame:
    model = loaded(wanted.model)
    assert model is not None
    return head_effects(model, fitting(model, wanted.text), progress, **wanted.changes)


def _start(wanted: Request) -> None:
    st.session_state[_WANTED] = wanted
