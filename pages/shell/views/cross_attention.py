"""Cross-attention: queries from one text, keys and values from another, rectangular weights, and context = x."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import CROSS
from pages.shell.views import blocks, steps
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.registry import View, view


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


def _row(chapter: str, *ids: str) -> View:
    return View(f"{CROSS}.{chapter}", lambda screen: steps.row(screen, *ids, chapter=chapter))


crossed = _row("crossed", "weights", "output")
two_texts = _row("two_texts", "x", "context")
projections = _row("projections", "queries", "keys", "values")
scores = _row("scores", "scores", "scaled")
mask = _row("mask", "mask", "masked")
dropout = _row("dropout", "kept", "dropped")
joined = _row("joined", "concat", "projected")


@view
def sums(screen: Screen) -> Iterator[Block]:
    """Which side softmax sums over."""
    weights = screen.run.matrix("weights")
    columns, seeing = weights.sum(0), int(weights.any(-1).sum())
    n_q, n_k = weights.shape
    low, high, mean = (f"{float(number):.2f}" for number in (columns.min(), columns.max(), columns.mean()))
    yield blocks.text(say("cross.sums", seeing=seeing, n_q=n_q, n_k=n_k, low=low, high=high, mean=mean))


@view
def same(screen: Screen) -> Iterator[Block]:
    """Self-attention is the case context = x: computed both ways, and put into the screen by a button."""
    run = screen.run
    yield blocks.heading(say("cross.same_title"))
    is_same = run.context is not None and run.context.tokens == run.inputs.tokens
    crossed, alone = run if is_same else compute(run.config, context=run.config.text), compute(run.config)
    off = max(
        float((crossed.trace[id].value - alone.trace[id].value).abs().max())
        for id in ("weights", "output", "projected")
    )
    yield blocks.text(say("cross.same", difference=apart(off) if off else "0"))
    if is_same:
        yield blocks.text(say("cross.is_same", n=len(run.tokens)))
    else:
        yield blocks.buttons((say("cross.put"), False, {"context": run.config.text}))
