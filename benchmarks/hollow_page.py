"""What the walkthrough is made of, with nothing behind it: Streamlit's own part of a run, for benchmarks/load.py."""

from itertools import count
from typing import Any

import streamlit as st

# A place for a view.
_DATA = {"view": "walkthrough.projections"}
_component = st.components.v2.component("hollow", js="export default () => {}", isolate_styles=False)
_number = count()


def key() -> dict[str, Any]:
    return {"key": f"hollow{next(_number)}"}


def bound() -> dict[str, Any]:
    return key() | {"bind": "query-params", "help": "What it does"}


with st.sidebar:
    for _ in range(15):
        st.slider("slider", 0, 100, 10, **bound())
    for _ in range(9):
        st.pills("choice", ("one", "another"), default="one", required=True, **bound())
    for _ in range(7):
        st.toggle("toggle", **bound())
    for _ in range(3):
        st.text_input("text", **bound())
    for _ in range(2):
        st.text_area("area", **bound())
    for _ in range(5):
        st.button("button", **key())
    for _ in range(2):
        st.number_input("number", 0, 10_000, 0, **bound())
    st.file_uploader("file", **key())
st.title("Nothing")
for _ in range(36):
    st.container(**key())
for _ in range(3):
    st.html("<style>.nothing { color: red; }</style>")
for _ in range(8):
    st.markdown("A sentence.")
st.radio("question", ("one", "another"), index=None, **key())
for _ in range(27):
    _component(data=_DATA, **key())
