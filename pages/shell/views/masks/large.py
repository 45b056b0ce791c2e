"""Minus infinity, −1e9 and the smallest number of a dtype, for a query that may attend to nothing."""

from collections.abc import Iterator

import torch

from attention.comparisons.hiding import DTYPES, WAYS, hidden
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

_EVEN = 1e-3


def numbers(screen: Screen) -> Iterator[Block]:
    """The effect of each way to hide on a row of the screen, in each dtype: all keys hidden, then all but the first."""
    yield blocks.heading(say("large.title"))
    yield blocks.text(say("large.lead"))
    scores = screen.run.matrix("scaled")[-1].cpu()
    nothing = torch.zeros(len(scores), dtype=torch.bool)
    rows = [
        [say(f"large.way.{way}"), *(_kind(hidden(scores, nothing, way, dtype), scores, dtype) for dtype in DTYPES)]
        for way in WAYS
    ]
    yield blocks.table(say("table.way"), *(str(dtype).removeprefix("torch.") for dtype in DTYPES), rows=rows)
    first = nothing.clone()
    first[0] = True
    found = [
        (hidden(scores, first, way, dtype), hidden(scores, first, "infinity", dtype))
        for way in WAYS
        for dtype in DTYPES
    ]
    most = max(float((one - other).abs().max()) for one, other in found if one is not None and other is not None)
    yield blocks.text(say("large.visible", difference=apart(most)))


def _kind(weights: torch.Tensor | None, scores: torch.Tensor, dtype: torch.dtype) -> str:
    """The weights of a row whose keys are all hidden, in words; None stands for an error."""
    if weights is None:
        return say("large.kind.raises")
    if weights.isnan().any():
        return say("large.kind.nan")
    if float((weights - scores.to(dtype).softmax(-1)).abs().max()) < _EVEN:
        return say("large.kind.unmasked")
    return say("large.kind.uniform" if float(weights.max() - weights.min()) < _EVEN else "large.kind.other")
