"""The state in steps: its matrices after a fact, the work of the delta rule, and the matrix of a whole sentence."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import decoding, remembering
from pages.shell.runs.remembering import FACTS, LIKE, WHO
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import State
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, ExplainedHeatmap, Labels, explained_heatmap, span
from pages.shell.views.state.told import BOUND, TOLD

_LABELS = Labels({"feature": WHO, "value": LIKE}, {"feature": WHO, "value": LIKE})


def memories(screen: Screen) -> Iterator[Block]:
    """The state of both rules after the last fact, the row of its key framed."""
    asked = screen.own(State)
    at, made = asked.state_at - 1, remembering.told(asked).steps
    who = FACTS[at][0]
    shown = []
    for rule in ("add", "delta"):
        trace = made[rule][at]
        note = say("state.answer", who=WHO[0], like=_read(trace, "read"))
        caption = Caption(f"state-{rule}", say(f"state.by.{rule}"), note)
        one = explained_heatmap(decoding.whole(), trace, "written", caption, bound=BOUND, labels=_LABELS)
        row = WHO.index(who)
        figure = replace(one.figure, block=(range(row, row + 1), range(len(LIKE))), named=say("state.key", who=who))
        shown.append(replace(one, figure=figure))
    yield from explained.row(screen, "memories", *shown)


def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and the delta rule's treatment of the fact."""
    asked = screen.own(State)
    trace = remembering.told(asked).steps["delta"][asked.state_at - 1]
    who, like = FACTS[asked.state_at - 1]
    given = {"who": who, "like": like, "found": _read(trace, "looked_up"), "written": _read(trace, "writes")}
    yield blocks.player(asked.state_at, len(FACTS), say("state.told", **given), {"state_at": "{told}"}, first=1)


def step(screen: Screen) -> Iterator[Block]:
    """One fact, step by step: the faded state, the read-out of the key, the written row, and the answer."""
    asked = screen.own(State)
    trace = remembering.told(asked).steps["delta"][asked.state_at - 1]
    shown = [
        explained_heatmap(decoding.whole(), trace, "faded", _caption("faded"), bound=BOUND, labels=_LABELS),
        _writing(trace),
        explained_heatmap(decoding.whole(), trace, "written", _caption("written"), bound=BOUND, labels=_LABELS),
    ]
    yield from explained.row(screen, "step", *shown)
    told = (trace[id].quantity.formula for id in ("faded", "looked_up", "writes", "written", "read"))
    yield blocks.formula(r" \qquad ".join(told))


def _caption(id: str) -> Caption:
    return Caption(f"step-{id}", say(f"step.{id}.title"))


def _writing(trace: Trace) -> ExplainedHeatmap:
    """The value, the read-out of the key, and the written row, as three rows."""
    ids = ("values", "looked_up", "writes")
    z = torch.cat([trace[id].value for id in ids])
    drawn = heatmap_of("writing", z, "operand", "value", bound=BOUND)
    names = [say(f"state.row.{id}") for id in ids]
    figure = Figure(drawn, say("state.writing"), names, LIKE)

    def explain(row: int, column: int) -> Explanation:
        return cell(trace, ids[row], 0, column)

    return ExplainedHeatmap(decoding.whole(), figure, explain, _LABELS.operands)


def matrices(screen: Screen) -> Iterator[Block]:
    """The mixing matrix of the sentence beside its weights: the same queries and keys."""
    asked, run = screen.own(State), decoding.whole()
    trace, names = remembering.whole(asked), run.tokens
    yield blocks.heading(say("state.matrices.title"))
    yield blocks.text(say("state.matrices.lead"))
    unseen = torch.ones(len(names), len(names), dtype=torch.bool).triu(1)
    mixing = trace["mixing"].value
    note = say("state.matrices.mixing_note", sums=span(mixing.sum(-1)), negative=_negative(mixing))
    labels = {"query": names, "key": names, "feature": ()}
    drawn = heatmap_of("mixing", mixing, "query", "key", "signed", forbidden=unseen, hidden=0.0)
    by_state = Figure(drawn, say("state.matrices.mixing"), names, names, note)
    weights = run.matrix("weights")
    note = say("state.matrices.weights_note", sums=span(weights.sum(-1)))
    drawn = heatmap_of("softmax", weights, "query", "key", "probability", forbidden=unseen, hidden=0.0)
    by_softmax = Figure(drawn, say("state.matrices.weights"), names, names, note)
    yield from explained.row(
        screen,
        "matrices",
        ExplainedHeatmap(run, by_state, partial(cell, trace, "mixing"), labels),
        ExplainedHeatmap(run, by_softmax, partial(cell, run.trace, "weights", **run.where), labels),
    )


def _negative(mixing: Tensor) -> int:
    return int((mixing < 0).sum())


def _read(trace: Trace, id: str) -> str:
    """A row of a record in words."""
    told = [
        f"{like} {fixed(number)}"
        for like, number in zip(LIKE, trace[id].value[0].tolist(), strict=True)
        if abs(number) >= TOLD
    ]
    return listed("comma", told) if told else say("state.nothing")
