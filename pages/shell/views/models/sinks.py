"""The first token as a sink: its share of the weight and the length of its value by layer, and the text without it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import blocks, guess
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import after, first, found, request, two
from pages.shell.views.registry import named

# The layer of the question, and the shares that its answers stand for.
_ASKED = 25
_SHARES = {"tenth": 0.1, "third": 1 / 3, "most": 0.93}


@named("models.sinks")
def figures(screen: Screen) -> Iterator[Block]:
    plain = after(screen)
    if plain is None:
        return
    yield blocks.heading(say("models.sinks.title"))
    if len(plain.tokens) < 2:
        yield blocks.text(say("models.sinks.one"))
        return
    x = Axis(say("models.layer"), range=(0.5, len(plain.weights) + 0.5))
    yield blocks.figures(_share(screen, plain, x), _length(plain, x, request(screen)))


def asked(wanted: Request) -> list[Request]:
    """The same text with and without a first token that other tokens may attend to."""
    return [replace(wanted, hidden=hidden, layer=None) for hidden in (False, True)]


def _share(screen: Screen, outputs: Outputs, x: Axis) -> Chart:
    share = outputs.weights[:, :, 1:, 0].mean((1, 2)).numpy()
    most, token = int(share.argmax()), outputs.tokens[0]
    note = say(
        "models.sinks.share_note",
        token=token,
        first=two(share[0]),
        most=two(share[most]),
        layer=most + 1,
        last=two(share[-1]),
    )
    series = [Series(say("models.sinks.share"), np.arange(1, len(share) + 1), share)]
    y = Axis(say("models.sinks.share_axis"), range=(0, 1.05))
    text = say("models.sinks.share_text")
    # An encoder, or a model with few layers, has no question.
    asked = {answer: (_ASKED, each) for answer, each in _SHARES.items()} if len(share) >= _ASKED else {}
    ghosts = guess.ghosts(screen, "sink", asked)
    return Chart("sink-share", say("models.sinks.share"), series, x, y, note, text, ghosts=ghosts)


def _length(outputs: Outputs, x: Axis, wanted: Request) -> Chart:
    length = (outputs.lengths[:, :, 0].mean(-1) / outputs.lengths[:, :, 1:].mean((1, 2))).numpy()
    least, layers = int(length.argmin()), np.arange(1, len(length) + 1)
    told = say("models.sinks.length_note", least=two(length[least]), layer=least + 1, last=two(length[-1]))
    series = [
        Series(say("models.sinks.length"), layers, length, colour=1),
        Series(say("models.sinks.alike"), layers, np.ones(len(layers)), "theory", colour=1),
    ]
    y = Axis(say("models.sinks.length_axis"), range=(0, 1.1 * max(1.0, float(length.max()))))
    note = f"{told} {_without(outputs.tokens[0], wanted)}".strip()
    return Chart("sink-length", say("models.sinks.length"), series, x, y, note, say("models.sinks.length_text"))


def _without(token: str, wanted: Request) -> str:
    """The model's output when no token may attend to the first one."""
    with_it, without = map(found, asked(wanted))
    if with_it is None or without is None:
        return ""
    if sizes_of(wanted.model).causal:
        (token_before, before), (other, after) = first(wanted.model, with_it), first(wanted.model, without)
        told = say("models.sinks.next", token=token_before, before=before, other=other, after=after)
    else:
        told = say("models.sinks.vector", cosine=two(float(with_it.output @ without.output)))
    return say("models.sinks.without", token=token, told=told)
