"""Induction: on a text with a repetition, the head that attends to the earlier token's successor, and the text without
it."""

from collections.abc import Iterator
from dataclasses import replace

from pages.shell.i18n import say
from pages.shell.i18n.markdown import code
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, example, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.url import written
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import before, found, measured, name, opens, request, two
from pages.shell.views.registry import named


@named("models.induction")
def told(screen: Screen) -> Iterator[Block]:
    plain = before(screen)
    if plain is None:
        return
    yield blocks.heading(say("models.induction.title"))
    yield blocks.text(say("models.induction.text"))
    patterns = measured(plain)
    at = patterns.strongest("induction")
    if at is None:
        yield blocks.text(say("models.induction.none"))
        sets = {control: written(value) for control, value in example("repeated").items()}
        yield blocks.buttons((say("models.induction.try"), False, sets | {"cell": ""}))
        return
    layer, head = at
    number = two(float(patterns.numbers["induction"][at]))
    yield blocks.text(say("models.induction.head", head=name(layer, head), code=f"L{layer}H{head}", number=number))
    yield from _followed(plain, request(screen).plain(), layer, head)
    yield blocks.buttons((say("models.induction.open", head=name(layer, head)), False, opens(layer + 1, head + 1)))


def asked(plain: Outputs, wanted: Request) -> list[Request]:
    """The request for the text without the induction head, if there is one and a repetition. plain, wanted: of the
    model as it was trained."""
    at = measured(plain).strongest("induction")
    if at is None or not _earlier(plain, wanted):
        return []
    layer, head = at
    return [replace(wanted, off=((layer, head),))]


def _earlier(plain: Outputs, wanted: Request) -> list[int]:
    """The earlier places of a decoder's last token."""
    last = len(plain.tokens) - 1
    is_causal = sizes_of(wanted.model).causal
    return [place for place in range(last) if is_causal and plain.tokens[place] == plain.tokens[last]]


def _followed(plain: Outputs, wanted: Request, layer: int, head: int) -> Iterator[Block]:
    """For a decoder whose last token occurred before: the token that followed it, its weight and its probability."""
    earlier = _earlier(plain, wanted)
    if not earlier:
        return
    last, key = len(plain.tokens) - 1, earlier[-1] + 1
    without = found(replace(wanted, off=((layer, head),)))
    if without is None:
        return
    yield blocks.text(
        say(
            "models.induction.followed",
            last=code(plain.tokens[last]),
            token=code(plain.tokens[key]),
            weight=two(float(plain.weights[layer, head, last, key])),
            head=name(layer, head),
            before=two(float(plain.output[plain.ids[key]])),
            after=two(float(without.output[plain.ids[key]])),
        )
    )
