"""Masks: all of them on one sentence, one painted by hand, ways to hide the future, padding, and the empty row."""

from collections.abc import Iterator
from dataclasses import replace

from attention.masks import MASKS
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.state.page_controls import Masks
from pages.shell.views import blocks, head_arcs, steps
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.masks import chosen as choosing
from pages.shell.views.masks import consequence, corners, dropped, future, hidden, large, lost, padded, paint, seen
from pages.shell.views.masks import says as saying
from pages.shell.views.masks import studio as composing
from pages.shell.views.registry import View, view


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.sizes(screen)
    run = screen.run
    if run.context is None:
        yield blocks.text(say("mask.reading"))
    if "mask" in run.trace and (blind := (~run.matrix("mask").any(-1)).nonzero().flatten().tolist()):
        words = listed("comma", (say("note.named", token=plain(run.labels["query"][at])) for at in blind))
        yield blocks.text(say("mask.empty_rows", tokens=words))


@view
def notes(screen: Screen) -> Iterator[Block]:
    yield from ledgers.typed(screen)
    yield from ledgers.notes(screen)


@view
def layers(screen: Screen) -> Iterator[Block]:
    """The masks with a layer of their own, trained with that mask, and a button that goes back to the one layer."""
    if screen.run.config.preset == LEARNED and screen.run.config.trained:
        own = [word("mask", mask) for mask in MASKS if learned.is_own(replace(screen.run.config, mask=mask))]
        if own:
            yield blocks.text(say("mask.own_layers", masks=listed("comma", own)))
        yield blocks.buttons((say("learned.one_layer"), False, {"trained": ""}))


@view
def every_mask(screen: Screen) -> Iterator[Block]:
    yield from steps.every_mask(screen, screen.own(Masks).every_mask, chapter="every_mask")


@view
def one_mask(screen: Screen) -> Iterator[Block]:
    yield from steps.row(screen, "scaled", "mask", "masked", "weights", chapter="one_mask")


chosen = View("masks.chosen", choosing.chosen)
studio = View("masks.studio", composing.studio)
checks = View("masks.studio_checks", composing.checks)
arcs = View("masks.seen", seen.arcs)
says = View("masks.says", saying.answered)
asked = View("masks.lost", lost.asked)
board = View("masks.paint", paint.board)
unpainted = View("masks.dropped", dropped.told)
consequences = View("masks.consequence", consequence.told)
how = View("masks.paint_how", paint.how)
polarity = View("masks.polarity", hidden.polarity)
forms = View("masks.forms", hidden.forms)
four_ways = View("masks.future", future.four_ways)
columns = View("masks.padded", padded.columns)
sums = View("masks.padded_table", padded.sums)
code = View("masks.padded_code", padded.code)
empty_row = View("masks.empty", hidden.empty_row)
numbers = View("masks.large_negatives", large.numbers)
both = View("masks.corners", corners.both)
