"""The walkthrough's heatmaps through plain `st.plotly_chart`, with one slider."""

import gc

import streamlit as st

from attention.figures import plotly_figure
from pages.shell.runs.run import run
from pages.shell.state.config import Config


@st.cache_resource(show_spinner=False)
def _settle_process() -> None:
    gc.collect()
    gc.freeze()


_settle_process()
st.set_page_config(layout="wide")
value = st.slider("p", 0.0, 0.9, 0.1, 0.05, key="dropout")
shown = run(Config(dropout=value))
for step in shown.trace.values():
    if step.axes:
        figure = plotly_figure(step, shown.labels).update_layout(height=300)
        st.plotly_chart(figure, key=step.id)
st.markdown(f"painted {value:.2f}")
