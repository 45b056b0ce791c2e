"""Claims about several heads."""

from dataclasses import replace

from pages.shell.runs import learned_scores
from pages.shell.runs.run import Run, run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Heads
from tests.support.claims.claim import Values, claim, near, number


@claim("heads.now", "heads.parameters", {}, {"heads": 8, "fixed_d_k": True})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(one.numel() for one in screen.run.module.parameters())


@claim("heads.try", "heads.parameters", {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """The claim does what the sentence says: it turns the switch on, then changes the number of heads."""
    counts = set()
    for heads in ("2", "4", "8"):
        other = Screen(screen.page, {**screen.parameters, "fixed_d_k": "true", "heads": heads}, screen.language)
        counts.add(sum(one.numel() for one in other.run.module.parameters()))
    return not screen.own(Heads).fixed_d_k and (
        len(counts) > 1 or screen.run.config.preset not in ("learned", "random")
    )


@claim("heads.reached", "heads.facts", {})
def _(screen: Screen, values: Values) -> bool:
    first = screen.run.trace["w_q"].value[:, 0]
    return number(values["heads"]) == len(first) > 1 and number(values["reached"]) == int(first.ne(0).any(-1).sum())


@claim("heads.split", "heads.split", {}, {"heads": 2})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.trace["queries"].value.shape[1::2] == (number(values["h"]), number(values["d_k"]))


@claim("heads.average_note", "heads.average", {}, {"heads": 2, "mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """The distance is total variation, the mean over the queries."""
    weights = screen.run.trace["weights"].value[screen.run.sentence].double()
    far = (weights - weights.mean(0)).abs().sum(-1).mean(-1) / 2
    return abs(number(values["nearest"]) - float(far.min())) < 0.006


def _right(made: Run) -> float:
    """The share of right answers over the questions of the test sentences."""
    tested = learned_scores.tested(made.config, made.module)
    assert tested is not None
    return sum(tested.scores.accuracy) / len(tested.scores.accuracy)


@claim("all_heads.tested_less", "heads.answers", {"heads_off": "2"})
def _(screen: Screen, values: Values) -> bool:
    every, left = _right(run(replace(screen.run.config, heads_off=""))), _right(screen.run)
    return left < every and near(values["before"], every) and near(values["now"], left)
