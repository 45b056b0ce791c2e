"""The costs of attention: the pairs as a sheet that grows with n, operations by formula, measured time and memory."""

import streamlit as st

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.layout.widgets import whole_width, widgets
from pages.shell.sections.costs import measured
from pages.shell.views import costs

with st.container(key="foremost"):
    page.title("costs")
widgets("cost_model")
with st.container(key="first-slider"):
    whole_width("cost_n")
show(costs.sheet)
# The answer to the question is in the drawer below it.
with page.predict("costs"), drawer("shares", costs.shares):
    show(costs.shares)
show(costs.ledger)
page.training_offer("costs")
with drawer("strips", costs.strips, "cost_config"):
    show(costs.strips)
    widgets("cost_config")
    show(costs.sources)
with drawer("operations", costs.operations):
    show(costs.operations)
with drawer("measured", "cost_lap"):
    show(costs.measured_lead)
    measured.controls()
    measured.task()
    show(costs.times)
    with page.predict("doubled"):
        show(costs.needed)
