"""Weight is not importance: for one query the weight, the length of the added vector, and the output without the
key."""

from collections.abc import Iterator

import numpy as np

from attention.analysis.hidden_keys import importance
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import DEFAULTS
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models import common
from pages.shell.views.models.common import two
from pages.shell.views.registry import named
from pages.shell.views.steps import focus_of

_KINDS = ("weight", "brought", "hidden")


@named("models.importance")
def chart(screen: Screen) -> Iterator[Block]:
    """If no trained model is loaded, the chart shows the layer of the first screen, which also learned."""
    opened = common.run(screen)
    run = opened or compute(DEFAULTS)
    asked = screen.query(run)
    query = focus_of(run) if asked is None else asked
    found = importance(run.trace, query, **run.where)
    numbers = {kind: getattr(found, kind).numpy() for kind in _KINDS}
    shares = {kind: each / (each.sum() or 1) for kind, each in numbers.items()}
    tokens, query_name = run.labels["key"], run.labels["query"][query]
    at = np.arange(1, len(tokens) + 1)
    series = [
        Series(say(f"models.importance.of.{kind}"), at, shares[kind], "bars", colour=place)
        for place, kind in enumerate(_KINDS)
    ]
    yield blocks.heading(say("models.importance.title"))
    yield blocks.text(say("models.importance.another" if opened else "models.importance.ours"))
    x = Axis(say("axis.key"), range=(0.5, len(tokens) + 0.5), ticks=at.tolist(), names=tokens)
    y = Axis(say("models.importance.share"), range=(0, 1.05))
    first = {kind: int(each.argmax()) for kind, each in numbers.items()}
    parts = {
        kind: say("models.importance.first", token=tokens[first[kind]], share=two(shares[kind][first[kind]]))
        for kind in _KINDS
    }
    verdict = "same" if len({*first.values()}) == 1 else "differ"
    if not numbers["brought"].any():
        verdict = "nothing"
    note = say(f"models.importance.verdict.{verdict}", query=query_name, **parts)
    title = say("models.importance.chart", query=query_name)
    yield blocks.figures(Chart("importance", title, series, x, y, note, say("models.importance.text")))
