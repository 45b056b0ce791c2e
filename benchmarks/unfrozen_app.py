"""The app without the freeze of pages/shell/early.py: what benchmarks/load.py holds it against."""

import gc

import streamlit as st

from pages.shell import assets, at_once, early, failed

gc.freeze = lambda: None
early.load()
at_once.send()
app = st.App(assets.FRAME, routes=assets.ROUTES, middleware=assets.MIDDLEWARE, on_script_error=failed.tell)
