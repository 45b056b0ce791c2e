"""Interventions before and after, on one sentence: tied W_Q and W_K, biases, another basis of queries and keys."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from attention.analysis import interventions
from attention.explain.cell import cell
from attention.explain.explanation import Explanation, dot
from attention.explain.latex import subscript
from attention.figures import magnitude, matrix
from attention.trace import Step, Trace
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import RANDOM
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block

# Weights that differ by less are as good as equal in single precision.
_EVEN = 1e-6
_DROPPED = 0.5
_TOKENS, _DRAWS, _SIZES = 8, 2000, (1, 2, 4, 8, 16, 32)


def with_random(screen: Screen) -> Run:
    """The words of a screen with random weights of its sizes, for settings that no trained layer has."""
    return compute(screen.config.complete().random())


def that_random(screen: Screen) -> Iterator[Block]:
    """A note that these weights are random, if those of the screen are not."""
    if screen.config.preset != RANDOM:
        yield blocks.note(say("random.here"), "info")


def tied(screen: Screen) -> Iterator[Block]:
    """W_K = W_Q: symmetric scores, weights that are not, and how often a word's own key wins."""
    run = screen.run
    tie = interventions.tied(run.trace)
    yield blocks.heading(say("what_if.tied.title"))
    bound = _bound(run, "scaled", run.trace, tie)
    drawn = [
        explained.explained_heatmap(
            run, trace, "scaled", explained.Caption(f"scores-{name}", title, _symmetry(trace, "scaled")), bound=bound
        )
        for name, title, trace in (
            ("own", say("what_if.tied.own"), run.trace),
            ("tied", say("what_if.tied.scores"), tie),
        )
    ]
    caption = explained.Caption("weights-tied", say("what_if.tied.weights"), _symmetry(tie, "weights"))
    weights = explained.explained_heatmap(run, tie, "weights", caption, forbidden=hidden(run))
    yield from explained.row(screen, "tied", *drawn, weights)
    skew = float(interventions.asymmetry(tie, "weights")) > _EVEN
    told = say("what_if.tied.skew") if skew else say("what_if.tied.even")
    yield blocks.text(say("what_if.tied.text", weights=told))
    yield blocks.figures(_own_key())


def biased(screen: Screen) -> Iterator[Block]:
    """One number added to every feature of every key, of every query, or of every value."""
    run = screen.run
    chosen = screen.own(WhatIf)
    part, by = chosen.shifted, chosen.shift
    before = interventions.moved(run.trace, part, 0.0, torch.float32)
    after = interventions.moved(run.trace, part, by, torch.float32)
    drawn = []
    # The steps that each part can change. Earlier steps stay.
    for id in ("weights", "output") if part == "values" else ("scaled", "weights"):
        options = {"forbidden": hidden(run)} if id == "weights" else {"bound": _bound(run, id, before, after)}
        for name, trace in (("before", before), ("after", after)):
            title = say(f"what_if.shifted.{name}", step=say(f"step.{id}.title"))
            caption = explained.Caption(f"{id}-{name}", title, _note(run, trace[id], before[id]))
            drawn.append(explained.explained_heatmap(run, trace, id, caption, **options))
    yield from explained.row(screen, "biased", *drawn)
    rows = []
    for name in interventions.PARTS:
        single, double = (interventions.shifted(run.trace, name, by, dtype) for dtype in (torch.float32, torch.float64))
        numbers = (single["scaled"], single["weights"], double["weights"], double["output"])
        rows.append([say(f"what_if.part.{name}"), *(apart(number) for number in numbers)])
    header = [say(f"what_if.biased.{name}") for name in ("scores", "single", "double", "output")]
    yield blocks.table(say("table.shifted"), *header, rows=rows)
    yield from _passed(run, by)


def _passed(run: Run, by: float) -> Iterator[Block]:
    """The effect of a value bias, with all weights and with half of them."""
    yield blocks.text(say("what_if.passed.text"))
    rows = []
    for p in (0.0, _DROPPED):
        passed = interventions.value_bias(
            run.trace, by, dropout=p, generator=torch.Generator().manual_seed(run.config.seed)
        )
        sums, shift = (explained.span(each[run.sentence, run.head]) for each in (passed.sums, passed.shift))
        rows.append([f"p = {p}", sums, shift, apart(passed.difference)])
    header = [say(f"what_if.passed.column.{name}") for name in ("dropout", "sums", "shift")]
    yield blocks.table(*header, say("what_if.passed.difference", by=f"{by:g}"), rows=rows)


def gauged(screen: Screen) -> Iterator[Block]:
    """Queries and keys in another basis: other queries, the same scores."""
    run = screen.run
    gauge = interventions.gauge(run.trace, torch.Generator().manual_seed(screen.own(WhatIf).basis))
    bound = max(magnitude(trace["queries"].value) for trace in (gauge.before, gauge.after))
    drawn = []
    for id in ("queries", "scores"):
        for name, trace in (("before", gauge.before), ("after", gauge.after)):
            title = say(f"what_if.basis.{name}", step=say(f"step.{id}.title"))
            caption = explained.Caption(f"{id}-{name}", title, _note(run, trace[id], gauge.before[id]))
            end = bound if id == "queries" else None
            figure = explained.explained_heatmap(run, trace, id, caption, bound=end)
            # Neither trace has the origin of its queries. That of the screen has it, and M makes the others.
            if id == "queries":
                made = partial(cell, run.trace, id, **run.where)
                figure = replace(figure, explain=made if name == "before" else partial(_in_basis, run, gauge))
            drawn.append(figure)
    yield from explained.row(screen, "gauge", *drawn)
    d_model, d_k = run.module.d_model, run.module.d_k
    counts: dict[str, Any] = {"d_model": d_model, "d_k": d_k, "two": f"{2 * d_model * d_k:,}", "one": f"{d_model**2:,}"}
    merged = say("what_if.gauge.merged" if d_model > 2 * d_k else "what_if.gauge.no_price", **counts)
    yield blocks.text(listed("sentence", (say("what_if.gauge.text"), merged)))


def _in_basis(run: Run, gauge: interventions.Gauge, row: int, column: int) -> Explanation:
    """A query times a column of M."""
    query = matrix(gauge.before["queries"], **run.where)[row]
    m = gauge.m[min(run.head, len(gauge.m) - 1)] if gauge.m.ndim == 3 else gauge.m
    name = f"(Q M)_{{{subscript(row, column)}}}"
    return dot(name, (f"Q_{{{row + 1}}}", f"M_{{:,{column + 1}}}"), query, m[:, column], "feature")


def hidden(run: Run) -> Tensor | None:
    return ~run.matrix("mask") if "mask" in run.trace else None


def _bound(run: Run, id: str, *traces: Trace) -> float:
    return max(magnitude(matrix(trace[id], **run.where)) for trace in traces)


def _note(run: Run, step: Step, before: Step) -> str:
    """The largest change of a step in the drawn matrix, as a note."""
    if step is before:
        return ""
    change = (matrix(step, **run.where) - matrix(before, **run.where)).abs().max()
    return say("what_if.change", difference=apart(change))


def _symmetry(trace: Trace, id: str) -> str:
    return say(
        "what_if.tied.note", letter="A" if id == "weights" else "S", far=apart(interventions.asymmetry(trace, id))
    )


def _own_key() -> Chart:
    shares, errors = zip(*(_wins(d_k) for d_k in _SIZES), strict=True)
    low = [share - 2 * error for share, error in zip(shares, errors, strict=True)]
    high = [share + 2 * error for share, error in zip(shares, errors, strict=True)]
    series = Series(say("what_if.tied.share"), _SIZES, shares, "dots", low, high)
    parts = listed("comma", (f"{share:.1%} (d_k {d_k})" for d_k, share in zip(_SIZES, shares, strict=True)))
    return Chart(
        "own-key",
        say("what_if.tied.chart"),
        [series],
        Axis("d_k", log=True, ticks=_SIZES),
        Axis(say("what_if.tied.share"), range=(0.0, 1.05)),
        say("what_if.tied.measured", parts=parts, tokens=_TOKENS, draws=_DRAWS),
    )


@cache
def _wins(d_k: int) -> tuple[float, float]:
    return interventions.own_key_wins(d_k, _TOKENS, _DRAWS, torch.Generator().manual_seed(d_k))
