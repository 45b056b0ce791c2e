"""A mask painted cell by cell on top of the one that is chosen."""

from collections.abc import Iterator
from dataclasses import replace

from attention.figures import LIMIT
from pages.shell.component.heatmap import Brush
from pages.shell.i18n import say
from pages.shell.runs.run import earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks, learned, steps
from pages.shell.views.blocks import Block

_STEPS, _CHAPTER = ("mask",), "paint"


def board(screen: Screen) -> Iterator[Block]:
    """The mask, also where it hides nothing; dragging over its cells, a click or Enter on one turns them round."""
    run = compute(screen.run.config, record_mask=True)
    sizes = run.trace.sizes
    looks = [learned.look(run, query) for query in range(min(sizes["query"], LIMIT))]
    brush = Brush("painted", run.config.painted, earlier(sizes["query"], sizes["key"]), say("paint.undo"), looks)
    (mask,) = steps.cards(run, _STEPS, screen.query(run))
    click = {"cell": f"{{figure}}.{{row}}.{{column}}.{_CHAPTER}"}
    yield blocks.cards(_CHAPTER, [replace(mask, brush=brush, crossed=True, outlined=())], run.labels, click=click)
    yield from steps.arithmetic(screen, run, _STEPS, _CHAPTER)


def how(_: Screen) -> Iterator[Block]:
    """How cells are painted, and for how long."""
    yield blocks.text(say("paint.how"))
