"""Downloads of the screen: a script, a notebook, all tensors, tables for a spreadsheet, worksheets."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from attention.export import backward as export
from attention.export.script import notebook, script
from attention.export.tables import csv_archive, npz
from pages.shell.exports import worksheet
from pages.shell.exports.address import app_address
from pages.shell.exports.printer import numbers
from pages.shell.i18n import listed, say, spoken
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.layout.rows import row
from pages.shell.layout.steps import focus_of
from pages.shell.layout.widgets import expander
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import DEFAULTS, Config
from pages.shell.state.url import written

# A longer script is packed numbers for the most part, and every update would send it again.
_READ = 24_000


@dataclass(frozen=True)
class _File:
    """ending: what follows preset and seed in the name; made from a run, in a language, with links to the app at an
    address."""

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
def section(run: Run, goal: Goal | None) -> None:
    """The files of the screen, behind a line that opens: closed, a slider that is moved does not pay for them.

    goal: the number whose gradients are shown, where they are: the script and the worksheets then have them, too.
    """
    closed = expander("takeaway", say("takeaway.title"), ":material/download:")
    if closed.open:
        with closed:
            _buttons(run, goal)
            worksheets(run, is_back=goal is not None)
            _preview(run, goal)


def _buttons(run: Run, goal: Goal | None) -> None:
    """A button for each file, which is made when it is asked for."""
    size = sum(step.value.numel() * step.value.element_size() for step in run.trace.values())
    st.markdown(say("takeaway.lead", steps=len(run.trace), size=_bytes(size)))
    with st.container(horizontal=True):
        for kind, file in FILES.items():
            st.download_button(
                say(f"takeaway.{kind}.label"),
                # The screen and not its record, which would stay in memory until the next one.
                partial(made, kind, run.config, spoken(), goal, app_address()),
                name(kind, run),
                file.mime,
                key=f"take-{kind}",
                on_click="ignore",
            )
    # Not as `help` of the buttons: a phone shows none, and each button would be drawn twice.
    told = (say(f"takeaway.{kind}.text", sentence=run.sentence + 1, head=run.head + 1) for kind in FILES)
    st.markdown("\n".join(f"- {text}" for text in told))
    if goal is not None:
        st.markdown(say("takeaway.backward"))


def worksheets(run: Run, *, is_back: bool) -> None:
    """A page to print, with as many sheets as there are students. is_back: whether each has a page on gradients."""
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
            say("worksheet.label", numbers=numbers(run.config.seed, count)),
            partial(worksheet.made, run.config, count, spoken(), _link(run.config, app_address()), is_back),
            worksheet.name(run.config, count),
            "text/html",
            key="take-worksheet",
            on_click="ignore",
        )
    said = [say("worksheet.text")]
    if missing := worksheet.left_out(run, is_back):
        named = listed("comma", (say(f"control.{name}.label") for name in missing))
        said.append(say("worksheet.left_out", names=named))
    st.markdown(listed("sentence", said))


def _preview(run: Run, goal: Goal | None) -> None:
    """The script to read, for those who want to."""
    if not st.toggle(say("takeaway.preview"), key="take-preview"):
        return
    told = spoken(), app_address()
    text = _script(run, *told) if goal is None else backward_script(run, goal, *told)
    if len(text) <= _READ:
        st.code(text, language="python")
    else:
        st.markdown(say("takeaway.long", size=_bytes(len(text))))


def made(kind: str, config: Config, language: str, goal: Goal | None = None, base: str = "/") -> str | bytes:
    """A file of what is on a screen. A click runs this in a thread of the server, which has no visitor's language.

    base: the address of the app, with a slash at its end, by which the file names its screen. goal: the number
    whose gradients a script goes on with.
    """
    run = compute(config)
    told = language, base
    return backward_script(run, goal, *told) if goal and kind == "script" else FILES[kind].make(run, *told)


def backward_script(run: Run, goal: Goal, language: str, base: str) -> str:
    """Every step of a run, and then every gradient of a number of it."""
    found = backward.found(run, goal, focus_of(run))
    read_by = {id: found.read_by(id) for id in found.gradients}
    titles, heading = _titles(language), _heading(run, language, base)
    return export.backward_script(found.forward, found.gradients, read_by, titles=titles, heading=heading)


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
    asked = {key: written(value) for key, value in chosen.items() if value != getattr(DEFAULTS, key)}
    return f"{base}?{urlencode(asked)}"


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
