"""Padding: what has to be hidden in a batch of sentences of different length, and why columns and not rows."""

from dataclasses import replace

import streamlit as st
from torch import Tensor

from attention.analysis.rerun import rerun
from attention.comparisons.empty_rows import ANSWERS
from attention.masks import padding
from attention.trace import Trace
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.layout import figure_rows, page
from pages.shell.layout.rows import row
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config


@row
def columns(run: Run) -> None:
    """The shorter of two sentences, padded: with its padding hidden as keys, then as queries too, then not at all."""
    batch = _batch(run.config)
    length, n = batch.inputs.lengths[batch.sentence], len(batch.tokens)
    alone = compute(replace(batch.config, text=" ".join(batch.tokens[:length]), sentence=1)).trace["weights"].value[0]
    keys = padding(batch.inputs.lengths, n, device=alone.device)
    both = rerun(batch.trace, mask=keys & keys.mT)
    seen = rerun(batch.trace, mask=keys | True)
    st.subheader(say("padded.title"), anchor=False)
    st.markdown(say("padded.lead", length=length, n=n))
    figure_rows.row("padded", _figure(batch, batch.trace, "columns"), _figure(batch, both, "rows"))
    rows = [
        _line(way, trace["weights"].value[batch.sentence], alone, length)
        for way, trace in (("columns", batch.trace), ("rows", both), ("nothing", seen))
    ]
    q, k = (batch.trace[id].value[batch.sentence, batch.head].cpu() for id in ("queries", "keys"))
    plain = ANSWERS["softmax"](q[length:], k).sum(-1)
    rows.insert(2, [say("padded.way.softmax"), figure_rows.span(plain), "–"])
    with st.container(key="padded-table"):
        page.table(say("padded.hidden"), say("padded.sums"), say("padded.alone"), rows=rows)
    st.code(_code_of(batch), language="python")


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


def _figure(run: Run, trace: Trace, way: str) -> figure_rows.ExplainedHeatmap:
    n, length, weights = len(run.tokens), run.inputs.lengths[run.sentence], trace["weights"].value
    keys = padding([length], n, device=weights.device)[0, 0]
    forbidden = ~keys.expand(n, n) if way == "columns" else ~(keys & keys.mT)
    sums = figure_rows.span(weights[run.sentence, run.head, length:].sum(-1))
    caption = figure_rows.Caption(way, say(f"padded.way.{way}"), say("padded.note", count=n - length, sums=sums))
    return figure_rows.explained_heatmap(run, trace, "weights", caption, forbidden=forbidden)


def _line(way: str, weights: Tensor, alone: Tensor, length: int) -> list[str]:
    """What is hidden, the sums of the padded rows, and how far the others are from those of the sentence alone."""
    difference = float((weights[:, :length, :length] - alone).abs().max())
    return [say(f"padded.way.{way}"), figure_rows.span(weights[:, length:].sum(-1)), apart(difference)]
