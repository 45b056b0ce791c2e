"""Claims about two texts."""

from pages.shell.screen import Screen
from tests.support.claims.claim import Values, claim, number


@claim("cross.sums", "cross_attention.sums", {})
def _(screen: Screen, values: Values) -> bool:
    sums = screen.run.matrix("weights").double().sum(-1)
    return int(((sums - 1).abs() < 1e-5).sum()) == number(values["seeing"]) and len(sums) == number(values["n_q"])
