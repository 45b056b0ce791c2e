"""What is claimed of masks."""

import torch

from attention.masks import CORNERS, grid
from pages.shell.screen import Screen
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
