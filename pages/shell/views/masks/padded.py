"""Padding: what has to be hidden in a batch of sentences of different length, and why columns and not rows."""

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor

from attention.analysis.rerun import rerun
from attention.comparisons.empty_rows import ANSWERS
from attention.masks import padding
from attention.trace import Trace
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block


def columns(screen: Screen) -> Iterator[Block]:
    """The shorter of two sentences, padded: with its padding hidden as keys, then as queries too."""
    batch = _batch(screen.run.config)
    yield blocks.heading(say("padded.title"))
    yield blocks.text(say("padded.lead", length=batch.inputs.lengths[batch.sentence], n=len(batch.tokens)))
    drawn = (_figure(batch, trace, way) for way, trace in list(_ways(batch).items())[:2])
    yield from explained.row(screen, "padded", *drawn)


def sums(screen: Screen) -> Iterator[Block]:
    """What came of the rows of padding and of the others, each way, and with nothing hidden."""
    batch = _batch(screen.run.config)
    length = batch.inputs.lengths[batch.sentence]
    alone = compute(replace(batch.config, text=" ".join(batch.tokens[:length]), sentence=1)).trace["weights"].value[0]
    rows = [_line(way, trace["weights"].value[batch.sentence], alone, length) for way, trace in _ways(batch).items()]
    q, k = (batch.trace[id].value[batch.sentence, batch.head].cpu() for id in ("queries", "keys"))
    plain = ANSWERS["softmax"](q[length:], k).sum(-1)
    rows.insert(2, [say("padded.way.softmax"), explained.span(plain), "–"])
    yield blocks.table(say("padded.hidden"), say("padded.sums"), say("padded.alone"), rows=rows)


def code(screen: Screen) -> Iterator[Block]:
    """The mask of the columns, as it is handed over."""
    yield blocks.code(_code_of(_batch(screen.run.config)))


def _ways(batch: Run) -> dict[str, Trace]:
    """The padding hidden as keys, as queries too, and not at all."""
    weights = batch.trace["weights"].value
    keys = padding(batch.inputs.lengths, len(batch.tokens), device=weights.device)
    both, seen = rerun(batch.trace, mask=keys & keys.mT), rerun(batch.trace, mask=keys | True)
    return {"columns": batch.trace, "rows": both, "nothing": seen}


def _code_of(batch: Run) -> str:
    """Lines that run: they expect Q, K and V (batch, heads, n, d)."""
    lengths, n = list(batch.inputs.lengths), len(batch.tokens)
    return (
        "import torch\nfrom torch.nn import functional as F\n\n"
        f"lengths = torch.tensor({lengths})\n"
        f"is_token = torch.arange({n}) < lengths[:, None]  # (B, n)\n"
        f"mask = is_token[:, None, None, :]  # (B, 1, 1, n): {say('padded.code')}\n"
        "F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)"
    )


def _batch(config: Config) -> Run:
    """The sentences of the screen where they differ in length, else an example; the sentence is one that is padded."""
    plain = replace(config, mask="full", padding=True, painted="", last=0, dropout=0.0)
    run = compute(plain)
    if min(run.inputs.lengths) == max(run.inputs.lengths):
        run = compute(replace(plain, preset="random", text=say("padded.example").replace(" / ", "\n")))
    lengths = run.inputs.lengths
    chosen = run.sentence if lengths[run.sentence] < max(lengths) else lengths.index(min(lengths))
    return replace(run, config=replace(run.config, sentence=chosen + 1))


def _figure(run: Run, trace: Trace, way: str) -> explained.ExplainedHeatmap:
    n, length, weights = len(run.tokens), run.inputs.lengths[run.sentence], trace["weights"].value
    keys = padding([length], n, device=weights.device)[0, 0]
    forbidden = ~keys.expand(n, n) if way == "columns" else ~(keys & keys.mT)
    sums = explained.span(weights[run.sentence, run.head, length:].sum(-1))
    caption = explained.Caption(way, say(f"padded.way.{way}"), say("padded.note", count=n - length, sums=sums))
    return explained.explained_heatmap(run, trace, "weights", caption, forbidden=forbidden)


def _line(way: str, weights: Tensor, alone: Tensor, length: int) -> list[str]:
    """What is hidden, the sums of the padded rows, and how far the others are from those of the sentence alone."""
    difference = float((weights[:, :length, :length] - alone).abs().max())
    return [say(f"padded.way.{way}"), explained.span(weights[:, length:].sum(-1)), apart(difference)]
