"""Downloads of the screen: a script, a notebook, all tensors, tables for a spreadsheet, worksheets."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from attention.export.backward import backward_notebook, backward_script
from attention.export.script import notebook, script
from attention.export.tables import csv_archive, npz
from pages.shell.exports import worksheet
from pages.shell.exports.address import app_address
from pages.shell.exports.printer import numbers
from pages.shell.i18n import listed, say, spoken
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import expander
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import DEFAULTS, Config
from pages.shell.state.page_controls import Walkthrough
from pages.shell.state.url import written
from pages.shell.views.gradients import OF
from pages.shell.views.steps import focus_of

# A longer script is packed numbers for the most part, and every update would send it again.
_READ = 24_000


@dataclass(frozen=True)
class _File:
    """ending: what follows preset and seed in the name; made from a run, in a language, under a heading."""

    ending: str
    mime: str
    make: Callable[[Run, str, str], str | bytes]


def _script(run: Run, language: str, heading: str) -> str:
    return script(run.trace, titles=_titles(language), heading=heading)


def _notebook(run: Run, language: str, heading: str) -> str:
    return notebook(run.trace, titles=_titles(language), heading=heading)


def _csv(run: Run, language: str, heading: str) -> bytes:
    return csv_archive(run.trace, **run.where, labels=run.labels)


FILES: dict[str, _File] = {
    "script": _File(".py", "text/x-python", _script),
    "notebook": _File(".ipynb", "application/x-ipynb+json", _notebook),
    "npz": _File(".npz", "application/octet-stream", lambda run, language, heading: npz(run.trace)),
    "csv": _File("-csv.zip", "application/zip", _csv),
}
# Those that go on with the gradients of a number, where one is asked for.
_WITH_GRADIENTS: dict[str, Callable[..., str]] = {"script": backward_script, "notebook": backward_notebook}


@part
def section() -> None:
    """The files of the screen, behind a line that opens: closed, a slider that is moved does not pay for them.

    Where gradients are shown, script, notebook and worksheets have them, too.
    """
    closed = expander("takeaway", say("takeaway.title"), ":material/download:")
    if closed.open:
        depends_on(Config)
        depends_on(Walkthrough)
        run, asked = compute(Config.current()), Walkthrough.current()
        goal = Goal.of("cell", asked.backward_of) if asked.backward else None
        with closed:
            _buttons(run, goal)
            worksheets(run, goal)
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


def worksheets(run: Run, goal: Goal | None) -> None:
    """A page to print, with as many sheets as there are students. goal: the number whose gradients the screen shows;
    where there is one, each sheet has a page on gradients."""
    is_back, link = goal is not None, _link(run.config, app_address(), goal)
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
            partial(worksheet.made, run.config, count, spoken(), link, is_back),
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
    text = str(made("script", run.config, spoken(), goal, app_address()))
    if len(text) <= _READ:
        st.code(text, language="python")
    else:
        st.markdown(say("takeaway.long", size=_bytes(len(text))))


def made(kind: str, config: Config, language: str, goal: Goal | None = None, address: str = "/") -> str | bytes:
    """A file of what is on a screen. A click runs this in a thread of the server, which has no visitor's language.

    goal: the number whose gradients the screen shows, with which a script and a notebook go on; address: of the app.
    """
    run = compute(config)
    heading = _heading(run, language, _link(config, address, goal))
    if goal is None or kind not in _WITH_GRADIENTS:
        return FILES[kind].make(run, language, heading)
    found = backward.found(run, goal, focus_of(run))
    read_by = {id: found.read_by(id) for id in found.gradients}
    titles = _titles(language)
    titles |= {f"{OF}{id}": say("backward.gradient", language, title=title) for id, title in titles.items()}
    return _WITH_GRADIENTS[kind](found.forward, found.gradients, read_by, titles=titles, heading=heading)


def name(kind: str, run: Run) -> str:
    """The name of a file: preset and seed, and, where it holds no more than them, sentence and head."""
    shown = f"-sentence{run.sentence + 1}-head{run.head + 1}" if kind == "csv" else ""
    return f"attention-{run.config.preset}-seed{run.config.seed}{shown}{FILES[kind].ending}"


def _titles(language: str) -> dict[str, str]:
    return {row.id: say(f"step.{row.id}.title", language) for row in ROWS}


def _heading(run: Run, language: str, link: str) -> str:
    """Where the numbers come from: the link that shows them, and the tokens."""
    tokens = (f"{number}: {' '.join(sentence)}" for number, sentence in enumerate(run.inputs.tokens, 1))
    return "\n".join([say("takeaway.heading", language), link, *tokens])


def _link(config: Config, address: str, goal: Goal | None) -> str:
    """Of the screen on the walkthrough, or, with a number that is differentiated, on the page on gradients."""
    held = {field.name: getattr(config, field.name) for field in fields(Config)}
    chosen = {name: written(value) for name, value in held.items() if value != getattr(DEFAULTS, name)}
    page, asked = ("", {}) if goal is None else ("backward", goal.parameters)
    return f"{address}{page}?{urlencode(chosen | asked)}"


def _bytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"
