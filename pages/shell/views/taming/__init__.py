"""Remedies that keep scores or weights within bounds in recent models, each on the scores of the screen."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attention.analysis.meters import meters
from attention.analysis.online_softmax import last_scores
from attention.analysis.rerun import rerun
from attention.comparisons.cap_after_mask import cap_after_mask, leak, most_weight
from attention.comparisons.zero_key import apart_from_zero_key
from attention.experiments.length_temperature import GOOD, OTHERS, S, top_weights
from attention.figures import magnitude, matrix
from attention.trace import Trace
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed, interval, scientific
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Taming
from pages.shell.views import blocks, explained, guess
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, ExplainedHeatmap, explained_heatmap
from pages.shell.views.registry import View, view
from pages.shell.views.taming import gate as gates
from pages.shell.views.taming import pair as pairs
from pages.shell.views.taming import row as remedies
from pages.shell.views.taming import scores as behind

# The d_k of most recent models.
_WIDE = 128
_ADDED = 3.0
# The cap of Gemma 2 (2024, section 2), and the least leak that a test of single precision would see.
_GEMMA, _SEEN = 50.0, 1e-6
_LENGTHS = tuple(10**exponent for exponent in range(1, 6))
# The weights that the answers stand for, at the largest length.
_DROWNED = {"same": 0.9, "tenth": 0.1, "nothing": 0.0}


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


def _lead(section: str) -> View:
    """The heading of a section, and its introduction."""

    def draw(screen: Screen) -> Iterator[Block]:
        yield blocks.heading(say(f"taming.{section}.title"))
        yield blocks.text(say(f"taming.{section}.lead"))

    return View(f"taming.{section}_lead", draw)


cap_lead, every_lead, norm_lead, sink_lead, length_lead = map(_lead, ("cap", "every", "norm", "sink", "length"))
gate_lead, pair_lead, scores_lead = map(_lead, ("gate", "pair", "scores"))


row = View("taming.row", remedies.row)
sunk = View("taming.sunk", remedies.sunk)
scores = View("taming.scores", behind.scores)
gate = View("taming.gate", gates.gate)
pair = View("taming.pair", pairs.pair)


@view
def every(screen: Screen) -> Iterator[Block]:
    """All remedies side by side: the spread of the scores that softmax reads, the largest weight, the sums of the
    rows."""
    run, chosen = screen.run, screen.own(Taming)
    records = {
        "none": rerun(run.trace),
        "cap": rerun(run.trace, softcap=chosen.taming_cap),
        "norm": rerun(run.trace, qk_norm=True),
        "sink": rerun(run.trace, sink=_sink(run, chosen)),
        "length": rerun(run.trace, scale=_with_length(run)),
    }
    rows = []
    for name, record in records.items():
        found, scores = meters(record, **run.where), _visible(run, record)
        rows.append(
            (
                say(f"taming.way.{name}"),
                digits(float(scores.std(correction=0))),
                digits(float(scores.abs().max())),
                # There is no number if no query sees several keys.
                "–" if math.isnan(found.largest) else fixed(found.largest),
                interval(*(fixed(end) for end in found.sums)),
            )
        )
    names = ("way", "spread", "most", "largest", "sums")
    yield blocks.table(*(say(f"taming.column.{name}") for name in names), rows=rows)


@view
def cap(screen: Screen) -> Iterator[Block]:
    """Scores before and after the cap, and the weights; or all of these with the mask before the cap."""
    run, chosen = screen.run, screen.own(Taming)
    c = chosen.taming_cap
    right = rerun(run.trace, softcap=c)
    wrong = cap_after_mask(run.trace, c)
    record = wrong if chosen.taming_after else right
    keys, mask = len(run.labels["key"]), matrix(run.trace["mask"], **run.where)
    scaled, capped = (matrix(right[id], **run.where).double()[mask] for id in ("scaled", "softcapped"))
    slope = 1 - (capped / c).square()
    most = fixed(most_weight(c, keys), 3)
    notes = {
        "scaled": say("taming.cap.scaled", most=fixed(scaled.abs().max())),
        "softcapped": say("taming.cap.capped", c=f"{c:g}", slope=digits(float(slope.min()), 2)),
        # A bias after the cap lets scores differ by more, and a bound that rounds to 1 bounds nothing.
        "weights": ""
        if "biased" in run.trace or most == "1.000"
        else say("taming.cap.right", c=f"{c:g}", keys=keys, most=most),
    }
    if chosen.taming_after:
        shown = matrix(wrong["weights"], **run.where).masked_fill(mask, 0).sum(-1).max()
        notes["weights"] = say("taming.cap.leaks", leak=fixed(shown, 3), c=f"{c:g}")
    bound = magnitude(matrix(right["scaled"], **run.where).double())
    drawn = [
        _figure(
            run, record, id, Caption(f"cap-{id}", say(f"step.{id}.title"), note), bound if id != "weights" else None
        )
        for id, note in notes.items()
    ]
    yield from explained.row(screen, "taming-cap", *drawn)
    if run.trace["mask"].value.all():
        return
    tiny = _leak_at(run, _GEMMA)
    said = [say("taming.cap.wrong", leak=fixed(leak(run.trace, wrong), 3), c=f"{c:g}")]
    said.append(say("taming.cap.wide", cap=f"{_GEMMA:g}", tiny=scientific(tiny, 0) if tiny < 1e-3 else fixed(tiny, 3)))
    if tiny < _SEEN:
        said.append(say("taming.cap.unseen"))
    yield blocks.text(listed("sentence", said))


def _leak_at(run: Run, cap: float) -> float:
    return leak(run.trace, cap_after_mask(rerun(run.trace, dtype=torch.float64), cap))


@view
def norm(screen: Screen) -> Iterator[Block]:
    """The weights with longer queries, plain and with QK-norm, and the change of both."""
    run, stretch = screen.run, float(screen.own(Taming).taming_stretch)
    queries = stretch * run.trace["queries"].value
    drawn = []
    ways: dict[str, dict[str, Any]] = {"plain": {}, "normed": {"qk_norm": True}}
    for name, options in ways.items():
        before = rerun(run.trace, **options)
        after = rerun(run.trace, queries=queries, **options)
        far = float((matrix(after["weights"], **run.where) - matrix(before["weights"], **run.where)).abs().max())
        # Measured before a linear bias, which would add to the bound.
        scaled = matrix(after["scaled"], **run.where)[matrix(run.trace["mask"], **run.where)]
        numbers = {"most": digits(float(scaled.abs().max())), "far": apart(far), "bound": digits(_cosines(run))}
        note = say(f"taming.norm.{name}", factor=f"{stretch:g}", **numbers) if stretch != 1 else ""
        drawn.append(_figure(run, after, "weights", Caption(f"norm-{name}", say(f"taming.norm.title_{name}"), note)))
    yield from explained.row(screen, "taming-norm", *drawn)
    keys = len(run.labels["key"])
    if keys == 1 or "biased" in run.trace or "softcapped" in run.trace:
        return
    own, wide = (fixed(most_weight(bound, keys), 3) for bound in (_cosines(run), _WIDE**0.5))
    bound = digits(_cosines(run))
    yield blocks.text(say("taming.norm.wrong", bound=bound, keys=keys, most=own, wide=_WIDE, most_wide=wide))


def _cosines(run: Run) -> float:
    """The largest scaled score of a normalised query and key: the scale, times d_k."""
    scale = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    return scale * run.module.d_k


@view
def sink(screen: Screen) -> Iterator[Block]:
    """The weights without a sink and with one, and the sentence that torch's zero key is a sink of 0."""
    run, chosen = screen.run, screen.own(Taming)
    z, extra = chosen.taming_sink, _sink(run, chosen)
    record = rerun(run.trace, sink=extra)
    sums = matrix(record["weights"], **run.where).sum(-1)
    seen = matrix(run.trace["weights"], **run.where).any(-1)
    ends = interval(*(fixed(end) for end in (sums[seen].min(), sums[seen].max())))
    plain = Caption("sink-plain", say("taming.sink.plain"), say("taming.sink.plain_note"))
    sunk = Caption("sink-weights", say("taming.sink.sunk"), say("taming.sink.note", z=fixed(z, 1), sums=ends))
    drawn = [_figure(run, trace, "weights", caption) for trace, caption in ((run.trace, plain), (record, sunk))]
    yield from explained.row(screen, "taming-sink", *drawn)
    if run.module.d_k == run.module.d_v and last_scores(run.trace).id in ("scaled", "masked"):
        far = apart_from_zero_key(run.trace, **run.where)
        yield blocks.text(say("taming.sink.torch", far=apart(far)))
    mask = run.trace["mask"].value
    higher = rerun(run.trace, sink=extra, mask=torch.full_like(record["scaled"].value, _ADDED).where(mask, -math.inf))
    after = matrix(higher["weights"], **run.where).sum(-1)[seen].min()
    yield blocks.text(say("taming.sink.wrong", added=f"{_ADDED:g}", before=fixed(sums[seen].min()), after=fixed(after)))


@view
def length(screen: Screen) -> Iterator[Block]:
    """The weight of one good key among a growing number of others."""
    table, n = _top_weights(), int(screen.own(Taming).taming_n)
    here = table[table["n"] == n].iloc[0]
    plain, grown = say("taming.length.softmax"), say("taming.length.scaled", s=S)
    # Each name stands below its line: the one falls, the other stays at the top.
    series = [
        Series(plain, table["n"], table["softmax"], colour=1, dash=1, said=(_LENGTHS[1], 0.25, plain)),
        Series(grown, table["n"], table["scaled"], colour=0, said=(_LENGTHS[2], 0.86, grown)),
    ]
    numbers: dict[str, Any] = {"good": fixed(GOOD, 0), "others": fixed(OTHERS, 0), "n": f"{n:,}"}
    note = say("taming.length.note", plain=digits(here["softmax"]), scaled=digits(here["scaled"], 6), **numbers)
    x, y = Axis(say("taming.length.n"), log=True, ticks=_LENGTHS), Axis(say("taming.length.weight"), range=(0, 1.02))
    title = say("taming.length.figure")
    ghosts = guess.ghosts(screen, "drown", {answer: (_LENGTHS[-1], share) for answer, share in _DROWNED.items()})
    marks = [(n, f"n = {n:,}")]
    yield blocks.figures(Chart("taming-length", title, series, x, y, note, marks=marks, ghosts=ghosts))
    ends = {"fewest": f"{_LENGTHS[0]:,}", "most": f"{_LENGTHS[-1]:,}"}
    first, last = (digits(table["softmax"].iloc[at], 2) for at in (0, -1))
    yield blocks.text(say("taming.length.wrong", first=first, last=last, **ends))


@cache
def _top_weights() -> pd.DataFrame:
    """The weights of `length`, shared by all visitors: no caller may change them."""
    return top_weights(_LENGTHS)


def _sink(run: Run, controls: Taming) -> Tensor:
    scores = run.trace["scores"].value
    return torch.tensor(controls.taming_sink, dtype=scores.dtype, device=scores.device)


def _with_length(run: Run) -> float:
    """The scale of the run times s ln n, for the longest row."""
    now = run.trace["scale"].value.item() if "scale" in run.trace else run.module.d_k**-0.5
    n = torch.tensor(float(len(run.labels["key"])))
    return float(now * S * n.log())


def _visible(run: Run, record: Trace) -> Tensor:
    """The scores that softmax reads, for the pairs that the mask allows."""
    scores = matrix(last_scores(record), **run.where).double()
    return scores[matrix(run.trace["mask"], **run.where)] if "mask" in run.trace else scores.flatten()


def _figure(run: Run, record: Trace, of: str, caption: Caption, bound: float | None = None) -> ExplainedHeatmap:
    is_hidden = of == "weights" and "mask" in record and record["mask"].value.dtype == torch.bool
    forbidden = ~matrix(record["mask"], **run.where) if is_hidden else None
    return explained_heatmap(run, record, of, caption, forbidden=forbidden, bound=bound)
