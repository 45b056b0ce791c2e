"""Heads that are offered by what they do, found on the text that is shown, each with the number that found it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd
from torch import Tensor

from attention.analysis.head_patterns import PATTERNS, WORTH
from pages.shell.component.arcs import Ask
from pages.shell.component.asking import Asking
from pages.shell.i18n import listed, say
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import asks_at, measured, name, opens, place, request, soon, spelled, two
from pages.shell.views.models.effects import every_head
from pages.shell.views.registry import named

# The head without which the output changes most, and one of which nothing is known that has a name.
NEEDED, UNNAMED = "needed", "unnamed"
# Of a head's weight, what has to go to one word for this to be what the head does there.
_CLEAR = 0.5


@dataclass(frozen=True)
class Offered:
    """A head (layer and head from 0) that is offered as the one that does a kind of thing most. number: how much of it,
    None where nothing was measured."""

    kind: str
    layer: int
    head: int
    number: float | None

    @property
    def what(self) -> str:
        return say(f"models.does.{self.kind}")

    def row(self, outputs: Outputs, query: int) -> Tensor:
        """Its weights for a query."""
        return outputs.weights[self.layer, self.head, query]


def offered(screen: Screen, outputs: Outputs) -> list[Offered]:
    """One head for each thing that a head of the text does, the opened one among them."""
    told, found, wanted = measured(outputs), [], request(screen)
    # A model that is changed in more than its switches may need another head.
    table = effects(wanted) if replace(wanted, off=()) == wanted.plain() else None
    if table is not None:
        most = table.loc[table["effect"].idxmax()]
        found.append(Offered(NEEDED, int(most["layer"]), int(most["head"]), float(most["effect"])))
    for kind in PATTERNS:
        at = told.strongest(kind)
        if at is not None and float(told.numbers[kind][at]) >= WORTH:
            found.append(Offered(kind, at[0], at[1], float(told.numbers[kind][at])))
    layer, head = place(screen)
    if (layer, head) not in {(one.layer, one.head) for one in found}:
        kind = PATTERNS[int(told.kinds()[layer, head])]
        number = float(told.numbers[kind][layer, head])
        is_named = kind != PATTERNS[-1] and number == number
        found.append(Offered(kind, layer, head, number) if is_named else Offered(UNNAMED, layer, head, None))
    return found


def effects(wanted: Request) -> pd.DataFrame | None:
    """The effect of every head of a model as it was trained, where somebody has measured it."""
    plain = wanted.plain()
    kept = recorded.effects(plain)
    return every_head(plain).found() if kept is None else kept


def opened(screen: Screen, heads: Sequence[Offered]) -> int:
    """Which of them is open."""
    return next(at for at, one in enumerate(heads) if (one.layer, one.head) == place(screen))


def asks(heads: Sequence[Offered], outputs: Outputs, query: int) -> list[Ask]:
    """What they take for a query, each with the name of what it does where it does that here."""
    made = []
    for number, one in enumerate(heads):
        row = one.row(outputs, query)
        most = int(row.argmax())
        does = float(row[most]) >= _CLEAR and _is_there(one.kind, outputs, query, most)
        made.append(Ask(number + 1, row.tolist(), one.what if does else "", most if does else -1))
    return made


def _is_there(kind: str, outputs: Outputs, query: int, key: int) -> bool:
    """Whether a key of a query is what a kind of head looks for."""
    tokens = outputs.tokens
    return {
        NEEDED: True,
        "previous": key == query - 1,
        "next": key == query + 1,
        "first": key == 0,
        "same": tokens[key] == tokens[query],
        "induction": 0 < key <= query and tokens[key - 1] == tokens[query],
    }.get(kind, False)


@named("models.offered")
def heads(screen: Screen) -> Iterator[Block]:
    """A click on a line opens the head."""
    found = soon(request(screen))
    if found is None:
        return
    shown, query = offered(screen, found), asks_at(screen, found)
    tokens = spelled(request(screen).model, found.tokens)
    count = found.weights.shape[0] * found.weights.shape[1]
    off = request(screen).off
    yield blocks.figures(
        Asking(
            "offered",
            say("models.offered.title", count=count),
            say("models.offered.text", word=tokens[query]),
            say("models.offered.note"),
            tokens,
            opened(screen, shown),
            asks(shown, found, query),
            [_said(one, is_off=(one.layer, one.head) in off) for one in shown],
            [one.what for one in shown],
            [_opens(screen, one) for one in shown],
        ),
        click={},
    )


def _said(one: Offered, *, is_off: bool) -> str:
    where = name(one.layer, one.head)
    # One meaning a column: of the others, the number would be another one.
    if one.number is None or one.kind in (NEEDED, PATTERNS[-1]):
        parts = [where]
    else:
        parts = [say("models.offered.said", head=where, number=two(one.number))]
    if is_off:
        parts.append(say("models.offered.off"))
    return listed("comma", parts)


def _opens(screen: Screen, one: Offered) -> dict[str, str]:
    """The head is opened at the word that is looked at."""
    return opens(one.layer + 1, one.head + 1) | {"cell": screen.parameters.get("cell", "")}
