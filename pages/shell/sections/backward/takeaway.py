"""The backward pass of the screen as a script and a notebook to be run, and as a worksheet for pen and paper."""

from functools import partial

import streamlit as st

from pages.shell.exports import downloads
from pages.shell.exports.address import app_address
from pages.shell.i18n import say, spoken
from pages.shell.layout.part import depends_on, part
from pages.shell.sections.backward import target
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Backward

# A script that is longer is not drawn, only downloaded.
_READ = 60_000


@part
def section() -> None:
    depends_on(Config)
    depends_on(Backward)
    run, goal = target.shown(), target.goal()
    st.subheader(say("backward.takeaway.title"), anchor=False)
    st.markdown(say("backward.takeaway.lead"))
    made = partial(downloads.made, config=run.config, language=spoken(), goal=goal, address=app_address())
    with st.container(horizontal=True):
        for kind in ("script", "notebook"):
            file = downloads.FILES[kind]
            st.download_button(
                say(f"takeaway.{kind}.label"),
                partial(made, kind),
                f"backward{file.ending}",
                file.mime,
                key=f"take-backward-{kind}",
                on_click="ignore",
            )
    if st.toggle(say("takeaway.preview"), key="take-backward-preview"):
        st.code(str(made("script"))[:_READ], language="python")
    downloads.worksheets(run, goal)
