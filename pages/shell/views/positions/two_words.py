"""Two words that move: the scores that stay, by kind of positions, and the weights of equal scores under ALiBi."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attention.analysis.moved_positions import KINDS, scores, tails
from attention.positions import slopes
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.places import Places
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import fixed
from pages.shell.screen import Screen
from pages.shell.state.fields import Range
from pages.shell.state.todays_controls import Positions
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

MOST = next(int(knob.high) for knob in Positions.knobs().values() if isinstance(knob, Range))
_SHIFTS = 48
_HEADS, _TAIL = 4, 64


def _scores(chosen: Positions, kind: str, queries: Tensor, keys: Tensor) -> Tensor:
    generator, turning = torch.Generator().manual_seed(7), int(chosen.pos_turning)
    return scores(kind, queries, keys, generator, base=float(chosen.pos_base), turning=turning)


def dragged(screen: Screen) -> Iterator[Block]:
    """Two words on a line of places."""
    chosen = screen.own(Positions)
    labels = {
        "query": say("positions.query"),
        "key": say("positions.key"),
        "both": say("positions.both"),
        # The browser fills these placeholders as a word moves.
        "at": say("positions.at", place="{{place}}"),
        "distance": say("positions.apart", places="{{places}}"),
        "kind": say("positions.line"),
        "keys": say("positions.line_keys"),
    }
    line = Places("places", say("positions.drag"), chosen.pos_query, chosen.pos_key, MOST, labels, "")
    yield blocks.figures(line, drag={"pos_query": "{query}", "pos_key": "{key}", "pos_alone": "{alone}"})


def shifted(screen: Screen) -> Iterator[Block]:
    """The score of the two words by kind of positions, as both move together, and as the query moves alone."""
    chosen = screen.own(Positions)
    shift = torch.arange(_SHIFTS)
    query, key = torch.full_like(shift, chosen.pos_query), torch.full_like(shift, chosen.pos_key)
    charts = []
    for name, (at_query, at_key) in {"both": (query + shift, key + shift), "one": (query + shift, key)}.items():
        made = {kind: _scores(chosen, kind, at_query, at_key) for kind in KINDS}
        stays = [say(f"positions.kind.{kind}") for kind, values in made.items() if float(values.std()) < 1e-9]
        series = [
            Series(say(f"positions.kind.{kind}"), shift, values, colour=colour, dash=colour)
            for colour, (kind, values) in enumerate(made.items())
        ]
        note = say("positions.stays", names=listed("comma", stays))
        x, y = Axis(say("positions.shift")), Axis(say("positions.score"))
        charts.append(Chart(f"moved-{name}", say(f"positions.title_{name}"), series, x, y, note))
    yield blocks.figures(*charts)


def fading(screen: Screen) -> Iterator[Block]:
    """The weights of four heads with linear biases, if all scores are equal."""
    weights, distance = tails(_HEADS, _TAIL), torch.arange(_TAIL)
    steep = slopes(_HEADS).tolist()
    series = [
        Series(
            say("positions.slope", head=head + 1, slope=f"{slope:.4g}"), distance, weights[head], colour=head, dash=head
        )
        for head, slope in enumerate(steep)
    ]
    half: dict[str, Any] = {
        name: fixed(math.log(2) / slope) for name, slope in (("first", steep[0]), ("last", steep[-1]))
    }
    note = say("positions.tails_note", **half)
    x, y = Axis(say("positions.back")), Axis(say("positions.weight"), range=(0, 0.25))
    yield blocks.figures(Chart("alibi-tails", say("positions.tails"), series, x, y, note))
