"""The offered heads, chosen by their work on the shown text, each with those that do the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import torch
from torch import Tensor

from attention.analysis.head_patterns import PATTERNS, WORTH, Patterns
from pages.shell.component.arcs import Ask
from pages.shell.i18n import say
from pages.shell.runs.results import Experiment
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import loaded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views.models.alone import Head, is_measured
from pages.shell.views.models.common import measured, place, request, soon, spelled
from pages.shell.views.models.effects import every_head
from pages.shell.views.models.tried import answered

# A head that takes most of its weight for the last word from one word, and a head without a named pattern.
TAKES, UNNAMED = "takes", "unnamed"
# The least share of a head's weight in one place that counts as its work.
CLEAR = 0.5


@dataclass(frozen=True)
class Offered:
    """A head (layer and head from 0) with a kind of work; like: all heads that clearly do the same and nothing else
    more, including this one; again: whether the text has a word twice."""

    kind: str
    layer: int
    head: int
    like: tuple[Head, ...] = ()
    # For a head that takes from one word: the token (from 0) with its largest weight for the last word, and its
    # spelling.
    key: int = -1
    word: str = ""
    again: bool = False

    @property
    def at(self) -> Head:
        return self.layer, self.head

    @property
    def job(self) -> tuple[str, int]:
        return self.kind, self.key

    @property
    def what(self) -> str:
        if self.kind == "same" and self.again:
            return say("models.does.same_again")
        return say("models.takes", word=self.word) if self.key >= 0 else say(f"models.does.{self.kind}")

    def row(self, outputs: Outputs, query: int) -> Tensor:
        """The weights of the head for a query."""
        return outputs.weights[self.layer, self.head, query]


def offered(screen: Screen, outputs: Outputs) -> list[Offered]:
    """One head for each kind of work in the text, from the first layer to the last, so that no place reveals the most
    needed one. That head, if known, the opened one and the guessed one are among them."""
    found, wanted = [], request(screen)
    # A model with more changes than its switches may need another head; a switch leaves the lines in place.
    is_switched = is_measured(wanted)
    outputs = (_as_trained(wanted.plain()) if is_switched else None) or outputs
    told, table = measured(outputs), effects(wanted) if is_switched else None
    if table is not None:
        # A kept record has no probabilities.
        is_left = "probability" in table
        most = table.loc[table["probability"].idxmin() if is_left else table["effect"].idxmax()]
        found.append(_called(wanted, outputs, told, (int(most["layer"]), int(most["head"]))))
    for kind in PATTERNS:
        strongest = told.strongest(kind)
        if kind in {one.kind for one in found} or strongest is None or float(told.numbers[kind][strongest]) < WORTH:
            continue
        layer, head = strongest
        if (layer, head) not in {one.at for one in found}:
            found.append(Offered(kind, layer, head))
    for at in (place(screen), *answered(screen)[:1]):
        if at not in {one.at for one in found}:
            found.append(_called(wanted, outputs, told, at))
    last, again = _last(wanted, outputs), len({*outputs.tokens}) < len(outputs.tokens)
    groups = _groups(found, outputs, told, last)
    made = (replace(one, like=like, again=again) for one, like in zip(found, groups, strict=True))
    return sorted(made, key=lambda one: one.at)


def _called(wanted: Request, outputs: Outputs, told: Patterns, at: Head) -> Offered:
    """A head, named after its pattern in the text if that holds for the last word; else after the word with a clear
    majority of its weight there."""
    kind = PATTERNS[int(told.kinds()[at])]
    number = float(told.numbers[kind][at])
    is_named = kind != PATTERNS[-1] and number == number
    one = Offered(kind if is_named else UNNAMED, *at)
    last = _last(wanted, outputs)
    row = one.row(outputs, last)
    key = int(row.argmax())
    if _is_there(one, outputs, last, key):
        return one
    if float(row[key]) < CLEAR or key in (0, last):
        return Offered(UNNAMED, *at)
    return Offered(TAKES, *at, key=key, word=spelled(wanted.model, outputs.tokens)[key])


def _last(wanted: Request, outputs: Outputs) -> int:
    return last_word(len(outputs.tokens), is_causal=sizes_of(wanted.model).causal)


def _groups(lines: Sequence[Offered], outputs: Outputs, told: Patterns, last: int) -> list[tuple[Head, ...]]:
    """The heads that do the same as each line with most of their weight. A head with several kinds of work belongs to
    its strongest one for the last word; a line's own head belongs to the first line with its name. Heads without a
    clear word share nothing."""
    groups = [{one.at} for one in lines]
    first: dict[tuple[str, int], int] = {}
    for at, one in enumerate(lines):
        if one.kind not in (PATTERNS[-1], UNNAMED):
            groups[first.setdefault(one.job, at)].add(one.at)
    if not first:
        return [tuple(group) for group in groups]
    named = [lines[at] for at in first.values()]
    most, which = torch.stack([_done(one, outputs, told, last) for one in named]).max(0)
    own = {one.at for one in lines}
    for number, at in enumerate(first.values()):
        does = ((which == number) & (most >= 0)).nonzero().tolist()
        groups[at] |= {(layer, head) for layer, head in does} - own
    return [tuple(sorted(group)) for group in groups]


def _done(one: Offered, outputs: Outputs, told: Patterns, last: int) -> Tensor:
    """The weight of each head in a line's work for the last word; -1 for heads that do not clearly do it."""
    row = outputs.weights[:, :, last]
    keys = torch.tensor([_is_there(one, outputs, last, key) for key in range(row.shape[-1])])
    if one.kind == TAKES:
        others = [_is_there(Offered(kind, 0, 0), outputs, last, one.key) for kind in PATTERNS]
        does = (row[..., one.key] >= CLEAR) & ~torch.tensor(others)[told.kinds()]
    else:
        does = told.numbers[one.kind] >= CLEAR
    return torch.where(does, (row * keys).sum(-1), -1.0)


def _as_trained(plain: Request) -> Outputs | None:
    """The outputs that heads are measured on. For the page's own texts these are always the record, even after the
    model is loaded: rounding could choose another one of two nearly equal heads, and a line would move."""
    return recorded.recorded(plain) if plain in recorded.WHOLE else soon(plain)


def effects(wanted: Request) -> pd.DataFrame | None:
    """The effect of each head of the trained model, if it was measured."""
    plain = wanted.plain()
    kept = recorded.effects(plain)
    return every_head(plain).found() if kept is None else kept


def unmeasured(wanted: Request) -> Experiment[pd.DataFrame] | None:
    """The measurement of the most needed head, if the model is loaded and it was not made yet."""
    is_asked = is_measured(wanted) and loaded(wanted.model) is not None and effects(wanted) is None
    return every_head(wanted.plain()) if is_asked else None


def opened(screen: Screen, heads: Sequence[Offered]) -> int:
    """The index of the open head."""
    return next(at for at, one in enumerate(heads) if (one.layer, one.head) == place(screen))


def asks(heads: Sequence[Offered], outputs: Outputs, query: int) -> list[Ask]:
    """The weights of the heads for a query, each with the name of its work if it does that here."""
    made = []
    for number, one in enumerate(heads):
        row = one.row(outputs, query)
        most = int(row.argmax())
        does = float(row[most]) >= CLEAR and _is_there(one, outputs, query, most)
        made.append(Ask(number + 1, row.tolist(), one.what if does else "", most if does else -1))
    return made


def _is_there(one: Offered, outputs: Outputs, query: int, key: int) -> bool:
    """Whether a key of a query fits a kind of head."""
    tokens = outputs.tokens
    return {
        TAKES: key == one.key,
        "previous": key == query - 1,
        "next": key == query + 1,
        "first": key == 0,
        "same": tokens[key] == tokens[query],
        "induction": 0 < key <= query and tokens[key - 1] == tokens[query],
    }.get(one.kind, False)
