"""Claims about one query, drawn in a plane."""

import math

import torch

from pages.shell.screen import Screen
from pages.shell.state.page_controls import OneQuery
from tests.support.claims.claim import Values, claim, near, number

_OF_NO_LENGTH = {"q_length": 0}


def _weights(screen: Screen, longer: float = 1.0) -> torch.Tensor:
    """The weights by exponentials of the scores over their sum."""
    asked, x = screen.own(OneQuery), screen.run.matrix("keys").double()
    angle = math.radians(asked.q_angle)
    q = torch.tensor([math.cos(angle), math.sin(angle)], dtype=torch.float64) * asked.q_length * longer
    powers = (x @ q / math.sqrt(2)).exp()
    return powers / powers.sum()


@claim("plane.note", "one_query.vectors", {}, {"q_angle": 200})
def _(screen: Screen, values: Values) -> bool:
    return near(values["weight"], float(_weights(screen).max()))


@claim("plane.note_zero", "one_query.vectors", _OF_NO_LENGTH)
def _(screen: Screen, values: Values) -> bool:
    return math.isclose(number(values["weight"]) * number(values["n"]), 1, rel_tol=6e-3)


@claim("plane.note_small", "one_query.vectors", {"q_length": 0.1})
def _(screen: Screen, values: Values) -> bool:
    weights = _weights(screen)
    ends = near(values["least"], float(weights.min())) and near(values["most"], float(weights.max()))
    return ends and float(weights.max() - weights.min()) < 0.1


@claim("plane.softmax", "one_query.vectors", {}, {"q_angle": 200})
def _(screen: Screen, _: Values) -> bool:
    return torch.allclose(screen.run.matrix("weights").double(), _weights(screen), atol=1e-6)


@claim("plane.along_note", "one_query.temperature", {})
def _(screen: Screen, values: Values) -> bool:
    here, twice = _weights(screen), _weights(screen, 2)
    return near(values["twice"], float(twice[int(here.argmax())]))


@claim("plane.flat_note", "one_query.temperature", _OF_NO_LENGTH)
def _(screen: Screen, values: Values) -> bool:
    return screen.own(OneQuery).q_length == 0
