"""A state instead of a cache: facts that are written into it, its matrix beside the weights, and its memory."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from attention.cache import HYBRIDS
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.trace import Trace
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.filmstrip import Filmstrip, Line
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
from pages.shell.views.registry import view

_LABELS = Labels({"feature": WHO, "value": LIKE}, {"feature": WHO, "value": LIKE})
# What either rule writes of one fact at the largest beta: the colour of a cell tells each value of the slider.
_BOUND = 2.0
# A number that is smaller is none that a sentence tells.
_TOLD = 0.005
_LENGTHS = tuple(2**exponent for exponent in range(6, 18))
# At which length the name of each model stands, and how far from its line: above the upper one, below the lower one.
_NAMED = ((-4, 1.0), (-2, 0.06))


@view
def filmstrip(screen: Screen) -> Iterator[Block]:
    """The state after each fact under both rules, and what is read of the first animal in the end."""
    made = remembering.told(screen.own(State)).steps
    lines = [
        Line(
            say(f"state.rule.{rule}"),
            torch.stack([trace["written"].value for trace in made[rule]]).numpy(),
            _in_words(made[rule][-1]),
        )
        for rule in ("add", "delta")
    ]
    question = say("state.question", who=WHO[0])
    labels = {
        "question": question,
        "rule": say("state.column.rule"),
        "fact": say("state.column.fact"),
        "kind": say("state.kind"),
        "keys": say("state.keys"),
    }
    facts = [say("state.fact", who=who, like=like) for who, like in FACTS]
    brief = [f"{who} {like}" for who, like in FACTS]
    written = [WHO.index(who) for who, _ in FACTS]
    yield blocks.figures(Filmstrip("filmstrip", question, "", lines, facts, brief, WHO, LIKE, written, _BOUND, labels))


def _in_words(trace: Trace) -> str:
    """What is read, without the numbers that are 1."""
    read = zip(LIKE, trace["read"].value[0].tolist(), strict=True)
    told = {like: number for like, number in read if abs(number) >= _TOLD}
    if not told:
        return say("state.nothing")
    if len(told) == 2 and all(abs(number - 1) < _TOLD for number in told.values()):
        return say("state.both", **dict(zip(("one", "other"), told, strict=True)))
    return listed(
        "comma", (like if abs(number - 1) < _TOLD else f"{like} {fixed(number)}" for like, number in told.items())
    )


@view
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
        one = explained_heatmap(decoding.whole(), trace, "written", caption, bound=_BOUND, labels=_LABELS)
        row = WHO.index(who)
        figure = replace(one.figure, block=(range(row, row + 1), range(len(LIKE))), named=say("state.key", who=who))
        shown.append(replace(one, figure=figure))
    yield from explained.row(screen, "memories", *shown)


@view
def player(screen: Screen) -> Iterator[Block]:
    """Back, play, next, and what the delta rule does with the fact."""
    asked = screen.own(State)
    trace = remembering.told(asked).steps["delta"][asked.state_at - 1]
    who, like = FACTS[asked.state_at - 1]
    given = {"who": who, "like": like, "found": _read(trace, "looked_up"), "written": _read(trace, "writes")}
    yield blocks.player(asked.state_at, len(FACTS), say("state.told", **given), {"state_at": "{told}"}, first=1)


@view
def step(screen: Screen) -> Iterator[Block]:
    """One fact, step by step: what is left of the state, what the key finds in it, what is written, what is read."""
    asked = screen.own(State)
    trace = remembering.told(asked).steps["delta"][asked.state_at - 1]
    shown = [
        explained_heatmap(decoding.whole(), trace, "faded", _caption("faded"), bound=_BOUND, labels=_LABELS),
        _writing(trace),
        explained_heatmap(decoding.whole(), trace, "written", _caption("written"), bound=_BOUND, labels=_LABELS),
    ]
    yield from explained.row(screen, "step", *shown)
    told = (trace[id].quantity.formula for id in ("faded", "looked_up", "writes", "written", "read"))
    yield blocks.formula(r" \qquad ".join(told))


def _caption(id: str) -> Caption:
    return Caption(f"step-{id}", say(f"step.{id}.title"))


def _writing(trace: Trace) -> ExplainedHeatmap:
    """The value, what the key finds, and what is written, a row each."""
    ids = ("values", "looked_up", "writes")
    z = torch.cat([trace[id].value for id in ids])
    drawn = heatmap_of("writing", z, "operand", "value", bound=_BOUND)
    names = [say(f"state.row.{id}") for id in ids]
    figure = Figure(drawn, say("state.writing"), names, LIKE)

    def explain(row: int, column: int) -> Explanation:
        return cell(trace, ids[row], 0, column)

    return ExplainedHeatmap(decoding.whole(), figure, explain, _LABELS.operands)


@view
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


@view
def memory(screen: Screen) -> Iterator[Block]:
    """Numbers that a layer keeps, over the number of tokens: a line that rises, and one that does not."""
    series = []
    for colour, (model, (at, beside)) in enumerate(zip(HYBRIDS, _NAMED, strict=True)):
        name, y = say("state.kept.cache", model=model.name), [model.token * n for n in _LENGTHS]
        series.append(Series(name, _LENGTHS, y, colour=colour, said=(_LENGTHS[at], beside * y[at], model.name)))
    for state in sorted({model.state for model in HYBRIDS}):
        name = say("state.kept.state", numbers=f"{state:,}")
        series.append(Series(name, _LENGTHS, [state] * len(_LENGTHS), colour=2, said=(_LENGTHS[-2], 0.4 * state, name)))
    first = HYBRIDS[0]
    note = say("state.memory.note", model=first.name, equal=f"{first.equal:,.0f}")
    axes = Axis(say("state.memory.tokens"), log=True), Axis(say("state.memory.numbers"), log=True)
    marks = [(first.equal, f"n = {first.equal:,.0f}")]
    yield blocks.figures(Chart("state-memory", say("state.memory.title"), series, *axes, note, marks=marks))


@view
def models(screen: Screen) -> Iterator[Block]:
    """The sizes behind the lines of memory, with their sources."""
    rows = (
        [model.name, f"{model.state:,}", f"{model.token:,}", f"{model.equal:,.0f}", model.source] for model in HYBRIDS
    )
    names = ("model", "state", "token", "equal", "source")
    yield blocks.table(*(say(f"state.memory.column.{name}") for name in names), rows=rows)


@view
def wrong(_: Screen) -> Iterator[Block]:
    """What is often said wrongly of these models."""
    yield blocks.text(say("state.memory.wrong"))


def _read(trace: Trace, id: str) -> str:
    """What stands in the row of a record, in words."""
    told = [
        f"{like} {fixed(number)}"
        for like, number in zip(LIKE, trace[id].value[0].tolist(), strict=True)
        if abs(number) >= _TOLD
    ]
    return listed("comma", told) if told else say("state.nothing")
