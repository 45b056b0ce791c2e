"""The walkthrough: one sentence through multi-head attention, step by step."""

from collections.abc import Iterator

from pages.shell.screen import Screen
from pages.shell.views import asking, learned, moved, pipeline
from pages.shell.views import film as films
from pages.shell.views import ledger as ledgers
from pages.shell.views import whole as wholes
from pages.shell.views.arcs import arcs as drawn
from pages.shell.views.blocks import Block
from pages.shell.views.own_sentence import elsewhere
from pages.shell.views.registry import View, view
from pages.shell.views.why import why as drawn_why


@view
def film(screen: Screen) -> Iterator[Block]:
    yield from films.film(screen)


@view
def arcs(screen: Screen) -> Iterator[Block]:
    yield from drawn(screen)


@view
def why(screen: Screen) -> Iterator[Block]:
    yield from drawn_why(screen)


@view
def heads(screen: Screen) -> Iterator[Block]:
    yield from asking.heads(screen)


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.sizes(screen)


@view
def notes(screen: Screen) -> Iterator[Block]:
    yield from ledgers.typed(screen)
    # Possible actions come before notes on impossible values.
    yield from elsewhere(screen)
    yield from ledgers.notes(screen)


@view
def effect(screen: Screen) -> Iterator[Block]:
    yield from moved.summary(screen)


@view
def measured(screen: Screen) -> Iterator[Block]:
    yield from moved.measured(screen)


@view
def strip(screen: Screen) -> Iterator[Block]:
    yield from pipeline.strip(screen, alone=False)


@view
def backwards(screen: Screen) -> Iterator[Block]:
    yield from pipeline.backwards(screen)


@view
def formula(screen: Screen) -> Iterator[Block]:
    yield from pipeline.formula(screen)


@view
def large(screen: Screen) -> Iterator[Block]:
    yield from pipeline.large(screen)


@view
def whole(screen: Screen) -> Iterator[Block]:
    yield from wholes.whole(screen)


@view
def learned_scores(screen: Screen) -> Iterator[Block]:
    yield from learned.scores(screen)


@view
def learned_heads(screen: Screen) -> Iterator[Block]:
    yield from learned.heads(screen)


def _row(chapter: str, *ids: str) -> View:
    return View(f"walkthrough.{chapter}", lambda screen: pipeline.figures(screen, *ids, chapter=chapter))


result = _row("result", "weights", "dropped", "output")
inputs = _row("inputs", "x", "context")
parameters = _row("parameters", "w_q", "w_k", "w_v", "w_o")
biases = _row("biases", "b_q", "b_k", "b_v", "b_o")
projections = _row("projections", "queries", "keys", "values")
normed = _row("normed", "g_q", "queries_normed", "g_k", "keys_normed")
places = _row("places", "frequencies", "query_positions", "key_positions")
rotated = _row("rotated", "query_angles", "queries_rotated", "key_angles", "keys_rotated")
cached = _row("cached", "past_keys", "past_values", "keys_joined", "values_joined")
scaled = _row("scores", "scores", "scaled", "softcapped", "slopes", "bias", "biased")
mask = _row("mask", "mask", "masked")
weights = _row("weights", "sink", "weights")
dropout = _row("dropout", "kept", "dropped")
output = _row("output", "output", "concat", "projected")
