"""The backward pass of the screen as a script."""

from functools import partial

import streamlit as st

from attention.analysis.backward import Backward
from attention.export.backward import backward_script
from pages.shell.i18n import say
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.layout.rows import row

# A script that is longer is not drawn, only downloaded.
_READ = 60_000


@row
def section(made: Backward) -> None:
    st.subheader(say("backward.takeaway.title"), anchor=False)
    st.markdown(say("backward.takeaway.lead"))
    titles = {row.id: say(f"step.{row.id}.title") for row in ROWS}
    text = partial(_script, made, titles)
    st.download_button(
        say("backward.takeaway.label"), text, "backward.py", "text/x-python", key="take-backward", on_click="ignore"
    )
    if st.toggle(say("takeaway.preview"), key="take-backward-preview"):
        shown = text()
        st.code(shown[:_READ], language="python")


def _script(made: Backward, titles: dict[str, str]) -> str:
    read_by = {id: made.read_by(id) for id in made.gradients}
    return backward_script(made.forward, made.gradients, read_by, titles=titles, heading=say("backward.takeaway.title"))
