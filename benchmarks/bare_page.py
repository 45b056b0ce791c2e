"""The baseline: a Streamlit page with a slider and one line of text."""

import streamlit as st

value = st.slider("p", 0.0, 0.9, 0.1, 0.05, key="dropout")
st.markdown(f"painted {value:.2f}")
