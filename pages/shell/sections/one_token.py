"""What the page on decoding shows: a cache that grows row by row, the work of both ways, and the causal corner."""

from functools import cache, partial

import torch
import torch.nn.functional as F
from torch import Tensor

from attention.cache import Cache, dot_products, projected_tokens
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.masks import CORNERS, grid
from attention.trace import Trace
from pages.shell import component
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.layout import figure_rows, page
from pages.shell.layout.rows import row
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.page_controls import OneToken

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
        parts = (each[at : at + 1] for each in _drawn())
        outputs.append(scaled_dot_product_attention(*parts, past=past, trace=traces[-1]))
    return traces, torch.cat(outputs)


@row
def grows() -> None:
    """The weights of the tokens so far, one row from each step, beside those of one pass."""
    tokens = OneToken.held("token_at")
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
    figure_rows.row(
        "one-token",
        figure_rows.ExplainedHeatmap(run, by_step, explain_step, labels),
        figure_rows.ExplainedHeatmap(run, at_once, partial(cell, full, "weights"), labels),
    )


@row
def work() -> None:
    """Dot products and projected tokens of both ways, over the number of tokens."""
    tokens = OneToken.held("token_at")
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
    component.row("plot-one-token-work", *charts)


@row
def corners() -> None:
    """Which keys two new queries see of five, in both corners; and what torch's flag gives the newest query."""
    seen = {corner: grid("causal", _QUERIES, _KEYS, corner=corner).sum(-1).tolist() for corner in CORNERS}
    header = say("one_token.two_queries"), *(say("one_token.sees", query=query + 1) for query in range(_QUERIES))
    page.table(*header, rows=[[say(f"one_token.corner.{corner}"), *counts] for corner, counts in seen.items()])
    q, k, v = _drawn()
    trap = F.scaled_dot_product_attention(q[None, -1:], k[None], v[None], is_causal=True)[0, 0]
    right = _full()["output"].value[-1]
    first, far = (float((trap - other).abs().max()) for other in (v[0], right))
    page.table(
        say("one_token.against"),
        say("one_token.apart"),
        rows=[[say("one_token.first_value"), apart(first)], [say("one_token.right_output"), apart(far)]],
    )
