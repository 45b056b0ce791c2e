"""Order: a sentence, its words in another order, and the rows put back in order."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import torch
from torch import Tensor

from attention.analysis import permutation
from attention.figures import magnitude, matrix
from attention.inputs.grammar import read
from attention.masks import grid
from attention.positions import sinusoidal
from attention.trace import Step
from pages.shell.component.reordered import Reordered
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import cut, plain
from pages.shell.i18n.numbers import apart
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Order
from pages.shell.views import blocks, explained, head_arcs
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, Labels, Moved, explained_heatmap
from pages.shell.views.registry import View, view

_LABELS = ("written", "moved", "drag", "of_written", "of_moved", "apart", "same", "other", "kind", "keys")
_MASKS, _POSITIONS = ("full", "causal"), (False, True)


class Shuffle:
    """The sentence of a screen without its padding, and its words in the order that was dragged or drawn.

    drawn: a drawn order, too, where no word has moved: for a table that compares two orders.
    """

    def __init__(self, screen: Screen, *, drawn: bool = False) -> None:
        run = screen.run
        self.run, self.chosen = run, screen.own(Order)
        self.n = run.inputs.lengths[run.sentence]
        self.order = _dragged(self.chosen.word_order, self.n)
        self.tokens = run.tokens[: self.n]
        if not len(self.order):
            self.order = self._drawn(self.chosen.shuffle) if self.chosen.shuffle else _exchanged(self.tokens)
        if drawn and self.is_written:
            self.order = self._drawn(self.chosen.shuffle or 1)
        self.moved = [self.tokens[place] for place in self.order.tolist()]

    def _drawn(self, seed: int) -> Tensor:
        return permutation.permutation(self.n, torch.Generator().manual_seed(seed))

    @property
    def is_written(self) -> bool:
        """Whether each word stands where it was written."""
        return self.order.tolist() == list(range(self.n))

    @property
    def rounding(self) -> float:
        """What the order of the terms of a sum may change: where a difference is larger, the numbers are others."""
        return 1e-9 * max(1.0, magnitude(self.shown.plain["projected"].value))

    def under(self, mask: str, positions: bool) -> permutation.Shuffled:
        """Both orders under a mask over places, with or without positions added."""
        run, n = self.run, self.n
        x = run.trace["x"].value[run.sentence, :n]
        return permutation.shuffle(
            run.module,
            x,
            self.order,
            positions=sinusoidal(n, x.shape[-1]) if positions else None,
            mask=grid(mask, n, n),
            scale=run.trace["scale"].value.item() if "scale" in run.trace else None,
        )

    @cached_property
    def shown(self) -> permutation.Shuffled:
        return self.under(self.chosen.order_mask, self.chosen.order_positions)


def _dragged(text: str, n: int) -> Tensor:
    """The order that a text names, from 0; empty where it does not name each of n words once."""
    places = [int(place) - 1 for place in text.split(",") if place.strip().isdecimal()]
    return torch.tensor(places if sorted(places) == list(range(n)) else [], dtype=torch.long)


def _pair(tokens: Sequence[str]) -> tuple[int, int]:
    """The places that are exchanged: of who does something, and to whom.

    In a sentence outside the grammar these are the first word and the last one.
    """
    sentence = read(tokens)
    nouns = [place for place, name in enumerate(sentence.classes) if name == "noun" and not sentence.fault]
    return (nouns[0], nouns[-1]) if nouns else (0, len(tokens) - 1)


def _exchanged(tokens: Sequence[str]) -> Tensor:
    """The order in which the page opens."""
    order = torch.arange(len(tokens))
    first, last = _pair(tokens)
    order[first], order[last] = last, first
    return order


@view
def warning(screen: Screen) -> Iterator[Block]:
    yield from head_arcs.warning(screen)


@view
def both(screen: Screen) -> Iterator[Block]:
    """The words in both orders, each with its output: a word is dragged to another place."""
    shuffle = Shuffle(screen)
    written = matrix(shuffle.shown.plain["projected"], batch=0)
    moved = matrix(Step(shuffle.shown.moved["projected"].quantity, shuffle.shown.restored("projected")), batch=0)
    far = (written - moved).abs().amax(-1)
    is_moved = (far > shuffle.rounding).tolist()
    size = written.norm(dim=-1)
    changed = ((written - moved).norm(dim=-1) / size.where(size > 0, 1)).tolist()
    labels = {name: say(f"order.label.{name}") for name in _LABELS}
    drawn = Reordered(
        "words",
        say("order.words"),
        _told(shuffle, changed, is_moved),
        shuffle.tokens,
        shuffle.order.tolist(),
        written.numpy(),
        moved.numpy(),
        max(magnitude(written), magnitude(moved)) or 1.0,
        [
            say("order.by", part=_percent(one)) if is_other else say("order.label.same")
            for one, is_other in zip(changed, is_moved, strict=True)
        ],
        is_moved,
        [one / (max(changed) or 1.0) for one in changed],
        # The browser fills these as a word moves.
        labels | {"place": say("order.place", place="{{place}}", of="{{of}}")},
    )
    yield blocks.figures(drawn, drag={"word_order": "{order}"})


def _percent(part: float) -> str:
    return f"{part:.0%}" if part >= 0.01 else "<1%"


def _told(shuffle: Shuffle, changed: Sequence[float], is_moved: Sequence[bool]) -> str:
    """What the outputs have done, and why. changed: by which part of its size each of them is another one."""
    if shuffle.is_written:
        return say("order.unmoved")
    counted = _counted(shuffle, changed, is_moved)
    return listed("sentence", (counted, *_reason(shuffle, any(is_moved)), _so(shuffle, any(is_moved))))


def _reason(shuffle: Shuffle, is_changed: bool) -> tuple[str, ...]:
    """What makes places matter, where outputs have changed; that nothing does, where none has."""
    reason = "positions" if shuffle.chosen.order_positions else shuffle.chosen.order_mask
    return (say(f"order.reason.{reason}"),) if is_changed != (reason == "full") else ()


def _so(shuffle: Shuffle, is_changed: bool) -> str:
    """What follows for a sentence: of the pair that is exchanged at first, who does something to whom."""
    case = "differ" if is_changed else "alike"
    sentence = read(shuffle.tokens)
    if sentence.fault or shuffle.order.tolist() != _exchanged(shuffle.tokens).tolist():
        return say(f"order.so.{case}")
    one, other = (cut(shuffle.tokens[at]) for at in _pair(shuffle.tokens))
    return say(f"order.who.{case}", one=one, other=other, verb=cut(shuffle.tokens[sentence.verb]))


def _counted(shuffle: Shuffle, changed: Sequence[float], is_moved: Sequence[bool]) -> str:
    """How many outputs are others than before, and which one most."""
    count = sum(is_moved)
    if not count:
        elsewhere = [word for place, word in enumerate(shuffle.order.tolist()) if word != place]
        if len(elsewhere) == 2:
            one, other = (shuffle.tokens[word] for word in sorted(elsewhere))
            return say("order.exchanged", one=one, other=other)
        return say("order.travels")
    most = max(range(len(changed)), key=changed.__getitem__)
    return say("order.changed", count=count, of=len(is_moved), word=cut(shuffle.tokens[most]))


@view
def again(screen: Screen) -> Iterator[Block]:
    """Another order; that of the sentence, and from there two words exchanged."""
    shuffle = Shuffle(screen)
    one, other = _pair(shuffle.tokens)
    drawn = {"shuffle": str(shuffle.chosen.shuffle % 99 + 1), "word_order": ""}
    written = {"shuffle": "0", "word_order": ",".join(str(place + 1) for place in range(shuffle.n))}
    back = (say("order.as_written"), shuffle.is_written, written)
    if shuffle.is_written and one != other:
        names = {"one": plain(cut(shuffle.tokens[one])), "other": plain(cut(shuffle.tokens[other]))}
        back = (say("order.exchange", **names), False, {"shuffle": "0", "word_order": ""})
    yield blocks.buttons((say("order.again"), False, drawn), back)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.ledger(screen)


@view
def differences(screen: Screen) -> Iterator[Block]:
    """The largest difference, put back in order, for each mask with positions and without."""
    shuffle = Shuffle(screen, drawn=True)
    yield blocks.heading(say("order.when"))
    rows = []
    for mask in _MASKS:
        both = [shuffle.under(mask, positions).difference("projected") for positions in _POSITIONS]
        rows.append([say(f"order.mask.{mask}"), *(apart(difference) for difference in both)])
    yield blocks.table(say("table.mask"), say("order.without"), say("order.with"), rows=rows)
    if Shuffle(screen).is_written:
        yield blocks.text(say("order.drawn"))
    yield blocks.text(say("order.why"))


def _row(screen: Screen, id: str) -> Iterator[Block]:
    """A step of the sentence, of the shuffled one, and of that one put back in order."""
    shuffle = Shuffle(screen)
    shown = shuffle.shown
    plain, moved = shown.plain[id], shown.moved[id]
    back = Step(moved.quantity, shown.restored(id))
    far = float((matrix(back, head=shuffle.run.head) - matrix(plain, head=shuffle.run.head)).abs().max())
    bound = max(magnitude(step.value) for step in (plain, moved))
    title = say(f"step.{id}.title")
    still = shuffle.moved == list(shuffle.tokens)
    # Once for both rows.
    told = (say("order.note.sentence"), say("order.note.unmoved") if still else say("order.note.shuffled"))
    told = told if id == "weights" else ("", "")
    sides = (
        ("sentence", shown.plain, shuffle.tokens, told[0]),
        ("shuffled", shown.moved, shuffle.moved, told[1]),
        ("back", shown.moved, shuffle.tokens, say("order.note.back", difference=apart(far))),
    )
    drawn = [
        explained_heatmap(
            shuffle.run,
            trace,
            id,
            Caption(f"{id}-{side}", f"{title} · {say(f'order.side.{side}')}", note),
            forbidden=_hidden(shuffle, side) if id == "weights" else None,
            bound=bound if id == "projected" else None,
            moved=_back(shuffle, back) if side == "back" else None,
            # The sums of what is put back run over the words in the order of the shuffled sentence.
            labels=Labels(_along(tokens), _along(shuffle.tokens if side == "sentence" else shuffle.moved)),
        )
        for side, trace, tokens, note in sides
    ]
    yield from explained.row(screen, f"order-{id}", *drawn)


weights = View("order.order-weights", lambda screen: _row(screen, "weights"))
projected = View("order.order-projected", lambda screen: _row(screen, "projected"))


def _back(shuffle: Shuffle, step: Step) -> Moved:
    """The numbers of the shuffled sentence where its words stand in the sentence."""
    back: list[int] = shuffle.order.argsort().tolist()
    columns = back if step.axes[-1] == "key" else range(step.value.shape[-1])
    return Moved(step, lambda row, column: (back[row], columns[column]))


def _along(tokens: Sequence[str]) -> dict[str, Sequence[str]]:
    return {"query": tokens, "key": tokens}


def _hidden(shuffle: Shuffle, side: str) -> Tensor:
    """What the mask hides, which moves with the words when they are put back."""
    steps = shuffle.shown.moved if side == "back" else shuffle.shown.plain
    mask = shuffle.shown.restored("mask") if side == "back" else steps["mask"].value
    return ~matrix(Step(steps["mask"].quantity, mask), head=shuffle.run.head)
