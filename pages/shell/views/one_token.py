"""Decoding token by token: a cache that grows row by row, the work of both ways, and the causal corner."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attention.cache import dot_products, projected_tokens
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.explain.latex import subscript
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.masks import CORNERS, grid
from attention.trace import Trace
from pages.shell.component.arcs import Ask
from pages.shell.component.balance import Balance, Bar
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.growing import Growing
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import in_table
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.runs import decoding
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import OneToken
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.naming import named
from pages.shell.views.registry import view

_QUERIES, _KEYS = 2, 5
# Milliseconds for a word: its additions are seen at a glance.
_READ = 1200
# Names of the parts of the figure and its table.
_LABELS = ("total", "weights", "stored", "now", "before", "below", "above", "word", "key", "value")


def _written(screen: Screen) -> int:
    """The number of written words, at most those of the sentence."""
    return min(screen.own(OneToken).token_at, len(decoding.whole().tokens))


@view
def balance(screen: Screen) -> Iterator[Block]:
    """The cost and the gain of the cache up to the newest word: numbers that it keeps, and multiplications that make
    keys and values."""
    run, at = decoding.whole(), _written(screen) - 1
    counts = range(1, len(run.tokens) + 1)
    kept = [sum(one[:, :n].numel() for one in decoding.keys_and_values(run.trace)) for n in counts]
    again, cached = ([projected_tokens(n, cached=way) for n in counts] for way in (False, True))
    # Multiplications for one word's key and value: each number of the word with each of its weights.
    each = sum(run.trace[id].value.numel() for id in ("w_k", "w_v"))
    saved = [each * (more - once) for more, once in zip(again, cached, strict=True)]
    numbers: dict[str, Any] = {
        "kept": f"{kept[at]:,}",
        "each": f"{kept[0]:,}",
        "again": again[at],
        "cached": cached[at],
        "one": f"{each:,}",
        "saved": f"{saved[at]:,}",
    }
    said = {name: say(f"one_token.balance.{name}", **numbers) for name in ("price", "gain")}
    bars = [
        Bar(say("one_token.balance.kept"), said["price"], kept, is_price=True),
        Bar(say("one_token.balance.saved"), said["gain"], saved, is_price=False),
    ]
    labels = {
        "word": say("one_token.label.word"),
        "kind": say("one_token.balance.kind"),
        "keys": say("one_token.balance.keys"),
    }
    title, note = say("one_token.balance.title"), listed("sentence", said.values())
    yield blocks.figures(Balance("balance", title, note, run.tokens, at, bars, labels))


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """The words so far, the keys and values of both ways, and the weights; a click on a word writes up to it."""
    run, tokens = decoding.whole(), _written(screen)
    weights = decoding.stepped().traces[tokens - 1]["weights"].value[0, :, 0]
    missing = len(run.tokens) - tokens
    asks = [Ask(head + 1, [*row.tolist(), *[0.0] * missing]) for head, row in enumerate(weights)]
    cached = _shown(decoding.stepped().traces[tokens - 1])
    word, counts = run.tokens[tokens - 1], range(1, len(run.tokens) + 1)
    totals = {way: [projected_tokens(n, cached=way == "cached") for n in counts] for way in ("cached", "again")}
    labels = {way: say(f"one_token.short.{way}") for way in totals}
    labels |= {f"totals_{name}": say(f"one_token.totals.{name}") for name in totals}
    labels |= {name: say(f"one_token.label.{name}") for name in _LABELS}
    drawn = Growing(
        "growing",
        say("one_token.arcs_named", word=word),
        _told(tokens - 1, run.tokens, asks[run.head].weights),
        run.tokens,
        tokens - 1,
        asks,
        [say("asking.head", head=one.head) for one in asks],
        [{"token_at": str(n)} for n in counts],
        cached,
        (_written_out(cached[0]), _written_out(cached[1])),
        [_shown(trace) for trace in decoding.again()[:tokens]],
        # Scaled by the whole sentence, so that a colour means the same number at each word.
        max(float(one.abs().max()) for one in _shown(run.trace)),
        totals,
        labels | {"strip": say("one_token.strip", head=run.head + 1)},
    )
    yield blocks.figures(drawn, click={})


def _told(newest: int, tokens: Sequence[str], weights: Sequence[float]) -> str:
    """The largest weight of a word's query among all words so far, and the saving of the cache in this step."""
    if not newest:
        return say("one_token.arcs_first", word=tokens[newest])
    most, word = max(range(len(weights)), key=weights.__getitem__), named(tokens, newest)
    taken = say("one_token.its_own", word=word) if most == newest else named(tokens, most)
    return say("one_token.arcs_note", word=word, most=taken, share=f"{weights[most]:.0%}", step=newest + 1)


def _shown(trace: Trace) -> tuple[Tensor, Tensor]:
    """Keys and values of the shown head."""
    keys, values = decoding.keys_and_values(trace)
    return keys[decoding.whole().head], values[decoding.whole().head]


def _written_out(rows: Tensor) -> list[str]:
    return [", ".join(map(fixed, row)) for row in rows.tolist()]


@view
def why(screen: Screen) -> Iterator[Block]:
    """The reason why the kept numbers stay right, and their largest difference from recomputed ones at any word."""
    far = 0.0
    for traces in zip(decoding.stepped().traces, decoding.again(), strict=True):
        kept, again = map(decoding.keys_and_values, traces)
        far = max(far, *(float((a - b).abs().max()) for a, b in zip(kept, again, strict=True)))
    yield blocks.text(say("one_token.why", difference=apart(far)))


@view
def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and the newest word."""
    tokens, words = _written(screen), decoding.whole().tokens
    told = say("one_token.told", word=words[tokens - 1])
    # The slider beside the player shows the number.
    values = [str(at + 1) for at in range(len(words))]
    yield blocks.player(tokens, len(words), told, {"token_at": "{value}"}, first=1, read=_READ, values=values)


@view
def grows(screen: Screen) -> Iterator[Block]:
    """The weights of the tokens so far, one row from each step, beside those of one pass."""
    run, made, tokens = decoding.whole(), decoding.stepped(), _written(screen)
    count, names = len(run.tokens), run.tokens
    rows = torch.zeros(tokens, count)
    for at in range(tokens):
        rows[at, : at + 1] = made.traces[at]["weights"].of(**run.where)[0]
    unseen = torch.ones(count, count, dtype=torch.bool).triu(1)
    stepped = heatmap_of("stepped", rows, "query", "key", "probability", forbidden=unseen[:tokens], hidden=0.0)
    weights = run.matrix("weights")
    whole = heatmap_of("whole", weights, "query", "key", "probability", forbidden=unseen, hidden=0.0)
    outputs = run.trace["projected"].value[0]
    far = float((made.outputs - outputs)[:tokens].abs().max())
    same = int((made.outputs == outputs)[:tokens].sum())
    last = say("one_token.row", cached=tokens - 1)
    note = say("one_token.same", difference=apart(far), same=same, all=outputs[:tokens].numel())
    labels = {"query": names, "key": names}

    def explain_step(at: int, key: int) -> Explanation:
        # A later key is not part of this step; in the one pass it is masked.
        return cell(made.traces[at], "weights", 0, key) if key <= at else cell(run.trace, "weights", at, key)

    title = say("one_token.stepped", tokens=tokens)
    by_step = Figure(stepped, title, names[:tokens], names, last)
    at_once = Figure(whole, say("one_token.whole"), names, names, note)
    yield from explained.row(
        screen,
        "one-token",
        ExplainedHeatmap(run, by_step, explain_step, labels),
        ExplainedHeatmap(run, at_once, partial(cell, run.trace, "weights"), labels),
    )


@view
def work(screen: Screen) -> Iterator[Block]:
    """Dot products and projected tokens of both ways, over the number of tokens."""
    tokens = _written(screen)
    counts = [2**exponent for exponent in range(11)]
    charts = []
    for name, counted in (("dots", dot_products), ("projected", projected_tokens)):
        made = {
            say(f"one_token.way.{way}"): [counted(n, cached=way == "cached") for n in counts]
            for way in ("cached", "again")
        }
        series = [
            Series(line, counts, numbers, colour=colour, said=(256, numbers[8], line))
            for colour, (line, numbers) in enumerate(made.items())
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
    """The keys among five that two new queries see, in both corners."""
    seen = {corner: grid("causal", _QUERIES, _KEYS, corner=corner) for corner in CORNERS}
    sides = [str(query + 1) for query in range(_QUERIES)], [str(key + 1) for key in range(_KEYS)]
    drawn = []
    for corner, mask in seen.items():
        counts = dict(zip(("first", "last"), mask.sum(-1).tolist(), strict=True))
        heatmap = heatmap_of(f"corner-{corner}", mask, "query", "key", "binary")
        figure = Figure(heatmap, say(f"one_token.corner.{corner}"), *sides, say("one_token.corner_note", **counts))
        drawn.append(ExplainedHeatmap(decoding.whole(), figure, partial(_seen, mask), {}))
    yield from explained.row(screen, "one-token-corners", *drawn)
    header = say("one_token.two_queries"), *(say("one_token.sees", query=query + 1) for query in range(_QUERIES))
    rows = ([say(f"one_token.corner.{corner}"), *mask.sum(-1).tolist()] for corner, mask in seen.items())
    yield blocks.table(*header, rows=rows)


def _seen(mask: Tensor, query: int, key: int) -> Explanation:
    return Explanation("given", "", (), float(mask[query, key]), f"M_{{{subscript(query, key)}}} =")


@view
def trap(screen: Screen) -> Iterator[Block]:
    """The weights of the newest query in both corners."""
    run, q, k, v = _newest()
    traces = {corner: Trace() for corner in CORNERS}
    for corner, trace in traces.items():
        scaled_dot_product_attention(q, k, v, mask=grid("causal", 1, len(k), corner=corner), trace=trace)
    weights = torch.cat([trace["weights"].value for trace in traces.values()])
    names = [say(f"one_token.way_of.{corner}") for corner in traces]
    drawn = heatmap_of("trap", weights, "corner", "key", "probability")
    keys, word = run.tokens, run.tokens[-1]
    figure = Figure(
        drawn, say("one_token.trap", word=word), names, keys, say("one_token.trap_note", word=word, first=keys[0])
    )

    def explain(corner: int, key: int) -> Explanation:
        return cell(list(traces.values())[corner], "weights", 0, key)

    yield from explained.row(screen, "one-token-trap", ExplainedHeatmap(run, figure, explain, {"key": keys}))


@view
def against(screen: Screen) -> Iterator[Block]:
    """The output of torch's flag for the newest query, against the first value and the right output."""
    run, q, k, v = _newest()
    flagged = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0, 0]
    right = run.matrix("output")[-1]
    first, far = (float((flagged - other).abs().max()) for other in (v[0], right))
    yield blocks.table(
        say("one_token.against", word=in_table(run.tokens[-1]), keys=len(k)),
        say("one_token.apart"),
        rows=[[say("one_token.first_value"), apart(first)], [say("one_token.right_output"), apart(far)]],
    )


def _newest() -> tuple[Run, Tensor, Tensor, Tensor]:
    """The run, the query of its last word, and the keys and values of all words."""
    run = decoding.whole()
    return run, run.matrix("queries")[-1:], run.matrix("keys"), run.matrix("values")
