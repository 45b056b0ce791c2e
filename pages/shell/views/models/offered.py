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
from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, requested, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models import alone
from pages.shell.views.models.common import asks_at, measured, name, opens, place, request, soon, spelled, two
from pages.shell.views.models.effects import every_head
from pages.shell.views.registry import named

# The head without which the output changes most, one that takes most of its weight from one word for the last one, and
# one of which nothing is known that has a name.
NEEDED, TAKES, UNNAMED = "needed", "takes", "unnamed"
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
    # Of the first two: the token (from 0) that it takes most from for the last word, and how it is read.
    key: int = -1
    word: str = ""

    @property
    def what(self) -> str:
        return say("models.needed", word=self.word) if self.key >= 0 else say(f"models.does.{self.kind}")

    def row(self, outputs: Outputs, query: int) -> Tensor:
        """Its weights for a query."""
        return outputs.weights[self.layer, self.head, query]


def offered(screen: Screen, outputs: Outputs) -> list[Offered]:
    """One head for each thing that a head of the text does, the opened one among them."""
    found, wanted = [], request(screen)
    # A model that is changed in more than its switches may need another head; a switch leaves the lines where they are.
    is_switched = replace(wanted, off=()) == wanted.plain()
    outputs = (_as_trained(wanted.plain()) if is_switched else None) or outputs
    told, table = measured(outputs), effects(wanted) if is_switched else None
    if table is not None:
        most = table.loc[table["effect"].idxmax()]
        at = int(most["layer"]), int(most["head"])
        found.append(_taking(NEEDED, wanted, outputs, at, float(most["effect"])))
    for kind in PATTERNS:
        strongest = told.strongest(kind)
        if strongest is not None and float(told.numbers[kind][strongest]) >= WORTH:
            found.append(Offered(kind, strongest[0], strongest[1], float(told.numbers[kind][strongest])))
    layer, head = place(screen)
    if (layer, head) not in {(one.layer, one.head) for one in found}:
        kind = PATTERNS[int(told.kinds()[layer, head])]
        number = float(told.numbers[kind][layer, head])
        is_named = kind != PATTERNS[-1] and number == number
        one = Offered(kind, layer, head, number) if is_named else Offered(UNNAMED, layer, head, None)
        found.append(_clearer(one, wanted, outputs))
    return found


def _taking(kind: str, wanted: Request, outputs: Outputs, at: tuple[int, int], number: float | None) -> Offered:
    """A head that is named after the word that it takes most from for the last one."""
    key = int(outputs.weights[*at, _last(wanted, outputs)].argmax())
    return Offered(kind, *at, number, key, spelled(wanted.model, outputs.tokens)[key])


def _clearer(one: Offered, wanted: Request, outputs: Outputs) -> Offered:
    """Named after the word that it takes most from for the last one, where that is clear, and nothing of what it does
    elsewhere in the text."""
    taking, last = _taking(TAKES, wanted, outputs, (one.layer, one.head), None), _last(wanted, outputs)
    is_clear = float(taking.row(outputs, last)[taking.key]) >= _CLEAR
    return taking if is_clear and 0 < taking.key != last and not _is_there(one, outputs, last, taking.key) else one


def _last(wanted: Request, outputs: Outputs) -> int:
    return last_word(len(outputs.tokens), is_causal=sizes_of(wanted.model).causal)


def _as_trained(plain: Request) -> Outputs | None:
    """What heads are measured on. Of the page's own texts the kept record, before the model is loaded and after: of two
    heads that do a thing nearly as much, rounding would choose one here and the other there, and a line would move."""
    return recorded.recorded(plain) if plain in recorded.WHOLE else soon(plain)


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
        does = float(row[most]) >= _CLEAR and _is_there(one, outputs, query, most)
        made.append(Ask(number + 1, row.tolist(), one.what if does else "", most if does else -1))
    return made


def _is_there(one: Offered, outputs: Outputs, query: int, key: int) -> bool:
    """Whether a key of a query is what a kind of head looks for."""
    tokens = outputs.tokens
    return {
        NEEDED: key == one.key,
        TAKES: key == one.key,
        "previous": key == query - 1,
        "next": key == query + 1,
        "first": key == 0,
        "same": tokens[key] == tokens[query],
        "induction": 0 < key <= query and tokens[key - 1] == tokens[query],
    }.get(one.kind, False)


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
            [_said(request(screen), one) for one in shown],
            [_named(shown, at) for at in range(len(shown))],
            [_opens(screen, one) for one in shown],
            [(not _is_off(one, off), _switches(screen, one)) for one in shown],
        ),
        click={},
    )
    if off:
        together = alone.together(request(screen), found)
        yield blocks.buttons((say("all_heads.all_on"), None, {"model_off": ""}), said=together)


def _named(shown: Sequence[Offered], at: int) -> str:
    """What a line is called: the opened head, which stands last, may do what another one does more."""
    what = shown[at].what
    return say("models.offered.too", what=what) if what in {one.what for one in shown[:at]} else what


def _is_off(one: Offered, off: Sequence[tuple[int, int]]) -> bool:
    return (one.layer, one.head) in off


def _switches(screen: Screen, one: Offered) -> dict[str, str] | None:
    """What the switch of a head sets, and the head is opened; None where nobody knows what the model says then."""
    off = ",".join(
        f"{layer + 1}.{head + 1}" for layer, head in sorted({*request(screen).off} ^ {(one.layer, one.head)})
    )
    own = screen.own(Models)
    there = requested(Models.of({**screen.parameters, "model_off": off}))
    if is_lacking(own.model) and there not in recorded.WHOLE:
        return None
    return _opens(screen, one) | {"model_off": off}


def _said(wanted: Request, one: Offered) -> str:
    """Of a head that is off, what the model says without it alone: several that are off stand side by side."""
    where, is_off = name(one.layer, one.head), _is_off(one, wanted.off)
    if is_off and (result := alone.without(wanted, (one.layer, one.head))):
        return result
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
