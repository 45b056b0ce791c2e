"""A and B: the arcs of both on one sentence, their differences, and the parts that the page opens."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages.shell.component.head_arcs import HeadArcs, Scored
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import in_table
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.runs.differences import differing
from pages.shell.screen import Screen
from pages.shell.views import blocks, head_arcs, naming
from pages.shell.views.blocks import Block
from pages.shell.views.compare import coloured, guessed, matrices, moved_rows, offered, scored, strayed, told, why
from pages.shell.views.compare.compared import chosen, sides
from pages.shell.views.crossing import crossing
from pages.shell.views.registry import View, view

# Letters of a value in a table and above a figure; controls that are named above a figure.
_LETTERS, _SIDE, _NAMED = 60, 24, 3


@view
def arcs(screen: Screen) -> Iterator[Block]:
    """The change in B, the arcs of A above the words and those of B below them, and the reason."""
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
    if both.is_one_layer:
        above, below = head_arcs.named_after(above, below.asks), head_arcs.named_after(below, above.asks)
    if both.has_same_heads:
        below = strayed.named(below, above.asks)
    if both.a.tokens == both.b.tokens:
        below = replace(below, colours=coloured.colours(both, above.asks, below.asks), lost=why.lost(both, query))
    differs = differing(both.a, both.b)
    named = chosen(both, differs)
    above, below = (replace(one, side=_named(named, side)) for side, one in enumerate((above, below)))
    if found := scored.of_both(both, query):
        above, below = (
            replace(_with_card(one, scored.card(of)), near=side)
            for one, of, side in zip((above, below), found, "AB", strict=True)
        )
        below = replace(below, gone=scored.gone(*found, list(above.asks), both.is_earlier))
    # Both texts keep their places even if they are empty, so that the picture does not move.
    if guessed.waits(screen, both, query):
        yield blocks.text(say("compare.guess.open"))
        yield from head_arcs.two(above, guessed.waiting(below, guessed.answers(both, query)))
        yield blocks.text("")
        return
    # B's loss and its reason stand together; further differences stand below the picture.
    reason, *behind = [*told.then(both, query)] or [""] if differs else [""]
    first = [guessed.judged(screen, both, query), told.first(both, query), reason] if differs else [say("compare.same")]
    pays = scored.paying(both)
    if pays.losing:
        words = listed("comma", (naming.named(above.tokens, place) for place in pays.losing))
        note = listed("sentence", (above.note, say("compare.pays_words", words=words)))
        above = replace(above, pays=pays.losing, note=note)
        behind = [_paying(pays), *behind]
    yield blocks.text(listed("sentence", filter(None, first)))
    yield from head_arcs.two(above, below)
    yield blocks.text(listed("sentence", behind) if behind else "")


def _paying(pays: scored.Paying) -> str:
    """The number of words that lose an answer, among those that have one in A."""
    count, asking = len(pays.losing), len(pays.asking)
    return say("compare.pays_one", asking=asking) if count == 1 else say("compare.pays", count=count, asking=asking)


def _with_card(arcs: HeadArcs, card: Sequence[Scored]) -> HeadArcs:
    """The answers beside their side, and in the text of the figure."""
    said = listed("comma", (one.said for one in card))
    return replace(arcs, scored=card, note=listed("sentence", (say("compare.scored", parts=said), arcs.note)))


def _named(differs: dict[str, tuple[str | None, str | None]], side: int) -> str:
    """A or B with its values of the differing controls that act there, as many as there is room for."""
    letter = "AB"[side]
    acting = [(name, own) for name, both in differs.items() if (own := both[side]) is not None]
    if not acting:
        return letter
    values = [
        say("compare.control_value", control=say(f"control.{name}.label"), value=word(name, own)[:_SIDE])
        for name, own in acting[:_NAMED]
    ]
    named = {"side": letter, "values": listed("comma", values)}
    return say("compare.side_more", **named) if len(acting) > _NAMED else say("compare.side", **named)


@view
def adjusted(screen: Screen) -> Iterator[Block]:
    """The adjusted values of each side, with its letter."""
    both = sides(screen)
    for side, run in (("A", both.a), ("B", both.b)):
        for adjustment in run.notes:
            yield blocks.note(f"{side}: {adjustment}")
    for said in told.whole(both):
        yield blocks.note(said, "info")


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
    are_texts = both.a.context is None and both.b.context is None
    behind = list(told.more(both, head_arcs.asked_of(screen))) if found and are_texts else []
    if behind:
        yield blocks.text(listed("sentence", behind))
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
instead = View("compare.instead", offered.instead)
