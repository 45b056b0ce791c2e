"""What is claimed of masks."""

from collections.abc import Callable
from dataclasses import replace

import torch

from attention.masks import CORNERS, grid
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views.steps import focus_of
from tests.support.claims.claim import Values, claim, number


@claim("mask.own_layers", "masks.layers", {"trained": True})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.config.trained and bool(values["masks"])


@claim("corners.lead", "masks.corners", {}, {"last": 5})
def _(screen: Screen, values: Values) -> bool:
    last, keys = int(number(values["last"])), int(number(values["keys"]))
    seen = {corner: grid("causal", last, keys, corner=corner).sum(-1) for corner in CORNERS}
    return int(seen["upper_left"][-1]) == number(values["first"]) < keys == int(seen["lower_right"][-1])


@claim("hidden.instead", "masks.polarity", {})
def _(screen: Screen, values: Values) -> bool:
    return "mask" not in screen.run.trace or bool(screen.run.trace["mask"].value.all())


@claim("hidden.too_short", "masks.future", {"preset": "random", "text": "alone"})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.trace.sizes["query"] < 2


@claim("hidden.same", "masks.future", {})
def _(screen: Screen, values: Values) -> bool:
    """In float32 an exponential of -103 is not 0 yet, and one of -104 is."""
    powers = torch.tensor([-103.0, -104.0], dtype=torch.float32).exp()
    return number(values["difference"]) < 1e-6 and powers.ne(0).tolist() == [True, False]


@claim("padded.lead", "masks.padded", {}, {"preset": "random", "text": "one two three\nfour"})
def _(screen: Screen, values: Values) -> bool:
    return 0 < number(values["length"]) < number(values["n"])


@claim("mask.seen_all", "masks.seen", {}, {"mask": "window", "width": 60})
def _(screen: Screen, values: Values) -> bool:
    """Of the query that is drawn, among the words of its sentence."""
    run, query = screen.run, screen.query()
    query = focus_of(run) if query is None else query
    words = max(run.inputs.lengths[run.sentence], query + len(run.labels["key"]) - len(run.labels["query"]) + 1)
    return "mask" not in run.trace or bool(run.matrix("mask")[query, :words].all())


def _sees(screen: Screen, id: str, predicate: Callable[[int, int], bool]) -> bool:
    """Place by place."""
    run = compute(replace(screen.run.config, mask=id), record_mask=True)
    return all(bool(one) == predicate(i, j) for i, row in enumerate(run.matrix("mask")) for j, one in enumerate(row))


@claim("mask.sees.full", "masks.five", {}, {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "full", lambda i, j: True)


@claim("mask.sees.causal", "masks.five", {}, {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "causal", lambda i, j: j <= i)


@claim("mask.sees.prefix", "masks.five", {}, {"preset": "random", "length": 3})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "prefix", lambda i, j: j <= i or j < number(values["length"]))


@claim("mask.sees.causal_window", "masks.five", {}, {"preset": "random", "width": 3})
def _(screen: Screen, values: Values) -> bool:
    return _sees(screen, "causal & window", lambda i, j: 0 <= i - j <= number(values["width"]))
