"""The backward pass of the screen as a script that anyone can run, and as a worksheet for pen and paper."""

from functools import partial

import streamlit as st

from pages.shell.exports import downloads
from pages.shell.exports.address import app_address
from pages.shell.i18n import say, spoken
from pages.shell.layout.rows import row
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run

# A script that is longer is not drawn, only downloaded.
_READ = 60_000


@row
def section(run: Run, goal: Goal) -> None:
    st.subheader(say("backward.takeaway.title"), anchor=False)
    st.markdown(say("backward.takeaway.lead"))
    text = partial(downloads.made, "script", run.config, spoken(), goal, app_address())
    st.download_button(
        say("backward.takeaway.label"), text, "backward.py", "text/x-python", key="take-backward", on_click="ignore"
    )
    if st.toggle(say("takeaway.preview"), key="take-backward-preview"):
        st.code(str(text())[:_READ], language="python")
    downloads.worksheets(run, goal)
