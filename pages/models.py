"""Real models: any head of a trained transformer, offered by its job, and opened like our own heads."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.runs.trained.request import CHANGES
from pages.shell.sections.models import one_head as choice
from pages.shell.sections.models import start, tasks
from pages.shell.views import files, pipeline
from pages.shell.views.models import (
    attribution,
    heads_wall,
    importance,
    induction,
    one_head,
    output,
    relay,
    sentence,
    sinks,
    spread,
    switched,
)

with st.container(key="foremost"):
    start.elsewhere()
    page.title("models")
    show(sentence.arcs, relay.ways)
# On a phone the next token stands below the heads, whose guess is in the picture.
with st.container(key="said"):
    heads, says = st.columns([2, 1], gap="medium")
with heads:
    show(switched.heads)
with says:
    show(output.listed)
start.section()
start.lacking()
with drawer("model_changes", *CHANGES):
    start.experiment()
    start.sentences()
    with st.container(key="changing"):
        told, changed = st.columns([4, 5], gap="medium")
        with told:
            show(output.figure)
        with changed:
            start.knobs()
with drawer("model_steps", "step", "told", pipeline.PLACE):
    show(one_head.facts, one_head.ledger, one_head.strip)
    with st.container(key="pipeline"):
        show(one_head.formula, one_head.large)
    show(one_head.weights)
with drawer("model_heads"):
    choice.choosers()
    show(heads_wall.maps, heads_wall.opened)
    choice.table()
with drawer("importance", attribution.figures):
    with page.predict("importance"):
        show(importance.chart)
    show(attribution.figures)
    tasks.attribution()
with drawer("sinks"):
    with page.predict("sink"):
        show(sinks.figures)
    show(induction.told)
with drawer("effects"):
    tasks.effects()
    show(spread.figure)
start.others()
with drawer("layer_files"):
    show(files.of_models)
