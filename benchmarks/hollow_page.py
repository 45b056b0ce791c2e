"""What the walkthrough is made of, with nothing behind it: Streamlit's own part of a run, for benchmarks/load.py."""

from itertools import count
from typing import Any

import streamlit as st

# As many bytes as a row of figures has on average.
_DATA = {"chapter": "", "cards": [{"z": "A" * 1200, "note": "n" * 60, "range": [0, 1]}] * 2}
_component = st.components.v2.component("hollow", js="export default () => {}", isolate_styles=False)
_number = count()


def key() -> dict[str, Any]:
    return {"key": f"hollow{next(_number)}"}


def bound() -> dict[str, Any]:
    return key() | {"bind": "query-params", "help": "What it does"}


with st.sidebar:
    moved = [st.slider("slider", 0, 100, 10, **bound()) for _ in range(12)]
    for _ in range(8):
        st.selectbox("choice", ("one", "another"), **bound())
    for _ in range(4):
        st.toggle("toggle", **bound())
    for _ in range(3):
        st.text_input("text", **bound())
    for _ in range(2):
        st.text_area("area", **bound())
    for _ in range(3):
        st.button("button", **key())
    st.number_input("number", 0, 10_000, 0, **bound())
    st.file_uploader("file", **key())
st.title("Nothing")
for _ in range(29):
    st.container(**key())
for _ in range(10):
    st.markdown("A sentence.")
for _ in range(3):
    st.radio("question", ("one", "another"), index=None, **key())
for _ in range(11):
    _component(data=_DATA | {"moved": moved}, **key())
