"""Decoding token by token: a cache that grows row by row, the work of both ways, and the causal corner."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attention.cache import Cache, dot_products, projected_tokens
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.explain.latex import subscript
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.masks import CORNERS, grid
from attention.trace import Trace
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import OneToken
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.registry import view

N, _D_K = 12, 8
_QUERIES, _KEYS = 2, 5


@cache
def _drawn() -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(5)
    q, k, v = torch.randn(3, N, _D_K, generator=generator)
    return q, k, v


@cache
def _full() -> Trace:
    trace = Trace()
    scaled_dot_product_attention(*_drawn(), mask=grid("causal", N, N), trace=trace)
    return trace


@cache
def _stepped() -> tuple[list[Trace], Tensor]:
    """The record of each token on its own, with what its cache held, and all outputs (n, d_v)."""
    past, traces, outputs = Cache(), [], []
    for at in range(N):
        traces.append(Trace())
        query, key, value = (each[at : at + 1] for each in _drawn())
        outputs.append(scaled_dot_product_attention(query, key, value, past=past, trace=traces[-1]))
    return traces, torch.cat(outputs)


@view
def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and what the token that is written costs with a cache and without one."""
    tokens = screen.own(OneToken).token_at
    given: dict[str, Any] = {"tokens": tokens, "cached": tokens - 1}
    for name, counted in (("dots", dot_products), ("projected", projected_tokens)):
        given |= {f"{name}_{way}": counted(tokens, cached=way == "cached") for way in ("cached", "again")}
    yield blocks.player(tokens, N, say("one_token.told", **given), {"token_at": "{told}"}, first=1)


@view
def grows(screen: Screen) -> Iterator[Block]:
    """The weights of the tokens so far, one row from each step, beside those of one pass."""
    tokens = screen.own(OneToken).token_at
    traces, outputs = _stepped()
    full, names = _full(), [str(place + 1) for place in range(N)]
    rows = torch.zeros(tokens, N)
    for at in range(tokens):
        rows[at, : at + 1] = traces[at]["weights"].value[0]
    unseen = torch.ones(N, N, dtype=torch.bool).triu(1)
    stepped = heatmap_of("stepped", rows, "query", "key", "probability", forbidden=unseen[:tokens], hidden=0.0)
    whole = heatmap_of("whole", full["weights"].value, "query", "key", "probability", forbidden=unseen, hidden=0.0)
    far = float((outputs - full["output"].value)[:tokens].abs().max())
    same = int((outputs == full["output"].value)[:tokens].sum())
    last = say("one_token.row", cached=tokens - 1)
    note = say("one_token.same", difference=apart(far), same=same, all=tokens * _D_K)
    run, labels = compute(Config()), {"query": names, "key": names}

    def explain_step(at: int, key: int) -> Explanation:
        # A key that comes later is no key of this step: it is masked in the one pass.
        return cell(traces[at], "weights", 0, key) if key <= at else cell(full, "weights", at, key)

    title = say("one_token.stepped", tokens=tokens)
    by_step = Figure(stepped, title, names[:tokens], names, last)
    at_once = Figure(whole, say("one_token.whole"), names, names, note)
    yield from explained.row(
        screen,
        "one-token",
        ExplainedHeatmap(run, by_step, explain_step, labels),
        ExplainedHeatmap(run, at_once, partial(cell, full, "weights"), labels),
    )


@view
def work(screen: Screen) -> Iterator[Block]:
    """Dot products and projected tokens of both ways, over the number of tokens."""
    tokens = screen.own(OneToken).token_at
    counts = [2**exponent for exponent in range(11)]
    charts = []
    for name, counted in (("dots", dot_products), ("projected", projected_tokens)):
        made = {way: [counted(n, cached=way == "cached") for n in counts] for way in ("cached", "again")}
        series = [
            Series(say(f"one_token.way.{way}"), counts, numbers, colour=colour)
            for colour, (way, numbers) in enumerate(made.items())
        ]
        given = {way: f"{counted(tokens, cached=way == 'cached'):,}" for way in ("cached", "again")}
        note = say(f"one_token.{name}_note", tokens=tokens, **given)
        axes = Axis(say("one_token.tokens"), log=True), Axis(say(f"one_token.axis.{name}"), log=True)
        charts.append(Chart(f"work-{name}", say(f"one_token.{name}_title"), series, *axes, note))
    yield blocks.figures(*charts)


@view
def wrong(screen: Screen) -> Iterator[Block]:
    yield blocks.text(say("one_token.wrong"))


@view
def corners(screen: Screen) -> Iterator[Block]:
    """Which keys two new queries see of five, in both corners."""
    seen = {corner: grid("causal", _QUERIES, _KEYS, corner=corner) for corner in CORNERS}
    sides = [str(query + 1) for query in range(_QUERIES)], [str(key + 1) for key in range(_KEYS)]
    drawn = []
    for corner, mask in seen.items():
        counts = dict(zip(("first", "last"), mask.sum(-1).tolist(), strict=True))
        heatmap = heatmap_of(f"corner-{corner}", mask, "query", "key", "binary")
        figure = Figure(heatmap, say(f"one_token.corner.{corner}"), *sides, say("one_token.corner_note", **counts))
        drawn.append(ExplainedHeatmap(compute(Config()), figure, partial(_seen, mask), {}))
    yield from explained.row(screen, "one-token-corners", *drawn)
    header = say("one_token.two_queries"), *(say("one_token.sees", query=query + 1) for query in range(_QUERIES))
    rows = ([say(f"one_token.corner.{corner}"), *mask.sum(-1).tolist()] for corner, mask in seen.items())
    yield blocks.table(*header, rows=rows)


def _seen(mask: Tensor, query: int, key: int) -> Explanation:
    return Explanation("given", "", (), float(mask[query, key]), f"M_{{{subscript(query, key)}}} =")


@view
def trap(screen: Screen) -> Iterator[Block]:
    """The weights of the newest query in both corners."""
    q, k, v = _drawn()
    traces = {corner: Trace() for corner in CORNERS}
    for corner, trace in traces.items():
        scaled_dot_product_attention(q[-1:], k, v, mask=grid("causal", 1, N, corner=corner), trace=trace)
    weights = torch.cat([trace["weights"].value for trace in traces.values()])
    names = [say(f"one_token.way_of.{corner}") for corner in traces]
    drawn = heatmap_of("trap", weights, "corner", "key", "probability")
    keys = [str(key + 1) for key in range(N)]
    figure = Figure(drawn, say("one_token.trap"), names, keys, say("one_token.trap_note"))

    def explain(corner: int, key: int) -> Explanation:
        return cell(list(traces.values())[corner], "weights", 0, key)

    yield from explained.row(
        screen, "one-token-trap", ExplainedHeatmap(compute(Config()), figure, explain, {"key": keys})
    )


@view
def against(screen: Screen) -> Iterator[Block]:
    """What torch's flag gives the newest query, against the first value and the right output."""
    q, k, v = _drawn()
    flagged = F.scaled_dot_product_attention(q[None, -1:], k[None], v[None], is_causal=True)[0, 0]
    right = _full()["output"].value[-1]
    first, far = (float((flagged - other).abs().max()) for other in (v[0], right))
    yield blocks.table(
        say("one_token.against"),
        say("one_token.apart"),
        rows=[[say("one_token.first_value"), apart(first)], [say("one_token.right_output"), apart(far)]],
    )
