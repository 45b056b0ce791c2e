"""Padding in a batch of sentences of different length: why its columns are hidden and not its rows."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from attention.analysis.rerun import rerun
from attention.comparisons.empty_rows import ANSWERS
from attention.masks import padding
from attention.trace import Trace
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import blocks, explained, guess
from pages.shell.views.blocks import Block


def columns(screen: Screen) -> Iterator[Block]:
    """Weights of the shorter of two sentences, padded: with nothing hidden and, after the guess, with its padding
    hidden as keys, then as queries too."""
    batch, waits = _batch(screen.run), guess.waits(screen, "padding")
    if not waits:
        yield blocks.heading(say("padded.title"))
    told = [say("padded.lead", length=batch.inputs.lengths[batch.sentence], n=len(batch.tokens))]
    if batch.config.text != screen.run.config.text:
        told.append(say("padded.beginning" if _begins(screen.run, batch) else "padded.instead"))
    yield blocks.text(listed("sentence", told if waits else (*told, say("padded.why"))))
    ways = _ways(batch)
    shown = ("nothing",) if waits else ("nothing", "columns", "rows")
    yield from explained.row(screen, "padded", *(_figure(batch, ways[way], way) for way in shown))


def sums(screen: Screen) -> Iterator[Block]:
    """The sums of the padded rows, and the error of the other rows, for each way to hide and with nothing hidden."""
    if guess.waits(screen, "padding"):
        return
    batch = _batch(screen.run)
    length = batch.inputs.lengths[batch.sentence]
    alone = compute(replace(batch.config, text=" ".join(batch.tokens[:length]), sentence=1)).trace["weights"].value[0]
    rows = [_line(way, trace["weights"].value[batch.sentence], alone, length) for way, trace in _ways(batch).items()]
    q, k = (batch.trace[id].value[batch.sentence, batch.head].cpu() for id in ("queries", "keys"))
    plain = ANSWERS["softmax"](q[length:], k).sum(-1)
    rows.insert(2, [say("padded.way.softmax"), explained.span(plain), "–"])
    yield blocks.table(say("padded.hidden"), say("padded.sums"), say("padded.alone"), rows=rows)


def code(screen: Screen) -> Iterator[Block]:
    """The mask of the columns as code."""
    if not guess.waits(screen, "padding"):
        yield blocks.code(_code_of(_batch(screen.run)))


def _begins(shown: Run, batch: Run) -> bool:
    """Whether the first sentence of the batch is the shown one."""
    return batch.config.text.partition("\n")[0] == " ".join(shown.tokens)


def _ways(batch: Run) -> dict[str, Trace]:
    """The traces with the padding hidden as keys, as queries too, and not at all."""
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


def _batch(shown: Run) -> Run:
    """The sentences of the screen if they differ in length; else the shown one with its beginning, or an example if the
    words of the preset are no text. The chosen sentence is a padded one."""
    plain = replace(shown.config, mask="full", padding=True, painted="", last=0, dropout=0.0)
    run, tokens = compute(plain), list(shown.tokens)
    if min(run.inputs.lengths) == max(run.inputs.lengths):
        own = shown.config.preset in (LEARNED, "random") and len(tokens) > 1
        text = "\n".join((" ".join(tokens), " ".join(tokens[: len(tokens) // 2])))
        example = replace(plain, preset="random", text=say("padded.example").replace(" / ", "\n"))
        run = compute(replace(plain, text=text) if own else example)
    lengths = run.inputs.lengths
    chosen = run.sentence if lengths[run.sentence] < max(lengths) else lengths.index(min(lengths))
    return replace(run, config=replace(run.config, sentence=chosen + 1))


def _figure(run: Run, trace: Trace, way: str) -> explained.ExplainedHeatmap:
    n, length, weights = len(run.tokens), run.inputs.lengths[run.sentence], trace["weights"].value
    keys = padding([length], n, device=weights.device)[0, 0]
    hidden = {"nothing": torch.zeros_like(keys), "columns": ~keys, "rows": ~(keys & keys.mT)}
    own = weights[run.sentence, run.head]
    note = say("padded.note", count=n - length, sums=explained.span(own[length:].sum(-1)))
    if way == "nothing":
        note = say("padded.leak", share=f"{own[:length, length:].sum(-1).mean():.0%}")
    caption = explained.Caption(way, say(f"padded.way.{way}"), note)
    forbidden = hidden[way].expand(n, n)
    return explained.explained_heatmap(run, trace, "weights", caption, forbidden=forbidden)


def _line(way: str, weights: Tensor, alone: Tensor, length: int) -> list[str]:
    """The way to hide, the sums of the padded rows, and the others' largest difference from the sentence alone."""
    difference = float((weights[:, :length, :length] - alone).abs().max())
    return [say(f"padded.way.{way}"), explained.span(weights[:, length:].sum(-1)), apart(difference)]
