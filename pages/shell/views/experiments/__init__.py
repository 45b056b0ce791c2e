"""What if…: one part of attention replaced at a time, before and after.

A view whose figures explain a cell has the name that the address uses for its part of the page.
"""

from collections.abc import Iterator

from pages.shell.screen import Screen
from pages.shell.views import head_arcs
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.experiments import axes, importance, parts, path, sentence, summary, what_if
from pages.shell.views.registry import View, view


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


why = View("experiments.why", path.why)
arcs = View("experiments.arcs", sentence.arcs)
together = View("experiments.together", summary.summary)
tied = View("experiments.tied", what_if.tied)
biased = View("experiments.biased", what_if.biased)
gauged = View("experiments.gauge", what_if.gauged)
another_sentence = View("experiments.sentence", parts.another_sentence)
value_sizes = View("experiments.sizes", parts.value_sizes)
transposed = View("experiments.transposed", axes.transposed)
columns = View("experiments.as-columns", parts.columns)
wrong_axis = View("experiments.wrong-axis", axes.wrong_axis)
wrong_d = View("experiments.wrong-d", axes.wrong_d)
scaled_first = View("experiments.scaled-first", parts.scaled_first)
weights_and_values = View("experiments.importance", importance.weights_and_values)
key_of_zeros = View("experiments.zero-key", importance.key_of_zeros)
