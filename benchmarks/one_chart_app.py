"""benchmarks/one_chart_page.py with compressed answers, as the app has; Streamlit alone sends its files unpacked."""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from benchmarks.server import ROOT

app = st.App(ROOT / "benchmarks" / "one_chart_page.py", middleware=[Middleware(GZipMiddleware, minimum_size=1024)])
