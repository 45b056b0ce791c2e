"""A mask painted cell by cell on top of the one that is chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from attention.figures import LIMIT
from pages.shell.component.heatmap import Brush
from pages.shell.i18n import listed, say
from pages.shell.i18n.options import mask_word
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state import painted_cells
from pages.shell.state.url import written
from pages.shell.views import blocks, head_arcs, learned, steps
from pages.shell.views.blocks import Block
from pages.shell.views.masks.seen import is_plain, sees

_STEPS, _CHAPTER = ("mask",), "paint"
# Words that a note has room for.
_NAMED = 4


def board(screen: Screen) -> Iterator[Block]:
    """The mask, even if it hides nothing. A drag over cells, or a click or Enter on one, inverts them."""
    run = compute(screen.run.config, record_mask=True)
    sizes = run.trace.sizes
    looks = [learned.look(run, query) for query in range(min(sizes["query"], LIMIT))]
    under = {name: written(getattr(run.config, name)) for name in ("mask", "width", "length")}
    brush = Brush(
        "painted",
        run.config.painted,
        under,
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
        note=_said(run, min(head_arcs.asked_of(screen), sizes["query"] - 1)),
        titles=("asks", "seen"),
    )
    yield blocks.cards(_CHAPTER, [painted], run.labels, click=click)
    yield from steps.arithmetic(screen, run, _STEPS, _CHAPTER)


def _said(run: Run, query: int) -> str:
    """The note on the mask: what its name lets a word see, or what the painted cells change for the selected word; then
    the words that see nothing. If a mask does not do what its name says, the number of hidden pairs."""
    mask = run.matrix("mask")
    told = [*_painted(run, query)] if run.config.painted else [sees(run)] if is_plain(run) else []
    blind = (~mask.any(-1)).nonzero().flatten().tolist()
    if len(blind) > _NAMED:
        told.append(say("paint.blind_many", count=len(blind)))
    elif blind:
        told.append(say("paint.blind", words=_words(run, "query", blind)))
    return listed("sentence", told or [say("note.mask", hidden=int((~mask).sum()), pairs=mask.numel())])


def _painted(run: Run, query: int) -> Iterator[str]:
    """The painted changes in the row of a query, and the number of cells painted elsewhere."""
    mask = run.matrix("mask")[query]
    plain = compute(replace(run.config, painted=""), record_mask=True).matrix("mask")[query]
    word, turned = run.labels["query"][query], False
    for name, cells in (("hides", plain & ~mask), ("opens", mask & ~plain)):
        if found := cells.nonzero().flatten().tolist():
            turned = True
            if len(found) > _NAMED:
                yield say(f"paint.many.{name}", word=word, count=len(found))
            else:
                yield say(f"paint.row.{name}", word=word, words=_words(run, "key", found))
    count = len(painted_cells.cells(run.config.painted))
    if not turned:
        yield say("paint.cells", count=count) if count > 1 else say("paint.one_cell")
    elif elsewhere := count - int((plain != mask).sum()):
        yield say("paint.elsewhere", count=elsewhere)


def _words(run: Run, axis: str, places: Sequence[int]) -> str:
    return listed("comma", (say("note.named", token=run.labels[axis][at]) for at in places))


def how(_: Screen) -> Iterator[Block]:
    """How to paint cells, and how long they last."""
    yield blocks.text(say("paint.how"))
