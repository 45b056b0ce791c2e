"""The app without the freeze of pages/shell/server/startup.py, with which benchmarks/load.py compares the app."""

import gc

import streamlit as st

from pages.shell.server import errors, startup
from pages.shell.server.app import FRAME, MIDDLEWARE, ROUTES

gc.freeze = lambda: None
startup.load()
app = st.App(FRAME, routes=ROUTES, middleware=MIDDLEWARE, on_script_error=errors.tell)
