"""The pipeline of a page: every step small, one of them large, and the arithmetic of one of its cells beside it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from attention.explain.chain import chain, line
from pages.shell import component
from pages.shell.component import strip
from pages.shell.component.heatmap import Card
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.layout import cell_panel
from pages.shell.layout.cell import PARAMETER, Cell
from pages.shell.layout.chosen import Chosen, at_step, chosen
from pages.shell.layout.rows import answers, row
from pages.shell.layout.widgets import widget
from pages.shell.runs.backward import Goal
from pages.shell.runs.kept import kept
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source, whole
from pages.shell.state.page_controls import STEPS, Walkthrough
from pages.shell.state.parameters import set_parameter
from pages.shell.state.pending import set_controls
from pages.shell.views import panel, steps, telling, tiles
from pages.shell.views.formula import formula
from pages.shell.views.prose import html

_STRIP, _CHOSEN, _PANEL, _GRADIENT = "pipeline-strip", "plot-pipeline", "pipeline", "plot-pipeline-back"
# The page that has every gradient.
_BACKWARD = Path(__file__).parents[2] / "backward.py"


def section(run: Source[Run], choose_head: Callable[[int], None]) -> None:
    """The strip of a run that is not that of the shared screen, and beneath it the step that is chosen.

    choose_head: what the choice of a head, from 1, does.
    """
    at = Source(lambda: chosen(run()))
    # Not a source, for which the row would be given its answer.
    _strip(run, at, answers(partial(_choose, run.__call__, choose_head)))
    with st.container(key="pipeline"):
        with st.container(key="formula"):
            # The numbers of the run, which it does not have, change with every move.
            _formula(Source(lambda: formula(run(), at().step)))
        _large(run, at)


@row
def _formula(text: str) -> None:
    st.html(html(text))


@row
def switch() -> None:
    """Whether the tiles are gradients, and where the whole of the gradients is."""
    with st.container(key="pipeline-backward", horizontal=True, vertical_alignment="center"):
        widget("backward")
        if Walkthrough.held("backward"):
            at = Walkthrough.held("backward_of")
            asked = {"goal_at": at} if at else None
            st.page_link(_BACKWARD, label=say("backward.all"), icon=":material/undo:", query_params=asked)


def _goal() -> Goal:
    return Goal.of("cell", Walkthrough.current().backward_of)


# The number that is differentiated, where gradients are shown.
goal = Source(lambda: _goal() if Walkthrough.held("backward") else None)


@row
def _strip(run: Run, at: Chosen, choose: Callable[[], None]) -> None:
    run, told = whole(run), Walkthrough.held("told")
    sentence = strip.Told(told, len(telling.STEPS), telling.sentence(run, told, at.query))
    marks = {"query": at.query} | ({} if at.key is None else {"key": at.key})
    strip.strip(_STRIP, kept(run, tiles.sent), at.step, run.head, marks, sentence, choose)


@row
def _large(run: Run, at: Chosen) -> None:
    run = whole(run)
    if at.key is not None:
        st.markdown(kept(run, _chain, at.query, at.key))
    # Columns would be two parts of the page more, with each move (first_screen.css).
    with st.container(key="large", horizontal=True):
        _figure(run, at)
        cell_panel.beside(kept(run, _arithmetic, at.cell), _PANEL)


def _chain(run: Run, query: int, key: int) -> str:
    """A pair through all steps, in one line."""
    pair = code(run.labels["query"][query]), code(run.labels["key"][key])
    return f"{' → '.join(pair)}: ${line(chain(run.trace, query, key, **run.where), key)}$"


def _arithmetic(run: Run, cell: Cell) -> panel.Panel:
    return cell.panel(run)


def _card(run: Run, step: str, cell: Cell | None) -> Card:
    [card] = steps.cards(run, [step], cell.query(run) if cell else None)
    return card


def _figure(run: Run, at: Chosen) -> None:
    card = kept(run, _card, at.step, Cell.current(run))
    seek = f"cell-{_PANEL}", st.query_params.get(PARAMETER, "")
    component.chosen(_CHOSEN, card, (at.row, at.column), answers(partial(_point, _CHOSEN, _PANEL)), seek)


def _point(key: str, place: str) -> None:
    """Choose the cell that was clicked, and its step."""
    Cell.report(key, place)
    click = component.clicked(key)
    if click is not None and click.figure in STEPS:
        _set(click.figure)


def _choose(now: Callable[[], Run], choose_head: Callable[[int], None]) -> None:
    """Choose the step, the head or the sentence that the browser reports, input from outside like any other."""
    choice = component.choice(_STRIP)
    if choice.get("step") in STEPS:
        _go(choice["step"], now())
    elif "told" in choice:
        told = min(max(choice["told"], 0), len(telling.STEPS))
        if told:
            _go(telling.STEPS[told - 1], now())
        set_controls({"told": told})
    if "head" in choice:
        choose_head(choice["head"])


def _go(step: str, run: Run) -> None:
    """Choose a step, and in it the cell of the pair that is looked at."""
    if Cell.current(run) is not None:
        now: Chosen | None = at_step(run, step, chosen(run))
        if now is None:
            Cell.close()
        else:
            set_parameter(PARAMETER, f"{now.step}.{now.row}.{now.column}.{_PANEL}")
    _set(step)


def _set(step: str) -> None:
    told = Walkthrough.current().told
    # The sentence that is told stays with the step.
    set_controls({"step": step} | ({"told": telling.nearest(step)} if told else {}))
