"""A and B: what differs, both sides of a step with their difference, and how far each row of weights moved."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import torch
from torch import Tensor

from attention.analysis import divergence
from attention.explain import derived
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of, magnitude
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import in_table, quoted
from pages.shell.i18n.numbers import digits
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.runs.differences import differing
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Compare
from pages.shell.views import blocks, explained, head_arcs, steps
from pages.shell.views.blocks import Block
from pages.shell.views.captions import note, part
from pages.shell.views.crossing import crossing
from pages.shell.views.explained import Caption, ExplainedHeatmap, explained_heatmap
from pages.shell.views.registry import View, view
from pages.shell.views.taken import acting
from pages.shell.views.turned import turned

# Rows of a table, letters of a value in it and above a figure, and how many controls are named there.
_ROWS, _LETTERS, _SIDE, _NAMED = 16, 60, 24, 3
# Of float32 weights, which two runs of one screen may round differently.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Sides:
    """Two runs, each with the sentence and the head that it shows."""

    a: Run
    b: Run

    def matrices(self, id: str) -> tuple[Tensor, Tensor]:
        a, b = (run.matrix(id).cpu() for run in (self.a, self.b))
        return a, b

    def comparable(self, id: str) -> bool:
        a, b = self.matrices(id)
        return a.shape == b.shape

    @cached_property
    def rows(self) -> divergence.Rows | None:
        """The weights row by row, where both sides have as many queries and keys."""
        if not self.comparable("weights"):
            return None
        at = ((run.sentence, run.head) for run in (self.a, self.b))
        return divergence.rows(self.a.trace, self.b.trace, a_at=next(at), b_at=next(at))

    @cached_property
    def farthest(self) -> int | None:
        """The query whose row moved most, where any two can be compared."""
        moved = torch.tensor([]) if self.rows is None else self.rows.total_variation.nan_to_num(-1)
        return int(moved.argmax()) if (moved >= 0).any() else None

    def hidden(self, id: str) -> Tensor:
        """Where the masks of both hide the cells of a step."""
        masks = [steps.forbidden(run, run.trace[id]) for run in (self.a, self.b)]
        both = [mask.cpu() for mask in masks if mask is not None]
        return both[0] & both[1] if len(both) == 2 else torch.zeros_like(self.matrices(id)[0], dtype=torch.bool)

    def labels(self, axis: str) -> list[str]:
        """The names along an axis of both: one name where it is the same."""
        both = zip(*(run.labels.get(axis, ()) for run in (self.a, self.b)), strict=False)
        return [a if a == b else f"{a} / {b}" for a, b in both]


def sides(screen: Screen) -> Sides:
    return Sides(compute(screen.own(Compare).beside(screen.config)), screen.run)


@view
def example(screen: Screen) -> Iterator[Block]:
    """Before anything is kept, that A is an example."""
    if not screen.own(Compare).is_kept:
        yield blocks.text(say("compare.example" if screen.config.has_positions else "compare.example_with"))


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """What each head takes for a word, of A above the words and of B below them, and how much of it lies elsewhere."""
    both = sides(screen)
    if both.b.context is not None:
        yield from crossing(screen)
        return
    query = head_arcs.asked_of(screen)
    if both.a.context is not None:
        yield blocks.figures(head_arcs.drawn(both.b, query, "arcs-B"), click={})
        return
    # Another sentence of A may be shorter.
    of_a = min(query, len(both.a.labels["query"]) - 1)
    above, below = head_arcs.drawn(both.a, of_a, "arcs-A"), head_arcs.drawn(both.b, query, "arcs-B")
    told = differing(both.a, both.b)
    named = _chosen(both, told)
    sides_of = [_named(named, side) for side in (0, 1)]
    yield from head_arcs.two(replace(above, side=sides_of[0]), replace(below, side=sides_of[1]))
    yield blocks.text(_elsewhere(both, query) if told else say("compare.same"))


def _chosen(both: Sides, told: dict[str, tuple[str | None, str | None]]) -> dict[str, tuple[str | None, str | None]]:
    """The controls that were set otherwise, without those that follow them."""
    own, other = (run.config.values() for run in (both.a, both.b))
    chosen = {name: values for name, values in told.items() if own[name] != other[name]}
    return chosen or told


def _named(told: dict[str, tuple[str | None, str | None]], side: int) -> str:
    """A or B with what it has of the controls that differ, of which the first ones have room."""
    letter = "AB"[side]
    if not told:
        return letter
    values = []
    for name, both in list(told.items())[:_NAMED]:
        own = both[side]
        value = "–" if own is None else word(name, own)
        values.append(say("compare.control_value", control=say(f"control.{name}.label"), value=value[:_SIDE]))
    named = {"side": letter, "values": listed("comma", values)}
    return say("compare.side_more", **named) if len(told) > _NAMED else say("compare.side", **named)


def _elsewhere(both: Sides, query: int) -> str:
    """The head that differs most, or else how much of what a word takes lies elsewhere: by head, or, where A and B have
    different numbers of heads, in their mean."""
    a, b = (run.trace[acting(run)].value[run.sentence].cpu().float() for run in (both.a, both.b))
    if a.shape[1:] != b.shape[1:]:
        return say("compare.other_words")
    word = quoted(both.b.labels["query"][query])
    if len(a) != len(b):
        moved = float((b[:, query].mean(0) - a[:, query].mean(0)).abs().sum()) / 2
        return say("compare.moved_together", share=f"{moved:.0%}", word=word)
    if found := turned(a[:, query], b[:, query], both.a.labels["key"], both.b.labels["key"]):
        return say("compare.turned", word=word, **found)
    moved = float((b[:, query] - a[:, query]).abs().sum(-1).mean()) / 2
    return say("compare.moved", share=f"{moved:.0%}", word=word)


@view
def adjusted(screen: Screen) -> Iterator[Block]:
    """What had to be adjusted, with the letter of its side."""
    both = sides(screen)
    for side, run in (("A", both.a), ("B", both.b)):
        for told in run.notes:
            yield blocks.note(f"{side}: {told}")


@view
def differ(screen: Screen) -> Iterator[Block]:
    """The controls that differ, with both values."""
    both = sides(screen)
    found = differing(both.a, both.b)
    if found:
        rows = [
            (say(f"control.{name}.label"), *(_value(name, value) for value in values)) for name, values in found.items()
        ]
        yield blocks.table(say("compare.control"), "A", "B", rows=rows)
    else:
        yield blocks.text(say("compare.same"))
    layers = {learned.used(run.config) for run in (both.a, both.b)}
    if None not in layers and len(layers) > 1:
        yield blocks.note(say("compare.trained"), "info")
    if both.rows is not None and both.a.labels != both.b.labels:
        yield blocks.note(say("compare.by_place"), "info")


def _value(name: str, value: str | None) -> str:
    return "–" if value is None else in_table(word(name, value), _LETTERS)


def figures(screen: Screen, id: str, key: str) -> Iterator[Block]:
    """A step of A, of B, and B minus A where both have the same shape. key: what the address calls this part."""
    both = sides(screen)
    bound = max(map(magnitude, both.matrices(id)))
    drawn = [_side(screen, both, side, id, bound) for side in ("A", "B")]
    same = both.comparable(id)
    yield from explained.row(screen, key, *drawn, *([_difference(both, id)] if same else []))
    if not same:
        a, b = (" × ".join(map(str, z.shape)) for z in both.matrices(id))
        yield blocks.note(say(f"compare.shapes.{id}", a=a, b=b), "info")


def _figures(id: str) -> View:
    key = f"compare-{id}"
    return View(f"compare.{key}", lambda screen: figures(screen, id, key))


weights, output = _figures("weights"), _figures("output")


def _side(screen: Screen, both: Sides, side: str, id: str, bound: float) -> ExplainedHeatmap:
    run = both.a if side == "A" else both.b
    query = screen.query(run)
    if query is None:
        query = steps.focus_of(run) if both.farthest is None else both.farthest
    step = run.trace[id]
    return explained_heatmap(
        run,
        run.trace,
        id,
        Caption(f"{id}-{side}", f"{side} · {say(f'step.{id}.title')}", note(run, step, query)),
        forbidden=steps.forbidden(run, step),
        bound=bound,
    )


def _difference(both: Sides, id: str) -> ExplainedHeatmap:
    a, b = both.matrices(id)
    rows, columns = both.b.trace[id].axes[-2:]
    names = both.labels(rows), both.labels(columns)
    z = b - a
    drawn = heatmap_of(f"{id}-difference", z, rows, columns, forbidden=both.hidden(id), hidden=0.0, bound=magnitude(z))
    row, column = divmod(int(z.abs().argmax()), z.shape[1])
    place = say(f"compare.at.{columns}", name=names[1][column] if names[1] else column)
    change = _signed(float(z[row, column]))
    said = say("compare.largest", query=names[0][row], place=place, change=change)
    figure = Figure(drawn, f"B − A · {say(f'step.{id}.title')}", *names, said, part=part(both.b, both.b.trace[id]))
    explain = partial(_told, a, b)
    return ExplainedHeatmap(both.b, figure, explain, dict(zip((rows, columns), names, strict=True)))


def _told(a: Tensor, b: Tensor, row: int, column: int) -> Explanation:
    return derived.difference(float(a[row, column]), float(b[row, column]), row, column)


@view
def rows(screen: Screen) -> Iterator[Block]:
    """Each query: how much of its weight lies elsewhere, how far B is from A in nats, and which keys it went to."""
    both = sides(screen)
    if both.rows is None:
        return
    yield blocks.heading(say("compare.rows"))
    moved, entropy = both.rows.total_variation, both.rows.relative_entropy
    if (at := both.farthest) is not None:
        yield blocks.text(_most(both, at, moved, entropy))
    shown = sorted(moved.nan_to_num(2).argsort(descending=True, stable=True)[:_ROWS].tolist())
    names = both.labels("query")
    table = [
        (in_table(names[row]), _short(float(moved[row])), _short(float(entropy[row])), _moved(both, row))
        for row in shown
    ]
    header = [say(f"compare.column.{name}") for name in ("query", "variation", "entropy", "moved")]
    yield blocks.table(*header, rows=table)
    told = [say("compare.first_rows", shown=len(shown), rows=len(moved))] if len(shown) < len(moved) else []
    beyond = both.rows.beyond
    if beyond.any():
        query, key = divmod(int(beyond.int().argmax()), beyond.shape[1])
        pair = {"query": in_table(names[query]), "key": _key(both, key)}
        told.append(say("compare.infinite", count=int(beyond.any(-1).sum()), rows=len(moved), **pair))
    if any("kept" in run.trace for run in (both.a, both.b)):
        told.append(say("compare.dropout"))
    yield blocks.text(listed("sentence", (*told, say("compare.measures"))))


def _most(both: Sides, at: int, moved: Tensor, entropy: Tensor) -> str:
    if moved[at] <= _ROUNDING:
        return say("compare.unmoved", count=len(moved))
    values = {"moved": moved[at], "nats": entropy[at], "mean": moved.nanmean()}
    numbers = {name: _short(float(value)) for name, value in values.items()}
    return say("compare.most", query=in_table(both.labels("query")[at]), **numbers)


def _moved(both: Sides, row: int) -> str:
    """The keys that gained and lost most; of a row that is no distribution, whose it is."""
    found = both.rows
    assert found is not None
    empty = [not found.a[row].any(), not found.b[row].any()]
    if any(empty):
        return say(f"compare.empty.{'both' if all(empty) else 'a' if empty[0] else 'b'}")
    change = found.b[row] - found.a[row]
    ends = [index for index in (int(change.argmax()), int(change.argmin())) if change[index].abs() > _ROUNDING]
    if not ends:
        return say("compare.nothing")
    return listed("comma", (f"{_key(both, index)} {_signed(float(change[index]))}" for index in ends))


def _key(both: Sides, key: int) -> str:
    """The name of a key, or of the sink behind the last one."""
    names = both.labels("key")
    return in_table(names[key]) if key < len(names) else say("compare.sink")


def _signed(change: float) -> str:
    return f"{'−' if change < 0 else '+' if change else ''}{_short(abs(change))}"


def _short(value: float) -> str:
    """Three decimals, so that a column can be read down; digits where these would show nothing."""
    return f"{value:.3f}" if math.isfinite(value) and value >= 0.001 else digits(value, 2)
