"""Downloads of the opened layer of a trained model."""

from collections.abc import Callable

import streamlit as st

from attention.export.script import notebook, script
from attention.export.tables import csv_archive, npz
from attention.trace import Trace
from pages.shell.i18n import say, spoken
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.runs.run import Run


def section(again: Callable[[], Run | None], name: str) -> None:
    """The files behind a line that opens. again: the run, also when a file is asked for; name: of the files."""
    closed = st.expander(say("models.take.title"), key="take-layer", icon=":material/download:", on_change="rerun")
    if not closed.open or (run := again()) is None:
        return
    language, where, labels = spoken(), run.where, run.labels

    def trace() -> Trace:
        made = again()
        assert made is not None
        return made.trace

    files: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "script": (".py", "text/x-python", lambda: script(trace(), titles=_titles(language), heading=name)),
        "notebook": (
            ".ipynb",
            "application/x-ipynb+json",
            lambda: notebook(trace(), titles=_titles(language), heading=name),
        ),
        "npz": (".npz", "application/octet-stream", lambda: npz(trace())),
        "csv": ("-csv.zip", "application/zip", lambda: csv_archive(trace(), **where, labels=labels)),
    }
    with closed:
        st.markdown(say("models.take.text"))
        with st.container(horizontal=True):
            for kind, (ending, mime, make) in files.items():
                st.download_button(
                    say(f"takeaway.{kind}.label"),
                    make,
                    f"{name}{ending}",
                    mime,
                    key=f"take-layer-{kind}",
                    on_click="ignore",
                )


def _titles(language: str) -> dict[str, str]:
    return {row.id: say(f"step.{row.id}.title", language) for row in ROWS}
