"""What the page on fewer keys shows: who reads which key head, the mistake, and what a token costs in the cache."""

from functools import cache, partial

import streamlit as st
import torch

from attention.cache import PUBLISHED, cached_bytes
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.explain.latex import subscript
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.layout import figure_rows, page
from pages.shell.layout.rows import row
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.page_controls import FewerKeys

_HEADS, _N, _D = 8, 6, 4
_LONG = 128 * 1024


@cache
def _run(kv_heads: int) -> tuple[Trace, torch.Tensor]:
    """Attention of eight query heads, and its output with the key heads tiled in place of repeated."""
    generator = torch.Generator().manual_seed(3)
    sizes = (_HEADS, kv_heads, kv_heads)
    q, k, v = (torch.randn(heads, _N, _D, generator=generator, dtype=torch.float64) for heads in sizes)
    trace, group = Trace(), _HEADS // kv_heads
    scaled_dot_product_attention(q, k, v, enable_gqa=True, trace=trace)
    return trace, scaled_dot_product_attention(q, k.repeat(group, 1, 1), v.repeat(group, 1, 1))


@row
def readers() -> None:
    """Query heads and the key head that each reads; the slider chooses a query head."""
    chosen = FewerKeys.current()
    kv_heads = int(chosen.kv_of_8)
    trace, _ = _run(kv_heads)
    group, at = _HEADS // kv_heads, chosen.asks - 1
    reads = torch.arange(_HEADS)[:, None] // group == torch.arange(kv_heads)
    drawn = heatmap_of("reads", reads, "head", "kv_head", "binary")
    names = [str(head + 1) for head in range(_HEADS)]
    scores, cached = trace["scores"].value.numel(), 2 * trace["keys"].value.numel()
    note = say("fewer.reads_note", head=at + 1, key=at // group + 1, group=group, scores=scores, cached=cached)
    keys = heatmap_of("key-head", trace["keys"].of(head=at), "key", "feature")
    places, title = [str(place + 1) for place in range(_N)], say("fewer.key_head", key=at // group + 1)
    reads_figure = Figure(drawn, say("fewer.reads"), names, names[:kv_heads], note, outlined=[(at, at // group)])
    keys_figure = Figure(keys, title, places, names[:_D], say("fewer.key_note", head=at + 1))
    run, labels = compute(Config()), {"key": places}

    def explain(head: int, key: int) -> Explanation:
        return Explanation("given", "", (), float(reads[head, key]), f"R_{{{subscript(head, key)}}} =")

    figure_rows.row(
        "fewer-keys",
        figure_rows.ExplainedHeatmap(run, reads_figure, explain, labels),
        figure_rows.ExplainedHeatmap(run, keys_figure, partial(cell, trace, "keys", head=at), labels),
    )


@row
def tiled() -> None:
    """The mistake: key heads tiled in place of repeated, by query head."""
    trace, wrong = _run(int(FewerKeys.held("kv_of_8")))
    apart = (trace["output"].value - wrong).abs().amax((-2, -1)).tolist()
    header = say("fewer.query_head"), *(str(head + 1) for head in range(_HEADS))
    page.table(*header, rows=[[say("fewer.apart"), *(f"{far:.2g}" for far in apart)]])


@row
def cache_of_models() -> None:
    """Bytes of a token in the cache of published models, as they are and with a key head for each query head."""
    place = list(range(len(PUBLISHED)))
    made = {
        "fewer.now": [model.bytes() / 1024 for model in PUBLISHED],
        "fewer.unshared": [model.unshared() / 1024 for model in PUBLISHED],
    }
    series = [
        Series(say("fewer.unshared"), place, made["fewer.unshared"], "dots", colour=1),
        Series(say("fewer.now"), place, made["fewer.now"], "bars"),
    ]
    names = [model.name for model in PUBLISHED]
    least = min(PUBLISHED, key=lambda model: model.bytes() / model.unshared())
    note = say("fewer.cache_note", model=least.name, times=f"{least.unshared() / least.bytes():.0f}")
    x, y = Axis(say("fewer.model"), ticks=place, names=names), Axis(say("fewer.kib"), log=True)
    component.row("plot-fewer-cache", Chart("cache", say("fewer.cache"), series, x, y, note))
    header = (say("fewer.model"), say("fewer.sizes"), say("fewer.kib"), say("fewer.kib_unshared"), say("fewer.long"))
    rows = (
        [
            model.name,
            f"{model.layers} · {model.heads} · {model.kv_heads} · {model.d_k}",
            f"{model.bytes() / 1024:.4g}",
            f"{model.unshared() / 1024:.4g}",
            f"{model.bytes() * _LONG / 2**30:.3g} GiB",
        ]
        for model in PUBLISHED
    )
    page.table(*header, rows=rows)


@row
def own() -> None:
    """The same for sizes that are chosen."""
    chosen = FewerKeys.current()
    layers, d_k, heads = chosen.own_layers, int(chosen.own_d_k), int(chosen.kv_of_8)
    costs = {count: cached_bytes(layers, count, d_k) for count in (8, 4, 2, 1)}
    rows = ([str(count), f"{cost / 1024:.4g}", f"{cost * _LONG / 2**30:.3g} GiB"] for count, cost in costs.items())
    page.table(say("fewer.key_heads"), say("fewer.own_kib"), say("fewer.long"), rows=rows)
    st.markdown(say("fewer.own_note", kv_heads=heads, kib=f"{costs[heads] / 1024:.4g}"))
