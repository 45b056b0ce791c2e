"""The first minute of the page: one slider over scores that walk away from 0 product by product, the weights that
softmax makes of them, and the law of their spread."""

import math
from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, rows, variance, walk
from pages.shell.views.waiting import result


@named("scaling.variance")
def figures(screen: Screen) -> Iterator[Block]:
    """All three figures read what was drawn for all d_k, so that the slider needs no other draw."""
    lab = screen.own(Laboratory)
    drawn, many = result(variance.drawn(lab)), result(rows.drawn(lab))
    # The weights of scores divided by d_k itself are a question, so that no drag may show them before a guess.
    scales = common.shown(is_answered=guess.is_answered(screen, "root"))
    growth = variance.growth(lab, drawn.variances, scales)
    yield blocks.figures(walk.chart(lab), rows.chart(lab, many, scales), growth)
    yield rows.training(lab, many, scales)


@named("scaling.conclusion")
def conclusion(screen: Screen) -> Iterator[Block]:
    """The reason for the root in one line, with the numbers of the chosen d_k; they are theory, and wait for no
    draw."""
    lab = screen.own(Laboratory)
    d, one, variance_of_all = int(lab.d), lab.pairs.variance(1), lab.pairs.variance(int(lab.d))
    yield blocks.text(
        say(
            "lab.variance.sum" if d > 1 else "lab.variance.sum_of_one",
            d=d,
            one=digits(one),
            variance=digits(variance_of_all),
            spread=digits(math.sqrt(variance_of_all)),
            back=digits(math.sqrt(one)),
        )
    )
