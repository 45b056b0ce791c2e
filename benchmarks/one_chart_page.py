"""A Streamlit page with one heatmap and nothing else, with which benchmarks/first_visit.py compares the app."""

import gc

import plotly.graph_objects as go
import streamlit as st


@st.cache_resource(show_spinner=False)
def _settle_process() -> None:
    gc.collect()
    gc.freeze()


_settle_process()
st.plotly_chart(go.Figure(go.Heatmap(z=[[row * column for column in range(8)] for row in range(8)])))
