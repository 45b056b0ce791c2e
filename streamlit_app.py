"""The server: `streamlit run streamlit_app.py`.

The main script is the frame, two folders away from here, because a main script with a `pages` folder beside it
breaks cold deep links (docs/decisions/entry.md).
"""

import streamlit as st

from pages.shell.server import errors, startup
from pages.shell.server.app import FRAME, MIDDLEWARE, ROUTES

startup.load()
app = st.App(FRAME, routes=ROUTES, middleware=MIDDLEWARE, on_script_error=errors.tell)
