"""All heads as small maps, grouped by their pattern on this text."""

from collections.abc import Iterator

import numpy as np
import torch

from attention.analysis.head_patterns import PATTERNS, WORTH, Patterns
from pages.shell.component import wall
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fraction
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import after, measured, name, numbers, opens, place, two
from pages.shell.views.registry import named


@named("models.wall")
def maps(screen: Screen) -> Iterator[Block]:
    """A click on a map opens its head."""
    found = after(screen)
    if found is None:
        return
    told = measured(found)
    count = found.weights.shape[0] * found.weights.shape[1]
    yield blocks.heading(say("models.wall.title"))
    yield blocks.text(
        listed("sentence", (say("models.wall.text", count=count, worth=fraction(WORTH)), _strongest(told)))
    )
    drawn = wall.sent(say("models.wall.label"), _groups(found, told))
    yield {"kind": "wall", "wall": drawn, "click": opens("{layer}", "{head}")}


@named("models.opened")
def opened(screen: Screen) -> Iterator[Block]:
    """The head of the wall that is open. This view is separate, so that the maps of all heads are not sent again."""
    layer, head = place(screen)
    yield {"kind": "opened", "head": f"{layer + 1}.{head + 1}"}


@named("models.table")
def table(screen: Screen) -> Iterator[Block]:
    """The maps as a table."""
    found = after(screen)
    if found is None:
        return
    told = measured(found)
    header = [say("models.wall.head"), *(say(f"models.pattern.{kind}.title") for kind in PATTERNS)]
    rows = (
        (f"{layer + 1}.{head + 1}", *(_cell(told, kind, layer, head) for kind in PATTERNS))
        for layer, head in np.ndindex(*found.weights.shape[:2])
    )
    yield blocks.table(*header, rows=rows)


def _cell(told: Patterns, kind: str, layer: int, head: int) -> str:
    number = float(told.numbers[kind][layer, head])
    return two(number) if number == number else "–"


def _strongest(told: Patterns) -> str:
    """The strongest head of each pattern that the text can show."""
    found = ((kind, told.strongest(kind)) for kind in PATTERNS[:-1])
    parts = (
        say(
            "models.wall.most",
            what=say(f"models.pattern.{kind}.title"),
            head=name(*at),
            number=two(float(told.numbers[kind][at])),
        )
        for kind, at in found
        if at is not None and float(told.numbers[kind][at]) >= WORTH
    )
    told_of = list(parts)
    if not told_of:
        return say("models.wall.none", worth=fraction(WORTH))
    return say("models.wall.found", parts=listed("comma", told_of))


def _groups(found: Outputs, told: Patterns) -> list[wall.Group]:
    kinds = told.kinds()
    seen = torch.ones(found.weights.shape[-2:], dtype=torch.bool) if found.mask is None else found.mask
    maps = np.where(seen.numpy(), found.weights.numpy(), np.nan)
    groups = []
    for number, kind in enumerate(PATTERNS):
        own = torch.nonzero(kinds == number)
        if not len(own):
            continue
        strength = told.numbers[kind]
        order = sorted(own.tolist(), key=lambda at: -float(strength[at[0], at[1]]))
        heads = [_head(told, kind, layer, head, maps[layer, head]) for layer, head in order]
        title = say("models.wall.group", what=say(f"models.pattern.{kind}.title"), count=len(heads))
        groups.append(wall.Group(title, say(f"models.pattern.{kind}.text"), heads))
    return groups


def _head(told: Patterns, kind: str, layer: int, head: int, weights: np.ndarray) -> wall.Head:
    label = f"{name(layer, head)}: {numbers(told, layer, head)}"
    return wall.Head(
        layer + 1, head + 1, label, two(float(told.numbers[kind][layer, head])).lstrip("0") or "0", weights
    )
