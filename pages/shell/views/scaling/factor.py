"""The question of how much the variance grows from the d_k of the slider on: its words, the places of its answers, and
what is said once the line has come there."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pages.shell.component.chart import Asks
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.questions import FACTOR
from pages.shell.views.scaling import common


def asks(lab: Laboratory) -> Asks:
    """Its question stands in no line above the picture."""
    ends: dict[str, Any] = {"low": _low(lab), "high": FACTOR[1]}
    return Asks("factor", say("lab.variance.guess", **ends), say("lab.variance.asked", **ends))


def words(lab: Laboratory) -> dict[str, str]:
    """What stands on the answers."""
    return {
        answer: say("lab.variance.times", factor=factor) if factor > 1 else say("predict.factor.same")
        for answer, factor in _factors(lab).items()
    }


def places(lab: Laboratory, table: pd.DataFrame) -> Mapping[str, tuple[float, float]]:
    """Where the variance would be at the end if it grew by each factor; of other entries the factor is another one."""
    if lab.pairs != Laboratory().pairs:
        return {}
    start = common.value(table[table["scale"] == "none"], "variance", d_k=_low(lab))
    return {answer: (FACTOR[1], start * factor) for answer, factor in _factors(lab).items()}


def drawn(table: pd.DataFrame) -> str:
    """What is said of the question where the line has come to its end."""
    raw = table[table["scale"] == "none"]
    low, high = (common.value(raw, "variance", d_k=at) for at in FACTOR)
    ends: dict[str, Any] = {"from": FACTOR[0], "to": FACTOR[1]}
    told = say("lab.variance.drawn", **ends, times=digits(high / low, 2))
    return listed("sentence", (told, say("predict.factor.why")))


def _low(lab: Laboratory) -> int:
    """Where the line ends, but not so near to the end of the question that the answers would coincide."""
    return min(int(lab.d), FACTOR[0])


def _factors(lab: Laboratory) -> dict[str, int]:
    times = FACTOR[1] // _low(lab)
    return {"two": times // 2, "four": times, "same": 1}
