"""One dropout mask: row sums against their expected spread, and how far the two modes are apart."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.shell.component.chart import Series
from pages.shell.i18n import say
from pages.shell.runs.of_page import DROPOUT
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.dropout.by_query import by_query, positions

# Of float32 weights that sum to one.
_ROUNDING = 1e-6


def which_p(screen: Screen) -> Iterator[Block]:
    """The p that the keep-mask is drawn with."""
    p = screen.config.dropout
    yield blocks.text(say("dropping.p_is", p=f"{p:.2f}") if p else say("dropping.p_instead", p=f"{DROPOUT:.2f}"))


def sums(screen: Screen) -> Iterator[Block]:
    """Row sums of one draw, beside their expected spread."""
    run = screen.run
    yield blocks.heading(say("dropping.sums_title"))
    if "dropped" not in run.trace:
        yield blocks.text(say("dropping.inference"))
        return
    a, z = (run.matrix(id).cpu().double() for id in ("weights", "dropped"))
    p, total = run.config.dropout, z.sum(-1)
    visible = a.sum(-1) > 0
    counts: dict[str, Any] = {
        "above": int((total > 1 + _ROUNDING).sum()),
        "lost": int((total[visible] == 0).sum()),
        "rows": int(visible.sum()),
        "single": int((z > 1 + _ROUNDING).sum()),
        "pairs": int((a > 0).sum()),
        "largest": f"{float(z.max()):.2f}",
    }
    yield blocks.text(say("dropping.sums", factor=f"{1 / (1 - p):.4g}", p=f"{p:.2f}", **counts))
    spread = (p / (1 - p) * a.square().sum(-1)).sqrt()
    x, mean = positions(run), a.sum(-1)
    series = [
        Series(say("dropping.expected"), x, mean, "theory", (mean - 2 * spread).clamp_min(0), mean + 2 * spread, 1),
        Series(say("dropping.this_draw"), x, total, "dots"),
    ]
    note = say("dropping.sums_note", low=f"{float(total.min()):.2f}", high=f"{float(total.max()):.2f}")
    yield blocks.figures(by_query(run, "sums", series, say("dropping.row_sum"), note))


def difference(screen: Screen) -> Iterator[Block]:
    """How far the two modes are apart, in one number."""
    both = [compute(replace(screen.run.config, mode=mode)) for mode in ("training", "inference")]
    one, other = (each.matrix("output") for each in both)
    yield blocks.text(say("dropping.difference", difference=f"{float((one - other).abs().max()):.2f}"))
