"""Which query head reads which key head, and the mistake that shapes do not tell."""

from collections.abc import Iterator
from functools import cache, partial

import torch
from torch import Tensor

from attention.explain.cell import cell
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.component.sharing import Sharing
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap

_HEADS, _N, _D = 8, 6, 4


@cache
def _run(kv_heads: int) -> tuple[Trace, Tensor]:
    """Attention of eight query heads, and its output with the key heads tiled in place of repeated."""
    generator = torch.Generator().manual_seed(3)
    sizes = (_HEADS, kv_heads, kv_heads)
    q, k, v = (torch.randn(heads, _N, _D, generator=generator, dtype=torch.float64) for heads in sizes)
    trace, group = Trace(), _HEADS // kv_heads
    scaled_dot_product_attention(q, k, v, enable_gqa=True, trace=trace)
    return trace, scaled_dot_product_attention(q, k.repeat(group, 1, 1), v.repeat(group, 1, 1))


def readers(screen: Screen) -> Iterator[Block]:
    """Query heads and the key head that each reads; a click chooses a query head."""
    chosen = screen.own(FewerKeys)
    kv_heads = int(chosen.kv_of_8)
    trace, _ = _run(kv_heads)
    group, at = _HEADS // kv_heads, chosen.asks - 1
    scores, cached = trace["scores"].value, torch.cat([trace[id].value for id in ("keys", "values")], -1)
    reads = [say("fewer.reads_key", head=head + 1, key=head // group + 1) for head in range(_HEADS)]
    labels = {
        "queries": say("fewer.queries", heads=_HEADS),
        "kept": say("fewer.kept", heads=kv_heads),
        "query": say("fewer.query_head"),
        "key": say("fewer.key_heads"),
        "kind": say("fewer.kind"),
        "keys": say("fewer.keys"),
    }
    note = say(
        "fewer.reads_note",
        head=at + 1,
        key=at // group + 1,
        group=group,
        scores=scores.numel(),
        cached=cached.numel(),
    )
    drawn = Sharing("reads", say("fewer.reads"), scores.numpy(), cached.numpy(), at, reads, labels, note)
    yield blocks.figures(drawn, click={"asks": "{row_number}"})


def one(screen: Screen) -> Iterator[Block]:
    """The scores of the query head that is chosen, and the keys that it reads."""
    chosen = screen.own(FewerKeys)
    kv_heads, at = int(chosen.kv_of_8), chosen.asks - 1
    trace, _ = _run(kv_heads)
    key = at // (_HEADS // kv_heads)
    places, features = ([str(place + 1) for place in range(size)] for size in (_N, _D))
    scores = heatmap_of("head-scores", trace["scores"].of(head=at), "query", "key")
    keys = heatmap_of("key-head", trace["keys"].of(head=at), "key", "feature")
    run, labels = compute(Config()), {"query": places, "key": places, "feature": features}
    title = say("fewer.head_scores", head=at + 1)
    scores_figure = Figure(scores, title, places, places, say("fewer.scores_note", key=key + 1))
    keys_figure = Figure(keys, say("fewer.key_head", key=key + 1), places, features, say("fewer.key_note", head=at + 1))
    yield from explained.row(
        screen,
        "fewer-keys",
        ExplainedHeatmap(run, scores_figure, partial(cell, trace, "scores", head=at), labels),
        ExplainedHeatmap(run, keys_figure, partial(cell, trace, "keys", head=at), labels),
    )


def tiled(screen: Screen) -> Iterator[Block]:
    """The mistake: key heads tiled in place of repeated, by query head."""
    trace, wrong = _run(int(screen.own(FewerKeys).kv_of_8))
    apart = (trace["output"].value - wrong).abs().amax((-2, -1)).tolist()
    yield blocks.text(say("fewer.tiled"))
    header = say("fewer.query_head"), *(str(head + 1) for head in range(_HEADS))
    yield blocks.table(*header, rows=[[say("fewer.apart"), *(digits(far, 2) for far in apart)]])
