"""The pipeline: every step small, one of them large, and the arithmetic of one of its cells beside it."""

from collections.abc import Iterator

from attention.analysis.backward import Backward
from attention.explain.chain import chain
from attention.explain.latex import number
from attention.inputs.names import along
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.runs import backward
from pages.shell.runs.backward import Goal
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import looks
from pages.shell.state.page_controls import Walkthrough
from pages.shell.views import blocks, cells, gradients, steps, telling, tiles
from pages.shell.views.blocks import Block, Settings
from pages.shell.views.captions import part
from pages.shell.views.chosen import Chosen, at_step, chosen, opened
from pages.shell.views.formula import formula as written
from pages.shell.views.line_breaks import broken

# The address's name of this part of a page.
PLACE = "pipeline"


def strip(screen: Screen, chooses: str = "head", *, alone: bool = True) -> Iterator[Block]:
    """All steps as small heatmaps. A click on one chooses it, with its cell of the chosen pair.

    chooses: the control that a click on a head sets; alone: whether nothing else on the page shows all heads and tells
    the steps one by one.
    """
    run = screen.run
    count = len(telling.steps(run))
    told = min(screen.own(Walkthrough).told, count)
    at = chosen(screen, run)
    sentence = telling.sentence(run, told, at.query)
    made = _gradients(screen)
    if made is None:
        shown = tiles.lettered_once(tiles.tiles(run, bands=alone))
    else:
        shown = tiles.backward_tiles(run, made, bands=alone)
    yield {
        "kind": "strip",
        "tiles": [tile.sent() | {"sets": _chosen(screen, run, tile.id, at)} for tile in shown],
        "step": at.step,
        "head": run.head,
        "chooses": chooses,
        "at": {"query": at.query} | ({} if at.key is None else {"key": at.key}),
        "told": {
            "at": told,
            "of": count,
            "text": sentence,
            "sets": [{"told": "0"}, *(_told(screen, run, number, at) for number in range(1, count + 1))],
        },
        "backward": made is not None,
        "edges": tiles.edges(run),
        "quiet": not alone and not told,
    }


def _chosen(screen: Screen, run: Run, step: str, at: Chosen) -> dict[str, str]:
    """The settings that choose a step, empty for the default one of a link. The told sentence follows the step."""
    sets = {"step": "" if step == opened(run) else step}
    if screen.own(Walkthrough).told:
        sets["told"] = str(telling.nearest(run, step))
    if screen.step_at(run) is not None:
        now = at_step(run, step, at.query, at.key) if step in run.trace else None
        sets["cell"] = "" if now is None else f"{now.step}.{now.row}.{now.column}.{PLACE}"
    return sets


def _told(screen: Screen, run: Run, number: int, at: Chosen) -> dict[str, str]:
    return _chosen(screen, run, telling.step_of(run, number), at) | {"told": str(number)}


def formula(screen: Screen) -> Iterator[Block]:
    """Multi-head attention as one formula, the part of the chosen step lit."""
    run = screen.run
    yield {"kind": "formula", "markdown": written(run, chosen(screen, run).step)}


def large(screen: Screen) -> Iterator[Block]:
    """The chosen step, with the arithmetic of its chosen cell."""
    run = screen.run
    at, made = chosen(screen, run), _gradients(screen)
    if at.key is not None:
        yield {"kind": "chain", "markdown": _chain(run, at.query, at.key)}
    shown = steps.cards(run, [at.step], screen.query(run))
    click = {"cell": f"{{figure}}.{{row}}.{{column}}.{PLACE}", "step": "{figure}"} | _told_with(screen, run, at.step)
    yield blocks.cards("", shown, run.labels, click=click, at=(at.row, at.column))
    yield blocks.panel(cells.panel(run, at.place), closes=False)
    if made is not None:
        yield from _gradient(run, made, at, click)


def _told_with(screen: Screen, run: Run, step: str) -> dict[str, str]:
    return {"told": str(telling.nearest(run, step))} if screen.own(Walkthrough).told else {}


def _chain(run: Run, query: int, key: int) -> str:
    """A pair through all steps, in one line."""
    pair = code(run.labels["query"][query]), code(run.labels["key"][key])
    links = chain(run.trace, query, key, **run.where)
    taken = rf"$\rightarrow\; {number(links[-1].value)} \cdot$ {say('why.value_of', word=pair[1])}"
    left = say("why.left_out", count=links[0].left) if links[0].left else ""
    return f"{' → '.join(pair)}: {' '.join(broken(link.latex) for link in links)} {taken} {left}".rstrip()


def backwards(screen: Screen) -> Iterator[Block]:
    """The differentiated number, if the tiles are gradients."""
    run, made = screen.run, _gradients(screen)
    if made is None:
        return
    at = chosen(screen, run)
    yield blocks.text(gradients.sentence(run, made, goal(screen)))
    from_here = {"backward_of": f"{at.step}.{at.row}.{at.column}"}
    yield blocks.buttons((say("backward.from_here"), False, from_here))


def goal(screen: Screen) -> Goal:
    """The differentiated number, if gradients are shown."""
    return Goal.of("cell", screen.own(Walkthrough).backward_of)


def _gradients(screen: Screen) -> Backward | None:
    # The layer of a trained model has no switch for gradients.
    if not screen.own(Walkthrough).backward or not looks(screen.page):
        return None
    return backward.found(screen.run, goal(screen), steps.focus_of(screen.run))


def _gradient(run: Run, made: Backward, at: Chosen, click: Settings) -> Iterator[Block]:
    """The gradient of the large step, and the arithmetic of its corresponding cell."""
    title = say("backward.gradient", title=say(f"step.{at.step}.title"))
    if at.step not in made.gradients:
        yield blocks.text(say("backward.independent", title=title))
        return
    drawn = gradients.drawn(run, made, at.step)
    rows, columns = (along(run.labels, at.step, axis) for axis in (drawn.rows, drawn.columns))
    note = gradients.note(run, made, at.step)
    figure = Figure(drawn, title, rows, columns, note, part=part(run, run.trace[at.step]))
    # A click on a cell of the gradient chooses the same cell of the step.
    click = {name: text.replace("{figure}", at.step) for name, text in click.items()}
    yield blocks.cards("", [figure], {}, click=click, at=(at.row, at.column))
    yield blocks.panel(gradients.panel(run, made, at.step, at.row, at.column), closes=False)


def figures(screen: Screen, *ids: str, chapter: str) -> Iterator[Block]:
    """A headed row of figures further down the page; a click on a cell chooses its step and itself above."""
    run = screen.run
    shown = steps.cards(run, ids, screen.query(run))
    if shown:
        click = {"cell": f"{{figure}}.{{row}}.{{column}}.{chapter}", "step": "{figure}"}
        yield blocks.cards(chapter, shown, run.labels, click=click, opens=PLACE)
