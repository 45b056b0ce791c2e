"""A step of A and of B as matrices, and their difference."""

from collections.abc import Iterator
from functools import partial

from torch import Tensor

from attention.explain import derived
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of, magnitude
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained, steps
from pages.shell.views.blocks import Block
from pages.shell.views.captions import note, part
from pages.shell.views.compare.compared import Sides, sides
from pages.shell.views.compare.moved_rows import signed
from pages.shell.views.explained import Caption, ExplainedHeatmap, explained_heatmap


def figures(screen: Screen, id: str, key: str) -> Iterator[Block]:
    """A step of A, of B, and B minus A if both have the same shape. key: the address's name of this part."""
    both = sides(screen)
    bound = max(map(magnitude, both.matrices(id)))
    drawn = [_side(screen, both, side, id, bound) for side in ("A", "B")]
    same = both.comparable(id)
    yield from explained.row(screen, key, *drawn, *([_difference(both, id)] if same else []))
    if not same:
        a, b = (" × ".join(map(str, z.shape)) for z in both.matrices(id))
        yield blocks.note(say(f"compare.shapes.{id}", a=a, b=b), "info")


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
    change = signed(float(z[row, column]))
    said = say("compare.largest", query=names[0][row], place=place, change=change)
    figure = Figure(drawn, f"B − A · {say(f'step.{id}.title')}", *names, said, part=part(both.b, both.b.trace[id]))
    explain = partial(_told, a, b)
    return ExplainedHeatmap(both.b, figure, explain, dict(zip((rows, columns), names, strict=True)))


def _told(a: Tensor, b: Tensor, row: int, column: int) -> Explanation:
    return derived.difference(float(a[row, column]), float(b[row, column]), row, column)
