"""A step of the sentence, of the shuffled one, and of the latter restored to the first order."""

from collections.abc import Iterator, Sequence

from torch import Tensor

from attention.figures import magnitude, matrix
from attention.trace import Step
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart
from pages.shell.screen import Screen
from pages.shell.views import explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, Labels, Moved, explained_heatmap
from pages.shell.views.order.shuffle import Shuffle


def row(screen: Screen, id: str) -> Iterator[Block]:
    """A step of the sentence, of the shuffled one, and of the latter restored to the first order."""
    shuffle = Shuffle(screen)
    shown = shuffle.shown
    plain, moved = shown.plain[id], shown.moved[id]
    back = Step(moved.quantity, shown.restored(id))
    far = float((matrix(back, head=shuffle.run.head) - matrix(plain, head=shuffle.run.head)).abs().max())
    bound = max(magnitude(step.value) for step in (plain, moved))
    title = say(f"step.{id}.title")
    # The picture shows the mean of the heads, a matrix one of them.
    if id == "weights" and shuffle.run.module.heads > 1:
        title = f"{title} · {say('asking.head', head=shuffle.run.head + 1)}"
    still = shuffle.moved == list(shuffle.tokens)
    # Both rows of figures need the note only once.
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
            # The sums of the restored step run over the words in shuffled order.
            labels=Labels(_along(tokens), _along(shuffle.tokens if side == "sentence" else shuffle.moved)),
        )
        for side, trace, tokens, note in sides
    ]
    yield from explained.row(screen, f"order-{id}", *drawn)


def _back(shuffle: Shuffle, step: Step) -> Moved:
    """The numbers of the shuffled sentence at the written places of its words."""
    back: list[int] = shuffle.order.argsort().tolist()
    columns = back if step.axes[-1] == "key" else range(step.value.shape[-1])
    return Moved(step, lambda row, column: (back[row], columns[column]))


def _along(tokens: Sequence[str]) -> dict[str, Sequence[str]]:
    return {"query": tokens, "key": tokens}


def _hidden(shuffle: Shuffle, side: str) -> Tensor:
    """The cells that the mask hides; they move with the words when the order is restored."""
    steps = shuffle.shown.moved if side == "back" else shuffle.shown.plain
    mask = shuffle.shown.restored("mask") if side == "back" else steps["mask"].value
    return ~matrix(Step(steps["mask"].quantity, mask), head=shuffle.run.head)
