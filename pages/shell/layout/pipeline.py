"""The pipeline of a page: every step small, one of them large, and the arithmetic of one of its cells beside it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from attention.analysis.backward import Backward
from attention.explain.chain import chain, line
from attention.inputs.names import along
from pages.shell import component
from pages.shell.component import strip
from pages.shell.component.heatmap import Card, Figure
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.layout import cell_panel, gradients, steps, telling, tiles
from pages.shell.layout.captions import part
from pages.shell.layout.cell import PARAMETER, Cell, point_at
from pages.shell.layout.chosen import Chosen, at_step, chosen
from pages.shell.layout.formula import formula
from pages.shell.layout.rows import answers, row
from pages.shell.layout.widgets import widget
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.kept import kept
from pages.shell.runs.run import Run
from pages.shell.runs.sources import Source, screen, whole
from pages.shell.state.config import Config
from pages.shell.state.page_controls import STEPS, Walkthrough
from pages.shell.state.parameters import set_parameter
from pages.shell.state.pending import set_controls

_STRIP, _CHOSEN, _PANEL, _GRADIENT = "pipeline-strip", "plot-pipeline", "pipeline", "plot-pipeline-back"
# The page that has every gradient.
_BACKWARD = Path(__file__).parents[2] / "backward.py"


def section(run: Source[Run], choose_head: Callable[[int], None] | None = None) -> None:
    """The strip, and beneath it the step that is chosen.

    choose_head: what the choice of a head, from 1, does where the run is not that of the shared screen; gradients are
    those of the shared screen alone.
    """
    # First: what a link asks for is known when the widgets have been drawn.
    controls()
    is_shared = choose_head is None
    at = Source(lambda: chosen(run()))
    above = st.container()
    if is_shared:
        # Below the strip, to which the first screen of a phone belongs, and drawn before it, which asks the widget.
        _switch()
    with above:
        # Not a source, for which the row would be given its answer.
        _strip(run, at, answers(partial(_choose, run.__call__, choose_head or _set_head)), is_shared)
    with st.container(key="pipeline"):
        with st.container(key="formula"):
            # The numbers of the run, which it does not have, change with every move.
            _formula(Source(lambda: formula(run(), at().step)))
        _large(run, at, is_shared)


@row
def _formula(text: str) -> None:
    st.markdown(text)


@row
def figures(run: Run, *ids: str, chapter: str) -> None:
    """A headed row of figures further down the page; a click on a cell chooses its step and itself above."""
    shown = steps.cards(run, ids, Cell.current(run))
    if shown:
        key = f"plot-{chapter}"
        component.cards(key, chapter, shown, answers(partial(_point, key, chapter)), opens="pipeline")


@row
def controls() -> None:
    """What a link says of a pipeline, which is kept where none is drawn."""
    # Bound to the address, as all controls are, and not to be seen: the strip is what one chooses with.
    with st.container(key="pipeline-held"):
        for name in ("step", "told", "backward_of"):
            widget(name)


@row
def _switch() -> None:
    """Whether the tiles are gradients; what stands beside it is there where they are."""
    with st.container(key="pipeline-backward", horizontal=True, vertical_alignment="center"):
        widget("backward")
        if not Walkthrough.held("backward"):
            return
        run, made = screen.read(), _gradients.read()
        st.markdown(gradients.sentence(run, made, _goal()))
        st.button(say("backward.from_here"), key="backward-from-here", on_click=answers(_differentiate))
        at = Walkthrough.held("backward_of")
        asked = {"goal_at": at} if at else None
        st.page_link(_BACKWARD, label=say("backward.all"), icon=":material/undo:", query_params=asked)


def _goal() -> Goal:
    return Goal.of("cell", Walkthrough.current().backward_of)


def _made() -> Backward:
    run = screen()
    return backward.found(run, _goal(), steps.focus_of(run))


# The number that is differentiated, where gradients are shown.
goal = Source(lambda: _goal() if Walkthrough.held("backward") else None)
_gradients = Source(_made, key=lambda: backward.key(screen(), _goal(), steps.focus_of(screen())))


def _differentiate() -> None:
    """Take the cell that stands large for the number that is differentiated."""
    at = chosen(screen())
    set_controls({"backward_of": f"{at.step}.{at.row}.{at.column}"})


@row
def _strip(run: Run, at: Chosen, choose: Callable[[], None], is_shared: bool) -> None:
    run, told = whole(run), Walkthrough.held("told")
    sentence = strip.Told(told, len(telling.STEPS), telling.sentence(run, told, at.query))
    marks = {"query": at.query} | ({} if at.key is None else {"key": at.key})
    is_backward = is_shared and Walkthrough.held("backward")
    if is_backward:
        shown = [tile.sent() for tile in tiles.backward_tiles(run, _gradients.read())]
    else:
        shown = kept(run, tiles.sent)
    strip.strip(_STRIP, shown, at.step, run.head, marks, sentence, choose, is_backward=is_backward)


@row
def _large(run: Run, at: Chosen, is_shared: bool) -> None:
    run = whole(run)
    if at.key is not None:
        st.markdown(kept(run, _chain, at.query, at.key))
    if not (is_shared and Walkthrough.held("backward")):
        # Columns would be two parts of the page more, with each move (first_screen.css).
        with st.container(key="large", horizontal=True):
            _figure(run, at)
            cell_panel.beside(kept(run, _arithmetic, at.cell), _PANEL)
        return
    # Where there is no room for both, one below the other, each with its arithmetic.
    forward, back = st.columns(2)
    with forward:
        _figure(run, at)
        cell_panel.beside(kept(run, _arithmetic, at.cell), _PANEL)
    with back:
        _gradient(run, _gradients.read(), at)


def _chain(run: Run, query: int, key: int) -> str:
    """A pair through all steps, in one line."""
    pair = code(run.labels["query"][query]), code(run.labels["key"][key])
    return f"{' → '.join(pair)}: ${line(chain(run.trace, query, key, **run.where), key)}$"


def _arithmetic(run: Run, cell: Cell) -> cell_panel.Panel:
    return cell.panel(run)


def _card(run: Run, step: str, cell: Cell | None) -> Card:
    [card] = steps.cards(run, [step], cell)
    return card


def _figure(run: Run, at: Chosen) -> None:
    card = kept(run, _card, at.step, Cell.current(run))
    seek = f"cell-{_PANEL}", st.query_params.get(PARAMETER, "")
    component.chosen(_CHOSEN, card, (at.row, at.column), answers(partial(_point, _CHOSEN, _PANEL)), seek)


def look_at(click: component.Click, place: str) -> None:
    """Choose a cell of a step, which stands large with it, and is told beside it."""
    point_at(click, place)
    _set(click.figure)


def _gradient(run: Run, made: Backward, at: Chosen) -> None:
    """The gradient of the step that stands large, and the arithmetic of the same cell of it."""
    title = say("backward.gradient", title=say(f"step.{at.step}.title"))
    if at.step not in made.gradients:
        st.markdown(say("backward.independent", title=title))
        return
    drawn = gradients.drawn(run, made, at.step)
    rows, columns = (along(run.labels, at.step, axis) for axis in (drawn.rows, drawn.columns))
    note = gradients.note(run, made, at.step)
    figure = Figure(drawn, title, rows, columns, note, part=part(run, run.trace[at.step]))
    component.chosen(_GRADIENT, figure, (at.row, at.column), answers(_point_back))
    cell_panel.beside(gradients.panel(run, made, at.step, at.row, at.column), "pipeline-back")


def _point_back() -> None:
    """Choose the cell of the gradient that was clicked: the same of the step."""
    click = component.clicked(_GRADIENT)
    if click is not None and click.figure.removeprefix(gradients.OF) in STEPS:
        step = click.figure.removeprefix(gradients.OF)
        look_at(component.Click(step, click.row, click.column, None), _PANEL)


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


def _set_head(head: int) -> None:
    set_controls({"head": Config.of({"head": str(head)}).head})


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
