"""What sharing does to one word of the chosen query head: its key and its value in each head of the group, and those
that all of them read; beside the keys the query that meets them."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.fewer_keys import layers
from pages.shell.views.fewer_keys.layers import HEADS, Measured


def blurred(screen: Screen) -> Iterator[Block]:
    """Of the right word of the chosen query head, or of the word that it took most before sharing where it has none."""
    chosen, shown, own = screen.own(FewerKeys), layers.shown(screen), layers.own(screen)
    head, group = chosen.asks - 1, HEADS // int(chosen.kv_of_8)
    if group == 1:
        return
    at = _word(own, head)
    word = shown.sentence.words[at]
    first = head // group * group
    heads = range(first, first + group)
    before, after = (float(of.of_sentence("scores")[head, of.sentence.verb, at]) for of in (own, shown))
    shared = say("fewer.blurred.trained" if int(chosen.kv_trained) else "fewer.blurred.average")
    rows = [*(say("fewer.blurred.head", head=one + 1) for one in heads), shared]
    query = say("fewer.blurred.query", head=head + 1)
    keys, values = (
        torch.stack([*own.of_sentence(id)[first : first + group, at], shown.trace[id].of(batch=0, head=head)[at]])
        for id in ("keys", "values")
    )
    keys = torch.cat((shown.of_verb("queries")[head][None], keys))
    bound = float(torch.cat((keys, values)).abs().max())
    note = say("fewer.blurred.score", head=head + 1, word=word, before=fixed(before), after=fixed(after))
    yield blocks.figures(
        _figure("key", keys, [query, *rows], word, note, bound),
        _figure("value", values, rows, word, say("fewer.blurred.handed", word=word), bound),
    )


def _figure(of: str, z: Tensor, rows: list[str], word: str, note: str, bound: float) -> Figure:
    drawn = heatmap_of(f"blurred-{of}", z, "head", "feature", bound=bound)
    columns = [str(place + 1) for place in range(z.shape[-1])]
    return Figure(drawn, say(f"fewer.blurred.of.{of}", word=word), rows, columns, note)


def _word(own: Measured, head: int) -> int:
    question = layers.questions(own.sentence)[head]
    if question >= 0:
        return layers.asked(own.sentence)[question].target
    return int(own.of_verb("weights")[head].argmax())
