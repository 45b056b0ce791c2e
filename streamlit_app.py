"""The server: `streamlit run streamlit_app.py`.

The main script is the frame, two folders away from here, because a main script with a `pages` folder beside it
breaks cold deep links (docs/decisions/entry.md).
"""

import streamlit as st

from pages.shell import assets, at_once, early, failed

early.load()
at_once.send()
app = st.App(assets.FRAME, routes=assets.ROUTES, middleware=assets.MIDDLEWARE, on_script_error=failed.tell)
