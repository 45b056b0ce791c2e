"""The effect of sharing on one word in the chosen query head: the head's own key and value, the mean of the other heads
that share with it, and the shared ones that it reads; beside the keys stands the query."""

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
    """Keys and values of the head's right word or, without one, of the word with its largest weight before sharing."""
    chosen, shown, own = screen.own(FewerKeys), layers.shown(screen), layers.own(screen)
    # Without sharing, the head's first neighbour stands beside it, so that each state has the same rows.
    head, group = chosen.asks - 1, max(2, HEADS // int(chosen.kv_of_8))
    at = _word(own, head)
    word = shown.sentence.words[at]
    first = head // group * group
    others = [one for one in range(first, first + group) if one != head]
    before, after = (float(of.of_sentence("scores")[head, of.sentence.verb, at]) for of in (own, shown))
    beside = (
        say("fewer.blurred.head", head=others[0] + 1)
        if len(others) == 1
        else say("fewer.blurred.others", count=len(others))
    )
    rows = [say("fewer.blurred.head", head=head + 1), beside, say("fewer.blurred.read")]
    query = say("fewer.blurred.query", head=head + 1)
    keys, values = (_rows(own.of_sentence(id)[:, at], head, others, shown, id, at) for id in ("keys", "values"))
    keys = torch.cat((shown.of_verb("queries")[head][None], keys))
    bound = float(torch.cat((keys, values)).abs().max())
    note = say("fewer.blurred.score", head=head + 1, word=word, before=fixed(before), after=fixed(after))
    yield blocks.figures(
        _figure("key", keys, [query, *rows], word, note, bound),
        _figure("value", values, rows, word, say("fewer.blurred.handed", head=head + 1, word=word), bound),
    )


def _rows(of_heads: Tensor, head: int, others: list[int], shown: Measured, id: str, at: int) -> Tensor:
    """(3, features): the vector of the head, the mean of the others, and the one that the head reads."""
    read = shown.trace[id].of(batch=0, head=head)[at]
    return torch.stack([of_heads[head], of_heads[others].mean(0), read])


def _figure(of: str, z: Tensor, rows: list[str], word: str, note: str, bound: float) -> Figure:
    drawn = heatmap_of(f"blurred-{of}", z, "head", "feature", bound=bound)
    columns = [str(place + 1) for place in range(z.shape[-1])]
    return Figure(drawn, say(f"fewer.blurred.of.{of}", word=word), rows, columns, note)


def _word(own: Measured, head: int) -> int:
    question = layers.questions(own.sentence)[head]
    if question >= 0:
        return layers.asked(own.sentence)[question].target
    return int(own.of_verb("weights")[head].argmax())
