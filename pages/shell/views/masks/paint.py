"""A mask painted cell by cell on top of the one that is chosen."""

from collections.abc import Iterator
from dataclasses import replace

from attention.figures import LIMIT
from pages.shell.component.heatmap import Brush
from pages.shell.i18n import listed, say
from pages.shell.i18n.options import mask_word
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks, head_arcs, learned, steps
from pages.shell.views.blocks import Block
from pages.shell.views.masks.seen import is_plain, sees

_STEPS, _CHAPTER = ("mask",), "paint"


def board(screen: Screen) -> Iterator[Block]:
    """The mask, also where it hides nothing; dragging over its cells, a click or Enter on one turns them round."""
    run = compute(screen.run.config, record_mask=True)
    sizes = run.trace.sizes
    looks = [learned.look(run, query) for query in range(min(sizes["query"], LIMIT))]
    brush = Brush(
        "painted",
        run.config.painted,
        run.config.mask,
        earlier(sizes["query"], sizes["key"]),
        say("paint.undo"),
        looks,
        head_arcs.asked_of(screen),
    )
    (mask,) = steps.cards(run, _STEPS, screen.query(run))
    click = {"cell": f"{{figure}}.{{row}}.{{column}}.{_CHAPTER}"}
    painted = replace(
        mask,
        brush=brush,
        crossed=True,
        outlined=(),
        part=mask_word(run.config.mask, is_painted=bool(run.config.painted)),
        note=_said(run, mask.note),
    )
    yield blocks.cards(_CHAPTER, [painted], run.labels, click=click)
    yield from steps.arithmetic(screen, run, _STEPS, _CHAPTER)


def _said(run: Run, counted: str) -> str:
    """What the mask lets a word see, and how much it hides: of a causal one also where painted cells hide more."""
    if is_plain(run):
        return listed("sentence", (sees(run), counted))
    return listed("sentence", (say("mask.sees.causal"), counted)) if _hides_future(run) else counted


def _hides_future(run: Run) -> bool:
    """Whether a causal mask, whatever is painted on it, still shows no word what comes after it."""
    later = 1 + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    return run.config.used_mask == "causal" and not run.matrix("mask").triu(later).any()


def how(_: Screen) -> Iterator[Block]:
    """How cells are painted, and for how long."""
    yield blocks.text(say("paint.how"))
