"""Which query head reads which key head, what merging costs, and the mistake that shapes do not tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

import torch
from torch import Tensor

from attention.experiments import learning
from attention.experiments.shared_keys import averaged
from attention.explain.cell import cell
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.inputs import shared_keys
from attention.inputs.grammar import EXAMPLE, read
from attention.inputs.shared_keys import SETTING, UPDATES
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

_HEADS = SETTING.heads


@dataclass(frozen=True)
class _Merged:
    """The layer whose key heads were averaged. right: the share of the test questions that it answers rightly; later:
    the same once it was trained on."""

    trace: Trace
    right: float
    later: float


@cache
def _merged(kv_heads: int) -> _Merged:
    """One of four, of as many key heads as the control offers."""
    layer = averaged(kv_heads)
    trace, ready = Trace(), layer.prepared((read(EXAMPLE.split()),))
    with torch.inference_mode():
        layer.module(ready.inputs.x, trace=trace)
        right = learning.measure(layer).mean
        later = right if kv_heads == _HEADS else learning.measure(shared_keys.shipped(kv_heads)).mean
        return _Merged(trace, right, later)


def right(kv_heads: int) -> float:
    """The share of the test questions that the layer answers rightly with so many key heads."""
    return _merged(kv_heads).right


def _words() -> list[str]:
    return EXAMPLE.split()


def _numbers(trace: Trace, id: str) -> Tensor:
    """Of the one sentence: (heads, words, numbers)."""
    return trace[id].value[0]


def readers(screen: Screen) -> Iterator[Block]:
    """Query heads, the key head that each reads, the cache and the answers; a click chooses a query head."""
    chosen = screen.own(FewerKeys)
    kv_heads = int(chosen.kv_of_8)
    merged, whole = _merged(kv_heads), _merged(_HEADS)
    group, at = _HEADS // kv_heads, chosen.asks - 1
    cached, uncached = (torch.cat([_numbers(of.trace, id) for id in ("keys", "values")], -1) for of in (merged, whole))
    reads = [say("fewer.reads_key", head=head + 1, key=head // group + 1) for head in range(_HEADS)]
    sizes = {"cached": f"{cached.numel():,}", "of": f"{uncached.numel():,}"}
    labels = {
        "queries": say("fewer.queries", heads=_HEADS),
        "sentence": say("fewer.sentence", queries=say("fewer.queries", heads=_HEADS), sentence=EXAMPLE),
        "kept": say("fewer.kept", heads=kv_heads),
        "query": say("fewer.query_head"),
        "key": say("fewer.key_heads"),
        "kind": say("fewer.kind"),
        "keys": say("fewer.keys"),
        "cache": say("fewer.cache_bar", **sizes),
        "right": _answers(merged, kv_heads),
    }
    note = (
        say("fewer.reads_all", heads=_HEADS)
        if kv_heads == _HEADS
        else say("fewer.reads_note", times=group, updates=UPDATES)
    )
    drawn = Sharing(
        "reads",
        say("fewer.reads"),
        _numbers(merged.trace, "scores").numpy(),
        cached.numpy(),
        at,
        reads,
        cached.numel() / uncached.numel(),
        (merged.right, merged.later),
        labels,
        note,
    )
    yield blocks.figures(drawn, click={"asks": "{row_number}"})


def _answers(merged: _Merged, kv_heads: int) -> str:
    if kv_heads == _HEADS:
        return say("fewer.right_bar_all", share=f"{merged.right:.3f}")
    return say("fewer.right_bar", share=f"{merged.right:.3f}", later=f"{merged.later:.3f}")


def one(screen: Screen) -> Iterator[Block]:
    """The scores of the query head that is chosen, and the keys that it reads."""
    chosen = screen.own(FewerKeys)
    kv_heads, at = int(chosen.kv_of_8), chosen.asks - 1
    trace = _merged(kv_heads).trace
    key, words = at // (_HEADS // kv_heads), _words()
    features = [str(place + 1) for place in range(SETTING.d_k)]
    scores = heatmap_of("head-scores", trace["scores"].of(batch=0, head=at), "query", "key")
    keys = heatmap_of("key-head", trace["keys"].of(batch=0, head=at), "key", "feature")
    run, labels = compute(Config()), {"query": words, "key": words, "feature": features}
    title = say("fewer.head_scores", head=at + 1)
    scores_figure = Figure(scores, title, words, words, say("fewer.scores_note", key=key + 1))
    keys_figure = Figure(keys, say("fewer.key_head", key=key + 1), words, features, say("fewer.key_note", head=at + 1))
    yield from explained.row(
        screen,
        "fewer-keys",
        ExplainedHeatmap(run, scores_figure, partial(cell, trace, "scores", batch=0, head=at), labels),
        ExplainedHeatmap(run, keys_figure, partial(cell, trace, "keys", batch=0, head=at), labels),
    )


def tiled(screen: Screen) -> Iterator[Block]:
    """The mistake: key heads tiled in place of repeated, by query head."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    trace = _merged(kv_heads).trace
    q, k, v = (_numbers(trace, id) for id in ("queries", "keys", "values"))
    k, v = (one.repeat(_HEADS // kv_heads, 1, 1) for one in (k, v))
    wrong = scaled_dot_product_attention(q, k, v)
    apart = (_numbers(trace, "output") - wrong).abs().amax((-2, -1)).tolist()
    yield blocks.text(say("fewer.tiled"))
    header = say("fewer.query_head"), *(str(head + 1) for head in range(_HEADS))
    yield blocks.table(*header, rows=[[say("fewer.apart"), *(digits(far, 2) for far in apart)]])
