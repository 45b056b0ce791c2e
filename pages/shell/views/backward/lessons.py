"""Lessons of gradients in the numbers of the screen: pairs without a gradient, softmax's Jacobian, saturation."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import torch

from attention.analysis.backward import Backward
from attention.analysis.backward.sharpened import Sharpened, sharpened
from attention.analysis.sharpness import jacobian as jacobian_of
from attention.explain import derived
from attention.figures import LIMIT, heatmap_of
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.i18n.numbers import apart, digits
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import blocks, explained
from pages.shell.views.backward import target
from pages.shell.views.blocks import Block
from pages.shell.views.captions import head
from pages.shell.views.steps import focus_of

_FACTORS = tuple(2.0**power for power in range(-4, 9))
# A gradient that has fallen to this share is called gone.
_GONE = 0.01
# The lower end of the chart: a logarithm has no place for 0.
_LEAST = 1e-9


def query_of(run: Run, made: Backward) -> int:
    """The query of the target, or else of the chosen cell."""
    if getattr(made.target, "row", None) is not None and run.trace[made.target.id].axes[-2:-1] == ("query",):
        return int(made.target.row)  # type: ignore[attr-defined]
    return focus_of(run)


def jacobian(screen: Screen) -> Iterator[Block]:
    """Softmax's Jacobian of one row of weights."""
    run, made = screen.run, target.found(screen)
    yield blocks.heading(say("backward.jacobian.title"))
    if not {"weights", "scaled"} <= set(made.gradients):
        yield blocks.text(say("backward.no_softmax"))
        return
    query = query_of(run, made)
    weights = run.matrix("weights")[query].cpu().double()
    matrix, upstream = jacobian_of(weights), made.gradients["weights"].of(**run.where)[query].cpu().double()
    back = _read_by_softmax(run, made)[query].cpu().double()
    largest = float(weights.max())
    said = say(
        "backward.jacobian.said",
        word=code(run.labels["query"][query]),
        largest=digits(largest),
        norm=digits(float(matrix.norm())),
        before=digits(float(upstream.norm())),
        after=digits(float(back.norm())),
        difference=apart((matrix @ upstream - back).abs().max()),
    )
    yield blocks.text(said)
    drawn = heatmap_of("jacobian", matrix, "key", "key")
    keys = run.labels["key"][:LIMIT]
    sums = apart(matrix.sum(-1).abs().max())
    # The sink takes the missing weight of the row.
    has_sink = "sink" in run.trace
    note = say("backward.jacobian.sink", sums=sums) if has_sink else say("backward.jacobian.note", sums=sums)
    figure = Figure(drawn, say("backward.jacobian.figure"), keys, keys, note, part=head(run))
    yield from explained.row(
        screen, "jacobian", explained.ExplainedHeatmap(run, figure, partial(derived.jacobian, weights), run.labels)
    )


def _read_by_softmax(run: Run, made: Backward) -> torch.Tensor:
    """The gradient of the scores that softmax reads, in the shown head."""
    last = next(id for id in ("masked", "biased", "softcapped", "scaled") if id in made.gradients)
    return made.gradients[last].of(**run.where)


def pairs(screen: Screen) -> Iterator[Block]:
    """A pair that is hidden, a weight of nearly nothing, and one that was dropped."""
    run, made = screen.run, target.found(screen)
    yield blocks.heading(say("backward.pairs.title"))
    if not {"weights", "scaled"} <= set(made.gradients):
        yield blocks.text(say("backward.no_softmax"))
        return
    yield from _hidden(run, made)
    yield from _small(run, made)
    yield from _dropped(run, made)


def _hidden(run: Run, made: Backward) -> Iterator[Block]:
    hidden = ~run.matrix("mask") if "mask" in run.trace else None
    if hidden is None or not hidden.any():
        yield blocks.text(say("backward.pairs.no_mask"))
        if run.config.used_mask != "causal":
            yield blocks.buttons((say("backward.pairs.mask"), False, {"mask": "causal"}))
        return
    scores = made.gradients["scaled"].of(**run.where)[hidden]
    weights = made.gradients["weights"].of(**run.where)[hidden]
    count, largest = int(hidden.sum()), digits(float(scores.abs().max()))
    if weights.any():
        told = say("backward.pairs.hidden", count=count, scores=largest, weights=digits(float(weights.abs().max())))
    else:
        told = say("backward.pairs.elsewhere", count=count, scores=largest)
    yield blocks.text(told)


def _small(run: Run, made: Backward) -> Iterator[Block]:
    """The key with the smallest unmasked weight of the target's query."""
    query = query_of(run, made)
    weights = run.matrix("weights")[query].double()
    upstream = made.gradients["weights"].of(**run.where)[query].double()
    last = _read_by_softmax(run, made)[query].double()
    seen = run.matrix("mask")[query].clone() if "mask" in run.trace else torch.ones_like(weights, dtype=torch.bool)
    if "kept" in run.trace:
        # A dropped weight has a zero gradient for another reason.
        seen &= run.matrix("kept")[query]
    if int(seen.sum()) < 2:
        return
    key, large = (int(weights.masked_fill(~seen, end).argsort()[at]) for end, at in ((2.0, 0), (-1.0, -1)))
    shown = {"weight": weights[key], "upstream": upstream[key], "score": last[key], "mean": weights @ upstream}
    shown |= {"other_weight": weights[large], "other_upstream": upstream[large]}
    words = {"query": run.labels["query"][query], "key": run.labels["key"][key], "other": run.labels["key"][large]}
    told = {name: digits(float(number)) for name, number in shown.items()}
    told |= {name: code(word) for name, word in words.items()}
    parts = ["small", "softmax"]
    # If the number is made of an output, its gradient reaches the weights through the values.
    if "output" in made.gradients and "kept" not in run.trace:
        parts.insert(1, "by_value")
    yield blocks.text(listed("sentence", (say(f"backward.pairs.{part}", **told) for part in parts)))


def _dropped(run: Run, made: Backward) -> Iterator[Block]:
    lost = ~run.matrix("kept") if "kept" in run.trace else None
    if lost is None or not lost.any():
        yield blocks.text(say("backward.pairs.no_dropout"))
        yield blocks.buttons((say("backward.pairs.drop"), False, {"dropout": "0.3", "mode": ""}))
        return
    # A number that is computed before the dropout depends on dropped weights as on any other.
    if "dropped" not in made.gradients:
        return
    upstream, scores = (made.gradients[id].of(**run.where)[lost] for id in ("weights", "scaled"))
    told = say("backward.pairs.dropped", count=int(lost.sum()), weights=digits(float(upstream.abs().max())))
    largest = digits(float(scores.abs().max()))
    also = say("backward.pairs.share", scores=largest) if scores.any() else say("backward.pairs.alone", scores=largest)
    yield blocks.text(listed("sentence", (told, also)))


def scaled(screen: Screen) -> Iterator[Block]:
    """The gradients of one output as the scores grow."""
    run, made = screen.run, target.found(screen)
    yield blocks.heading(say("backward.scaled.title"))
    query = query_of(run, made)
    feature = int(run.matrix("output")[query].abs().argmax())
    found = sharpened(run.trace, query, feature, _FACTORS, **run.where)
    yield blocks.figures(_chart(run, query, feature, found))
    if run.config.scale != "none":
        yield blocks.buttons((say("backward.scaled.off"), False, {"scale": "none"}))
    else:
        yield blocks.buttons((say("backward.scaled.on"), False, {"scale": ""}))


def _chart(run: Run, query: int, feature: int, found: tuple[Sharpened, ...]) -> Chart:
    at = np.array([one.factor for one in found])
    names = ("scores", "queries", "keys", "values")
    series = tuple(
        Series(
            say(f"backward.norm.{name}"),
            at,
            [max(getattr(one, name), _LEAST) for one in found],
            colour=colour,
            dash=colour,
        )
        for colour, name in enumerate(names)
    )
    now, last = next(one for one in found if one.factor == 1), found[-1]
    gone = next((one.factor for one in found if one.factor > 1 and one.scores < _GONE * now.scores), None)
    said = [
        say(
            "backward.scaled.said",
            word=run.labels["query"][query],
            feature=feature + 1,
            scores=digits(now.scores),
            values=digits(now.values),
            factor=f"{last.factor:.0f}",
            last_scores=digits(last.scores),
            last_values=digits(last.values),
            largest=digits(last.largest),
        )
    ]
    weights = run.matrix("weights")[query]
    if "sink" not in run.trace and weights.any():
        said.append(say("backward.scaled.values_stay"))
    if "kept" in run.trace:
        said.append(say("backward.scaled.undropped"))
    if gone is not None:
        said.append(say("backward.scaled.gone", factor=f"{gone:.0f}"))
    if min(getattr(one, name) for one in found for name in names) < _LEAST:
        said.append(say("backward.scaled.ends", least=digits(_LEAST)))
    x = Axis(say("backward.scaled.factor"), log=True, ticks=[0.0625, 0.25, 1, 4, 16, 64, 256])
    y = Axis(say("backward.scaled.norm"), log=True)
    marks = [(1.0, say("backward.scaled.now"))]
    return Chart("backward-scaled", say("backward.scaled.figure"), series, x, y, listed("sentence", said), marks=marks)
