"""The numbers that the figure of a question shows of its answer, told beside the verdict."""

from collections.abc import Callable, Iterator

from attention.analysis import costs
from attention.analysis.costs import MODELS
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, percent
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.views.crossing import texts
from pages.shell.views.dropout import two_layers
from pages.shell.views.order.shuffle import Shuffle


def _fallen(screen: Screen) -> Iterator[str]:
    """The number of draws in which the answer over two arcs falls."""
    if found := two_layers.falls(screen):
        share = f"{found.fallen / found.draws:.0%}"
        yield say("dropping.falls", fallen=found.fallen, draws=found.draws, share=share, p=two_layers.HALF)


def _outputs(screen: Screen) -> Iterator[str]:
    """The number of queries and of keys."""
    text, context = texts(screen.run)
    yield say("cross.outputs", n_q=len(text), n_k=len(context))


def _halves(_: Screen) -> Iterator[str]:
    """The length at which the pairs are half of a layer's cost, and its multiple of the layer's width."""
    for model, layer in MODELS.items():
        d, n = layer.d_model, costs.overtakes_layer(layer)
        name = word("cost_model", model)
        yield say("costs.sheet.half_of", model=name, d=f"{d:,}", n=f"{n:,.0f}", times=digits(n / d, 2))


def _changes(screen: Screen) -> Iterator[str]:
    """The least change of an output under the new order, and the largest one."""
    parts = Shuffle(screen).parts
    yield say("order.changes", least=percent(min(parts)), most=percent(max(parts)))


_SEEN: dict[str, Callable[[Screen], Iterator[str]]] = {
    "two_arcs": _fallen,
    "dropped": _outputs,
    "costs": _halves,
    "order": _changes,
}


def seen(question: str, screen: Screen) -> Iterator[str]:
    if question in _SEEN:
        yield from _SEEN[question](screen)
