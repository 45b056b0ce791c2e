"""benchmarks/one_chart_page.py, packed on its way as the app is: Streamlit by itself sends its files as they are."""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from benchmarks.server import ROOT

app = st.App(ROOT / "benchmarks" / "one_chart_page.py", middleware=[Middleware(GZipMiddleware, minimum_size=1024)])
