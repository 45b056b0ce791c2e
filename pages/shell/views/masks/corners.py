"""The causal mask for the last tokens as queries and all tokens as keys: aligned to one corner or the other."""

from collections.abc import Iterator
from dataclasses import replace

from attention.comparisons.causal_corners import difference
from attention.masks import CORNERS
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.i18n.options import word
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block

_LAST = 3


def both(screen: Screen) -> Iterator[Block]:
    """The weights of the last queries at both corners, each with its PyTorch names and the difference from PyTorch."""
    run = screen.run
    yield blocks.heading(say("corners.title"))
    keys = len(run.labels["key"])
    last = min(run.config.last or _LAST, keys)
    # Aligned to the upper left corner, the last query sees as many keys as there are queries.
    told = say("corners.lead", last=last, keys=keys, first=last) if last < keys else say("corners.same", keys=keys)
    yield blocks.text(told)
    plain = replace(run.config, mask="causal", last=last, padding=False, painted="", dropout=0.0)
    yield from explained.row(
        screen, "corners", *(_figure(compute(replace(plain, corner=corner))) for corner in CORNERS)
    )


def _figure(run: Run) -> explained.ExplainedHeatmap:
    corner, mask = run.config.corner, run.matrix("mask")
    by_name = difference(run.trace, corner).items()
    names = listed("comma", (say("corners.torch", name=name, by=apart(by)) for name, by in by_name))
    seen = ", ".join(str(int(count)) for count in mask.sum(-1)[:8])
    note = say("corners.note", seen=seen, more=" …" if len(mask) > 8 else "", torch=names)
    caption = explained.Caption(corner, say("corners.corner", corner=word("corner", corner)), note)
    return explained.explained_heatmap(run, run.trace, "weights", caption, forbidden=~mask)
