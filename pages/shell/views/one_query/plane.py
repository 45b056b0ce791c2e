"""One query over words in the plane: a picture in which it is dragged, and the effect of its angle and length."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from attention.analysis.sharpness import entropy
from attention.analysis.single_query import asked, polar
from attention.inputs.plane import PLANE
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.vectors import Vectors
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import apart, digits, fixed
from pages.shell.runs.one_query import everybody
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.fields import Range
from pages.shell.state.page_controls import OneQuery
from pages.shell.views import blocks, guess, steps
from pages.shell.views.arcs import written
from pages.shell.views.blocks import Block

# The room of a name, as a share of the axis.
_NAME = 0.12
# A smaller difference of weights counts as nearly none.
_SAME = 0.1
# Lines that end nearer to each other share one place for their names.
_APART = 0.08
_ANGLES, _LENGTHS = (knob for knob in OneQuery.knobs().values() if isinstance(knob, Range))


def picture(screen: Screen) -> Iterator[Block]:
    """The vectors with the weight of each word, and its computation."""
    run, query = screen.run, screen.own(OneQuery)
    x = run.inputs.x[0]
    # The effect of doubling q, once it was guessed; a q of length 0 has none.
    is_answered = guess.is_answered(screen, "length") and query.q_length > 0
    longer = asked(polar(query.q_angle, 2 * query.q_length)[None], x) if is_answered else None
    twice = longer["weights"].value[0].tolist() if longer else []
    scores = _row(run, "scaled")
    powers = scores.exp()
    drawn = Vectors(
        "vectors",
        say("plane.picture"),
        run.tokens,
        x.tolist(),
        _row(run, "weights").tolist(),
        (query.q_angle, query.q_length),
        _row(run, "output").tolist(),
        (_ANGLES.step, _LENGTHS.step),
        _LENGTHS.high,
        _said(run, twice),
        "",
        twice,
        list(zip(map(fixed, scores.tolist()), map(written, powers.tolist()), strict=True)),
        [(say(f"plane.column.{name}"), say(f"plane.how.{name}")) for name in ("score", "power", "share")],
        say("plane.key_of"),
        say("plane.total", sum=fixed(powers.sum())),
        say("plane.softmax"),
    )
    drag = {"q_angle": "{angle}", "q_length": "{length}"}
    yield blocks.figures(drawn, drag=drag)


def around(screen: Screen) -> Iterator[Block]:
    """The weights at each angle."""
    yield blocks.figures(_around(screen.run, screen.own(OneQuery)))


def asked_once(screen: Screen) -> Iterator[Block]:
    yield from steps.row(screen, "scores", "scaled", "weights", "output", chapter="plane")


def temperature(screen: Screen) -> Iterator[Block]:
    """The weights and their spread along one direction: the length of q is an inverse temperature."""
    run, query = screen.run, screen.own(OneQuery)
    x = run.inputs.x[0]
    yield blocks.heading(say("plane.temperature_title"))
    inverse = 1 / query.q_length if query.q_length else math.inf
    tempered = _weights(polar(query.q_angle, 1.0)[None], x, temperature=inverse)[0]
    difference = float((tempered - _row(run, "weights")).abs().max())
    yield blocks.text(say("plane.temperature", difference=apart(difference)))
    lengths = torch.linspace(_LENGTHS.low, _LENGTHS.high, 81, dtype=torch.float64)
    weights = _weights(polar(query.q_angle, lengths), x)
    yield blocks.figures(_along(run, query, lengths, weights), _spread(run, query, lengths, weights))


def itself(screen: Screen) -> Iterator[Block]:
    """Each word in turn as the query."""
    yield blocks.text(say("plane.itself"))
    yield blocks.text(say("plane.path", words=len(PLANE), steps=len(PLANE) - 1))
    yield from steps.row(screen, "scores", "weights", "output", chapter="itself", run=everybody())


def _along(run: Run, query: OneQuery, lengths: Tensor, weights: Tensor) -> Chart:
    """The weights of queries of increasing length."""
    here = _row(run, "weights")
    note = say("plane.flat_note", n=len(run.tokens))
    if query.q_length:
        twice = _weights(polar(query.q_angle, 2 * query.q_length)[None], run.inputs.x[0])[0]
        largest = int(here.argmax())
        note = say("plane.along_note", token=run.tokens[largest], twice=f"{twice[largest]:.2f}")
    title = say("plane.along", angle=query.q_angle)
    series = _at_ends(run, lengths, weights)
    return Chart("along", title, series, _by_length(), _share(), note, marks=_here(query.q_length), light=True)


def _spread(run: Run, query: OneQuery, lengths: Tensor, weights: Tensor) -> Chart:
    """The effective number of words for queries of increasing length."""
    effective, here = entropy(weights).exp(), float(entropy(_row(run, "weights")).exp())
    name = say("plane.effective")
    return Chart(
        "spread",
        say("plane.spread"),
        [Series(name, lengths, effective)],
        _by_length(),
        Axis(name, range=(0.0, len(run.tokens) + 0.5)),
        say("plane.spread_note", here=f"{here:.2f}"),
        say("plane.spread_text"),
        _here(query.q_length),
        light=True,
    )


def _around(run: Run, query: OneQuery) -> Chart:
    """The weights of a query of this length at every angle."""
    x = run.inputs.x[0]
    angles = torch.arange(361, dtype=torch.float64)
    weights = _weights(polar(angles, query.q_length), x)
    note = say("plane.flat_note", n=len(run.tokens))
    if query.q_length:
        at, token = divmod(int(weights.argmax()), len(run.tokens))
        note = say(
            "plane.around_note",
            token=run.tokens[token],
            most=f"{weights[at, token]:.2f}",
            angle=f"{angles[at]:.0f}",
        )
    return Chart(
        "around",
        say("plane.around", length=f"{query.q_length:.1f}"),
        (_at_tops if query.q_length else _at_ends)(run, angles[::3], weights[::3]),
        Axis(say("control.q_angle.label"), range=(0.0, 360.0), ticks=tuple(range(0, 361, 60))),
        _share(),
        note,
        say("plane.around_text"),
        _here(query.q_angle),
        light=True,
    )


def _by_length() -> Axis:
    return Axis(say("control.q_length.label"), range=(_LENGTHS.low, _LENGTHS.high))


def _share() -> Axis:
    return Axis(say("step.weights.title"), range=(0.0, 1.0))


def _here(at: float) -> list[tuple[float, str]]:
    """The mark at the query of the sliders."""
    return [(at, say("plane.here"))]


def _at_ends(run: Run, x: Tensor, weights: Tensor) -> list[Series]:
    """A line for each token in its colour of the picture, named at its end; lines that end together share one place."""
    named: list[list[int]] = []
    for index in weights[-1].argsort(descending=True).tolist():
        if named and weights[-1, named[-1][0]] - weights[-1, index] < _APART:
            named[-1].append(index)
        else:
            named.append([index])
    words = {of[0]: listed("comma", (run.tokens[index] for index in of)) for of in named}
    return [
        Series(
            token,
            x,
            weights[:, index],
            colour=index,
            dash=index,
            said=(float(x[-1]), float(weights[-1, index]), words[index]) if index in words else None,
            is_listed=False,
        )
        for index, token in enumerate(run.tokens)
    ]


def _at_tops(run: Run, x: Tensor, weights: Tensor) -> list[Series]:
    """A line for each token in its colour of the picture, named at its top."""
    return [
        Series(token, x, weights[:, index], colour=index, dash=index, said=_top(token, x, weights[:, index]))
        for index, token in enumerate(run.tokens)
    ]


def _top(token: str, x: Tensor, weights: Tensor) -> tuple[float, float, str]:
    """The place of a word's name: it ends at the top of its line, and not left of the axis."""
    at = int(weights.argmax())
    return max(float(x[at]), _NAME * float(x[-1])), float(weights[at]), token


def _said(run: Run, twice: Sequence[float] = ()) -> str:
    """The picture in a sentence: the word with the largest weight, and the reason if q points elsewhere."""
    weights, x = _row(run, "weights"), run.inputs.x[0]
    if not _row(run, "queries").any():
        return say("plane.note_zero", n=len(run.tokens), weight=f"{weights[0]:.3f}")
    if not twice and float(weights.max() - weights.min()) < _SAME:
        least, most_of = f"{weights.min():.2f}", f"{weights.max():.2f}"
        return say("plane.note_small", n=len(run.tokens), least=least, most=most_of)
    cosines = torch.cosine_similarity(_row(run, "queries")[None], x)
    most, straight = int(weights.argmax()), int(cosines.argmax())
    told = [say("plane.note", token=run.tokens[most], weight=f"{weights[most]:.2f}")]
    if twice:
        second = int(weights.argsort(descending=True)[1])
        told.append(
            say(
                "plane.note_twice",
                token=run.tokens[most],
                second=run.tokens[second],
                twice=f"{twice[most]:.2f}",
                times=digits(twice[most] / twice[second]),
                ratio=digits(float(weights[most] / weights[second])),
            )
        )
    elif most != straight:
        told.append(say("plane.note_longer", longer=run.tokens[most], nearest=run.tokens[straight]))
    else:
        told.append(say("plane.note_mark"))
    return listed("sentence", told)


def _weights(queries: Tensor, x: Tensor, *, temperature: float | None = None) -> Tensor:
    return asked(queries, x, temperature=temperature)["weights"].value


def _row(run: Run, id: str) -> Tensor:
    return run.trace[id].value[0]
