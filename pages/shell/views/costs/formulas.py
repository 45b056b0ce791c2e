"""Operations and bytes of a layer by formula, against n: of published sizes, and of the screen."""

from collections.abc import Iterator

from attention.analysis import costs
from attention.analysis.costs import CONTEXTS, MODELS, Layer
from attention.explain.latex import number
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import binary, decimal, percent
from pages.shell.i18n.options import word
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.costs.many import by_hand, many
from pages.shell.views.halfway import LENGTHS, layers

_HALF = 2
COUNTS = {"pairs": costs.pairs, "projections": costs.projections, "feed_forward": costs.feed_forward}
# Operations of one multiply-add.
BOTH = 2


def part(layer: Layer, n: int, *, causal: bool = False) -> float:
    """The share of the operations that grow with n^2 among all operations of a layer."""
    square = costs.pairs(layer, n, causal=causal)
    return square / (square + costs.projections(layer, n) + costs.feed_forward(layer, n))


def operations(screen: Screen) -> Iterator[Block]:
    """The operations of a layer for n tokens, part by part, and the formulas with numbers."""
    run, chosen = screen.run, screen.own(Costs)
    layer, n = layers(run)[chosen.cost_model], int(chosen.cost_n)
    yield from _counted(layer, n)
    yield blocks.figures(_parts(run, chosen))
    h, g, e, v, d = layer.heads, layer.groups, layer.d_k, layer.values, layer.d_model
    lines = (
        rf"2 n d\,(h d_k + g\,(d_k + d_v) + h d_v) = 2 \cdot {n} \cdot {d}"
        rf" \cdot ({h} \cdot {e} + {g} \cdot ({e} + {v}) + {h} \cdot {v}) = {number(costs.projections(layer, n))}",
        rf"2 n^2 h\,(d_k + d_v) = 2 \cdot {n}^2 \cdot {h} \cdot ({e} + {v})"
        rf" = {number(costs.pairs(layer, n))}",
    )
    for name, line in zip(("projections", "pairs"), lines, strict=True):
        yield {"kind": "chain", "markdown": f"{say(f'costs.part.{name}')}: ${line}$"}


def _counted(layer: Layer, n: int) -> Iterator[Block]:
    """The count of the multiplications of each part, and the time that a person would take for them."""
    rows = []
    for name, count in COUNTS.items():
        each = f"{count(layer, 1) // BOTH:,}"
        pairs = say("costs.counts.pairs", count=f"{n * n:,}", each=each)
        counted = pairs if name == "pairs" else say("costs.counts.rest", n=f"{n:,}", each=each)
        part_of = say(f"costs.part.{name}"), counted, many(count(layer, n) / BOTH), say(f"costs.means.{name}")
        rows.append(part_of)
    yield blocks.table(*(say(f"costs.column.{name}") for name in ("part", "how", "takes", "does")), rows=rows)
    whole = sum(count(layer, n) for count in COUNTS.values()) / BOTH
    told = say("costs.counts.all", n=f"{n:,}", count=many(whole)), by_hand(whole)
    yield blocks.text(listed("sentence", told))


def _parts(run: Run, chosen: Costs) -> Chart:
    layer, n = layers(run)[chosen.cost_model], int(chosen.cost_n)
    parts = {
        "pairs": costs.pairs,
        "projections": costs.projections,
        "feed_forward": costs.feed_forward,
        "linear": costs.linear,
    }
    series = [
        Series(
            say(f"costs.part.{name}"), LENGTHS, [count(layer, length) for length in LENGTHS], colour=place, dash=place
        )
        for place, (name, count) in enumerate(parts.items())
    ]
    here = {name: decimal(count(layer, n), "FLOP") for name, count in parts.items()}
    note = say("costs.parts_note", model=word("cost_model", chosen.cost_model), n=f"{n:,}", **here)
    crossing = say("costs.overtakes", n=f"{costs.overtakes_projections(layer):,.0f}")
    x, y = Axis(say("costs.n"), log=True), Axis(say("costs.flops"), log=True)
    return Chart(
        "costs-parts",
        say("costs.parts_title"),
        series,
        x,
        y,
        listed("sentence", (note, crossing)),
        marks=[(n, f"n = {n:,}")],
    )


def _first(run: Run, chosen: Costs) -> dict[str, Layer]:
    """The layers, the picture's first."""
    found = layers(run)
    return {chosen.cost_model: found[chosen.cost_model]} | found


def _shares(run: Run, chosen: Costs) -> Chart:
    n, found = int(chosen.cost_n), layers(run)
    series = [
        Series(word("cost_model", name), LENGTHS, [part(layer, length) for length in LENGTHS], colour=place, dash=place)
        for place, (name, layer) in enumerate(found.items())
    ]
    told = [
        say("costs.at", model=word("cost_model", name), share=percent(part(layer, n)))
        for name, layer in _first(run, chosen).items()
    ]
    note = say("costs.shares_note", n=f"{n:,}", parts=listed("comma", told))
    x, y = Axis(say("costs.n"), log=True), Axis(say("costs.share"), range=(0, 1.02))
    marks = [(n, f"n = {n:,}")]
    return Chart("costs-shares", say("costs.shares_title"), series, x, y, note, marks=marks)


def shares(screen: Screen) -> Iterator[Block]:
    """The share of n^2 in three layers, the n from which it costs more than the rest, and the memory of its scores."""
    run, chosen = screen.run, screen.own(Costs)
    yield blocks.figures(_shares(run, chosen))
    n = int(chosen.cost_n)
    rows = []
    for name, layer in _first(run, chosen).items():
        rows.append(
            (
                word("cost_model", name),
                f"{costs.overtakes_projections(layer):,.0f}",
                f"{costs.overtakes_layer(layer):,.0f}",
                percent(part(layer, n)),
                percent(part(layer, n, causal=True)),
                binary(costs.scores_bytes(layer.heads, n, _HALF)),
            )
        )
    names = ("model", "projections", "layer", "share", "causal", "scores")
    yield blocks.table(*(say(f"costs.column.{name}") for name in names), rows=rows)
    # The model of the picture, if that is a published one.
    name = chosen.cost_model if chosen.cost_model in MODELS else next(iter(MODELS))
    layer = MODELS[name]
    told = {"share": percent(part(layer, CONTEXTS[name])), "from_n": f"{costs.overtakes_layer(layer):,.0f}"}
    yield blocks.text(say("costs.wrong", model=word("cost_model", name), **told))
