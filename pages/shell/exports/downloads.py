"""What is on the screen as files: a script, a notebook, all tensors, tables for a spreadsheet, sheets for a pen."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from attention.export.script import notebook, script
from attention.export.tables import csv_archive, npz
from pages.shell.exports import worksheet
from pages.shell.exports.address import app_address
from pages.shell.i18n import say, spoken
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import expander
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import DEFAULTS, Config
from pages.shell.state.url import written

# A longer script is packed numbers for the most part, and every update would send it again.
_READ = 24_000


@dataclass(frozen=True)
class _File:
    """ending: what follows preset and seed in the name; made from a run, in a language, with the address of the app."""

    ending: str
    mime: str
    make: Callable[[Run, str, str], str | bytes]


def _script(run: Run, language: str, base: str) -> str:
    return script(run.trace, titles=_titles(language), heading=_heading(run, language, base))


def _notebook(run: Run, language: str, base: str) -> str:
    return notebook(run.trace, titles=_titles(language), heading=_heading(run, language, base))


def _csv(run: Run, language: str, base: str) -> bytes:
    return csv_archive(run.trace, **run.where, labels=run.labels)


FILES: dict[str, _File] = {
    "script": _File(".py", "text/x-python", _script),
    "notebook": _File(".ipynb", "application/x-ipynb+json", _notebook),
    "npz": _File(".npz", "application/octet-stream", lambda run, language, base: npz(run.trace)),
    "csv": _File("-csv.zip", "application/zip", _csv),
}


@row
def section(run: Run) -> None:
    """The files of the screen, behind a line that opens: closed, a slider that is moved does not pay for them."""
    closed = expander("takeaway", say("takeaway.title"), ":material/download:")
    if closed.open:
        with closed:
            _buttons(run)
            _worksheets(run)
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
                partial(made, kind, run.config, spoken(), app_address()),
                name(kind, run),
                file.mime,
                key=f"take-{kind}",
                on_click="ignore",
            )
    # Not as `help` of the buttons: a phone shows none, and each button would be drawn twice.
    told = (say(f"takeaway.{kind}.text", sentence=run.sentence + 1, head=run.head + 1) for kind in FILES)
    st.markdown("\n".join(f"- {text}" for text in told))


def _worksheets(run: Run) -> None:
    """A page to print, with as many sheets as there are students."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input(
            say("worksheet.count"),
            1,
            worksheet.MOST,
            help=say("worksheet.count_help"),
            key="take-sheets",
            width=200,
        )
        st.download_button(
            say("worksheet.label", numbers=worksheet.numbers(run.config.seed, count)),
            partial(worksheet.made, run.config, count, spoken(), _link(run.config, app_address())),
            worksheet.name(run.config, count),
            "text/html",
            key="take-worksheet",
            on_click="ignore",
        )
    st.markdown(say("worksheet.text"))


def _preview(run: Run) -> None:
    """The script to read, for those who want to."""
    if not st.toggle(say("takeaway.preview"), key="take-preview"):
        return
    text = _script(run, spoken(), app_address())
    if len(text) <= _READ:
        st.code(text, language="python")
    else:
        st.markdown(say("takeaway.long", size=_bytes(len(text))))


def made(kind: str, config: Config, language: str, base: str = "/") -> str | bytes:
    """A file of what is on a screen. A click runs this in a thread of the server, which knows neither the visitor's
    language nor the address of the app."""
    return FILES[kind].make(compute(config), language, base)


def name(kind: str, run: Run) -> str:
    """The name of a file: preset and seed, and, where it holds no more than them, sentence and head."""
    shown = f"-sentence{run.sentence + 1}-head{run.head + 1}" if kind == "csv" else ""
    return f"attention-{run.config.preset}-seed{run.config.seed}{shown}{FILES[kind].ending}"


def _titles(language: str) -> dict[str, str]:
    return {row.id: say(f"step.{row.id}.title", language) for row in ROWS}


def _heading(run: Run, language: str, base: str) -> str:
    """Where the numbers come from: the link that shows them, and the tokens."""
    tokens = (f"{number}: {' '.join(sentence)}" for number, sentence in enumerate(run.inputs.tokens, 1))
    return "\n".join([say("takeaway.heading", language), _link(run.config, base), *tokens])


def _link(config: Config, base: str) -> str:
    chosen = {field.name: getattr(config, field.name) for field in fields(Config)}
    return (
        f"{base}?{urlencode({key: written(value) for key, value in chosen.items() if value != getattr(DEFAULTS, key)})}"
    )


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
