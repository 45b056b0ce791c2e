"""What is claimed of one token at a time."""

from attention.masks import CORNERS, grid
from pages.shell.screen import Screen
from tests.support.claims.claim import Values, claim, number


@claim("one_token.corner_note", "one_token.corners")
def _(screen: Screen, values: Values) -> bool:
    """Two queries and five keys."""
    seen = [grid("causal", 2, 5, corner=corner).sum(-1).tolist() for corner in CORNERS]
    return [number(values["first"]), number(values["last"])] in seen


@claim("one_token.trap_note", "one_token.trap")
def _(screen: Screen, values: Values) -> bool:
    return grid("causal", 1, 12, corner="upper_left").int().tolist() == [[1] + 11 * [0]]


@claim("one_token.same", "one_token.grows", {"token_at": 1}, {"token_at": 12})
def _(screen: Screen, values: Values) -> bool:
    return number(values["difference"]) < 1e-6 and number(values["same"]) <= number(values["all"])
