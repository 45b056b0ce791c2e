"""A and B: the arcs of both on one sentence, what differs, and the parts that the page opens."""

from collections.abc import Iterator
from dataclasses import replace

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import cut, in_table, plain, quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.i18n.options import word
from pages.shell.runs import asking, learned
from pages.shell.runs.differences import differing
from pages.shell.screen import Screen
from pages.shell.views import blocks, head_arcs
from pages.shell.views.blocks import Block
from pages.shell.views.compare import matrices, moved_rows, offered, why
from pages.shell.views.compare.compared import Sides, sides
from pages.shell.views.crossing import crossing
from pages.shell.views.registry import View, view
from pages.shell.views.taken import acting
from pages.shell.views.turned import turned

# Letters of a value in a table and above a figure, and how many controls are named there.
_LETTERS, _SIDE, _NAMED = 60, 24, 3


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
    if told:
        yield blocks.text(
            listed("sentence", (_differs(named), *why.said(both, query), _elsewhere(both, query), *_right(both)))
        )
    else:
        yield blocks.text(say("compare.same"))


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


def _differs(told: dict[str, tuple[str | None, str | None]]) -> str:
    """What was set otherwise: both values of one control, the names of several."""
    names = [say(f"control.{name}.label") for name in told]
    if len(told) > 1:
        return say("compare.several", controls=listed("comma", names))
    (name,), (values,) = told, told.values()
    a, b = (plain(cut(word(name, value), _SIDE)) if value is not None else "–" for value in values)
    return say("compare.one", control=names[0], a=a, b=b)


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


def _right(both: Sides) -> Iterator[str]:
    """How many answers to test sentences the layer of each has right, where both have sentences of the grammar."""
    found = [learned.tested(run.config, run.module) for run in (both.a, both.b)]
    means = [fixed(one.scores.mean) for one in found if one is not None]
    if len(means) == 2 and asking.asked(both.a) and asking.asked(both.b):
        yield say("compare.right", first=means[0], second=means[1])


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


def _figures(id: str) -> View:
    key = f"compare-{id}"
    return View(f"compare.{key}", lambda screen: matrices.figures(screen, id, key))


weights, output = _figures("weights"), _figures("output")
rows = View("compare.rows", moved_rows.rows)
keeping = View("compare.keeping", offered.keeping)
changing = View("compare.changing", offered.changing)
