"""What is on the screen as files: a script, a notebook, all tensors, and the matrices for a spreadsheet."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from attention.export import notebook, script
from attention.tables import csv_archive, npz
from pages.shell.controls import DEFAULTS, Config
from pages.shell.knobs import written
from pages.shell.run import Run
from pages.shell.run import run as compute
from pages.shell.text import say
from pages.shell.words import ROWS

# A longer script is packed numbers for the most part, and every update would send it again.
_READ = 24_000


@dataclass(frozen=True)
class _File:
    """ending: what follows preset and seed in the name; made from a run."""

    ending: str
    mime: str
    make: Callable[[Run], str | bytes]


def _script(run: Run) -> str:
    return script(run.trace, titles=_titles(), heading=_heading(run))


def _notebook(run: Run) -> str:
    return notebook(run.trace, titles=_titles(), heading=_heading(run))


def _csv(run: Run) -> bytes:
    return csv_archive(run.trace, batch=run.sentence, head=run.head, labels=run.labels)


FILES: dict[str, _File] = {
    "script": _File(".py", "text/x-python", _script),
    "notebook": _File(".ipynb", "application/x-ipynb+json", _notebook),
    "npz": _File(".npz", "application/octet-stream", lambda run: npz(run.trace)),
    "csv": _File("-csv.zip", "application/zip", _csv),
}


def section(run: Run) -> None:
    """The files of the screen, behind a line that opens: closed, a slider that is moved does not pay for them."""
    closed = st.expander(say("takeaway.title"), key="takeaway", icon=":material/download:", on_change="rerun")
    if closed.open:
        with closed:
            _buttons(run)
            _preview(run)


def _buttons(run: Run) -> None:
    """A button for each file, which is made when it is asked for."""
    size = sum(step.value.numel() * step.value.element_size() for step in run.trace.values())
    st.markdown(say("takeaway.lead", steps=len(run.trace), size=_bytes(size)))
    with st.container(horizontal=True):
        for kind, file in FILES.items():
            st.download_button(
                say(f"takeaway.{kind}.label"),
                # The screen and not its record, which would stay in memory until the next one.
                partial(made, kind, run.config),
                name(kind, run),
                file.mime,
                key=f"take-{kind}",
                on_click="ignore",
            )
    # Not as `help` of the buttons: a phone shows none, and each button would be drawn twice.
    told = (say(f"takeaway.{kind}.text", sentence=run.sentence + 1, head=run.head + 1) for kind in FILES)
    st.markdown("\n".join(f"- {text}" for text in told))


def _preview(run: Run) -> None:
    """The script to read, for those who want to."""
    if not st.toggle(say("takeaway.preview"), key="take-preview"):
        return
    text = _script(run)
    if len(text) <= _READ:
        st.code(text, language="python")
    else:
        st.markdown(say("takeaway.long", size=_bytes(len(text))))


def made(kind: str, config: Config) -> str | bytes:
    """A file of what is on a screen. A click runs this outside the script, in a thread of the server."""
    return FILES[kind].make(compute(config))


def name(kind: str, run: Run) -> str:
    """The name of a file: preset and seed, and, where it holds no more than them, sentence and head."""
    shown = f"-sentence{run.sentence + 1}-head{run.head + 1}" if kind == "csv" else ""
    return f"attention-{run.config.preset}-seed{run.config.seed}{shown}{FILES[kind].ending}"


def _titles() -> dict[str, str]:
    return {row.id: say(f"step.{row.id}.title") for row in ROWS}


def _heading(run: Run) -> str:
    """Where the numbers come from: the link that shows them, and the tokens."""
    chosen = {field.name: getattr(run.config, field.name) for field in fields(Config)}
    link = urlencode({key: written(value) for key, value in chosen.items() if value != getattr(DEFAULTS, key)})
    tokens = (f"{number}: {' '.join(sentence)}" for number, sentence in enumerate(run.inputs.tokens, 1))
    return "\n".join([say("takeaway.heading"), f"/?{link}", *tokens])


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
