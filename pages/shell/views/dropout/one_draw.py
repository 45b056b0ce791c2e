"""One dropout mask: row sums against their expected spread, and the difference between the two modes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from pages.shell.component.chart import Series
from pages.shell.i18n import say
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.dropout.by_query import by_query, positions

# Rounding of float32 weights that sum to one.
_ROUNDING = 1e-6


def which_p(screen: Screen) -> Iterator[Block]:
    """The p that the page opens with; nothing after a reader has chosen one."""
    if "dropout" not in screen.parameters:
        yield blocks.text(say("dropping.p_instead", p=f"{screen.config.dropout:.2f}"))


def sums(screen: Screen) -> Iterator[Block]:
    """Row sums of one draw, beside their expected spread."""
    run = screen.run
    yield blocks.heading(say("dropping.sums_title"))
    if "dropped" not in run.trace:
        yield blocks.text(say("dropping.inference" if run.config.mode == "inference" else "dropping.zero"))
        return
    a, total = run.matrix("weights").cpu().double(), _total(run)
    p, above = run.config.dropout, int((total > 1 + _ROUNDING).sum())
    yield blocks.text(say("dropping.sums_short", above=above, rows=int((a.sum(-1) > 0).sum())))
    spread = (p / (1 - p) * a.square().sum(-1)).sqrt()
    x, mean = positions(run), a.sum(-1)
    # A row that keeps all of its weight sums to that over 1 - p; no draw has more.
    low, high = (mean - 2 * spread).clamp_min(0), torch.minimum(mean + 2 * spread, mean / (1 - p))
    # The lines' names stand in the second half, where there is room: at the largest sum.
    half = len(x) // 2
    most = half + int(total[half:].argmax())
    ends = {"expected": (float(x[-1]), float(mean[-1])), "this_draw": (float(x[most]), float(total[most]))}
    series = [
        Series(
            say("dropping.spread"),
            x,
            mean,
            "theory",
            low,
            high,
            1,
            said=(*ends["expected"], say("dropping.expected")),
        ),
        Series(say("dropping.this_draw"), x, total, "dots", said=(*ends["this_draw"], say("dropping.this_draw"))),
    ]
    note = say(
        "dropping.sums_note", head=run.head + 1, low=f"{float(total.min()):.2f}", high=f"{float(total.max()):.2f}"
    )
    yield blocks.figures(by_query(run, "sums", series, say("dropping.row_sum"), note))


def counts(screen: Screen) -> Iterator[Block]:
    """The number of rows and weights of one draw above one, and of lost rows."""
    run = screen.run
    if "dropped" not in run.trace:
        return
    a, z, total = run.matrix("weights").cpu(), run.matrix("dropped").cpu().double(), _total(run)
    p, visible = run.config.dropout, a.sum(-1) > 0
    told: dict[str, Any] = {
        "above": int((total > 1 + _ROUNDING).sum()),
        "lost": int((total[visible] == 0).sum()),
        "rows": int(visible.sum()),
        "single": int((z > 1 + _ROUNDING).sum()),
        "pairs": int((a > 0).sum()),
        "largest": f"{float(z.max()):.2f}",
    }
    yield blocks.text(say("dropping.sums", factor=f"{1 / (1 - p):.4g}", p=f"{p:.2f}", **told))


def _total(run: Run) -> Tensor:
    return run.matrix("dropped").cpu().double().sum(-1)


def difference(screen: Screen) -> Iterator[Block]:
    """The difference between the two modes, in one number."""
    both = [compute(replace(screen.run.config, mode=mode)) for mode in ("training", "inference")]
    one, other = (each.matrix("output") for each in both)
    yield blocks.text(say("dropping.difference", difference=f"{float((one - other).abs().max()):.2f}"))
