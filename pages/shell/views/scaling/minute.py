"""The minute that the page begins with: one slider over how far many scores spread, the shares that softmax makes of
them, and the law of the spread."""

from collections.abc import Iterator

from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, rows, spread, variance
from pages.shell.views.waiting import result


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves everything without another draw."""
    lab = screen.own(Laboratory)
    drawn, many = result(variance.drawn(lab)), result(rows.drawn(lab))
    # What becomes of the shares where scores are divided by d_k itself is asked: no drag tells it.
    scales = common.shown(is_answered=guess.is_answered(screen, "root"))
    hills, growth = spread.histogram(lab, drawn.sweep, scales), variance.growth(lab, drawn.variances, scales)
    yield blocks.figures(hills, rows.chart(lab, many, scales), growth)
    yield rows.training(lab, many)
