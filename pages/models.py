"""Real models: any head of a trained transformer, opened like our own, with controls that change the model itself."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections.models import one_head as choice
from pages.shell.sections.models import start, tasks
from pages.shell.views import files
from pages.shell.views.models import (
    attribution,
    heads_wall,
    importance,
    induction,
    one_head,
    output,
    sinks,
    spread,
)

page.title("models")
start.section()
told, changed = st.columns([4, 5], gap="medium")
with told:
    show(output.figure)
with changed:
    start.knobs()
show(heads_wall.maps, heads_wall.opened)
choice.table()
choice.choosers()
show(one_head.facts, one_head.ledger, one_head.strip)
with st.container(key="pipeline"):
    show(one_head.formula, one_head.large)
show(one_head.weights)
with drawer("importance", attribution.figures):
    with page.predict("importance", "largest", "not_always", "never"):
        show(importance.chart)
    show(attribution.figures)
    tasks.attribution()
with drawer("sinks"):
    with page.predict("sink", "tenth", "third", "most"):
        show(sinks.figures)
    show(induction.told)
with drawer("effects"):
    tasks.effects()
    show(spread.figure)
start.others()
with drawer("layer_files"):
    show(files.of_models)
