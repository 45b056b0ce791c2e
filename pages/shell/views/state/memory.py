"""The memory of a state and of a cache: lines over the number of tokens, and the sizes of published models."""

from collections.abc import Iterator

from attention.cache import HYBRIDS
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

_LENGTHS = tuple(2**exponent for exponent in range(6, 18))
# The length at which each model's name stands, and its distance from its line: above the upper one, below the lower
# one.
_NAMED = ((-4, 1.0), (-2, 0.06))


def memory(screen: Screen) -> Iterator[Block]:
    """The numbers that a layer keeps, over the number of tokens: a line that rises, and one that does not."""
    series = []
    for colour, (model, (at, beside)) in enumerate(zip(HYBRIDS, _NAMED, strict=True)):
        name, y = say("state.kept.cache", model=model.name), [model.token * n for n in _LENGTHS]
        series.append(Series(name, _LENGTHS, y, colour=colour, said=(_LENGTHS[at], beside * y[at], model.name)))
    for state in sorted({model.state for model in HYBRIDS}):
        name = say("state.kept.state", numbers=f"{state:,}")
        series.append(Series(name, _LENGTHS, [state] * len(_LENGTHS), colour=2, said=(_LENGTHS[-2], 0.4 * state, name)))
    first = HYBRIDS[0]
    note = say("state.memory.note", model=first.name, equal=f"{first.equal:,.0f}")
    axes = Axis(say("state.memory.tokens"), log=True), Axis(say("state.memory.numbers"), log=True)
    marks = [(first.equal, f"n = {first.equal:,.0f}")]
    yield blocks.figures(Chart("state-memory", say("state.memory.title"), series, *axes, note, marks=marks))


def models(screen: Screen) -> Iterator[Block]:
    """The sizes behind the lines of memory, with their sources."""
    rows = (
        [model.name, f"{model.state:,}", f"{model.token:,}", f"{model.equal:,.0f}", model.source] for model in HYBRIDS
    )
    names = ("model", "state", "token", "equal", "source")
    yield blocks.table(*(say(f"state.memory.column.{name}") for name in names), rows=rows)


def wrong(_: Screen) -> Iterator[Block]:
    """A common wrong claim about these models."""
    yield blocks.text(say("state.memory.wrong"))
