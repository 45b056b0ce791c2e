"""The minute that the page begins with: one slider over how far many scores spread, the shares that softmax makes of
them, and the law of the spread."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.asked import is_settled
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import factor, rows, spread, variance
from pages.shell.views.waiting import result


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """Read off what was drawn for every d_k: another one moves everything without another draw."""
    lab = screen.own(Laboratory)
    drawn, many = result(variance.drawn(lab)), result(rows.drawn(lab))
    places = factor.places(lab, drawn.variances)
    is_answered = guess.is_answered(screen, "factor")
    # Who has dragged to where the answers stand has drawn the right one: it is told, and no more asked for.
    is_drawn = not is_answered and is_settled("factor", screen)
    ghosts = [] if is_drawn else guess.ghosts(screen, "factor", places, factor.words(lab))
    # Until somebody guesses, the line is drawn as far as the slider has come.
    is_whole = not places or is_answered
    if is_drawn:
        told = factor.drawn(drawn.variances)
    else:
        told = guess.told(screen, "factor") if places else say("predict.factor.why")
    growth = variance.growth(lab, drawn.variances, ghosts, is_whole, told)
    yield blocks.figures(spread.histogram(lab, drawn.sweep), rows.chart(lab, many), growth)
    yield rows.training(lab, many)
