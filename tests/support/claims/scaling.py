"""Claims about the scale."""

import math

from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from tests.support.claims.claim import Values, claim, number


@claim("lab.variance.sum", "scaling.conclusion", {}, {"d": 256}, {"d": 2, "sigma_q": 2.0, "correlation": 0.5})
def _(screen: Screen, values: Values) -> bool:
    """The check uses only the printed numbers; tests/pages/test_minute.py checks that they are those of draws."""
    d = int(screen.own(Laboratory).d)
    told = {name: number(one) for name, one in values.items()}
    pairs = (
        (told["d"], d),
        (told["variance"], d * told["one"]),
        (told["spread"], math.sqrt(told["variance"])),
        (told["back"], told["spread"] / math.sqrt(d)),
    )
    return all(math.isclose(one, other, rel_tol=0.02, abs_tol=1e-6) for one, other in pairs)


@claim("lab.variance.sum_of_one", "scaling.conclusion", {"d": 1}, {"d": 1, "sigma_k": 0.5})
def _(screen: Screen, values: Values) -> bool:
    variance, spread = number(values["variance"]), number(values["spread"])
    return int(screen.own(Laboratory).d) == 1 and math.isclose(spread**2, variance, rel_tol=0.02, abs_tol=1e-6)
