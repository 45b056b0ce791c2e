"""What is claimed of the page *What if*."""

import torch

from attention.analysis.interventions import over_queries
from pages.shell.runs.run import run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from tests.support.claims.claim import Values, claim, number


@claim("what_if.gauge.merged", "experiments.gauge", {}, {"heads": 8})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) > number(values["two"])


@claim("what_if.gauge.no_price", "experiments.gauge", {"heads": 2}, {"heads": 1})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) <= number(values["two"])


@claim("what_if.wrong_axis.text", "experiments.wrong-axis", {}, {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """A key that some query sees has a column that sums to one."""
    trace = screen.run.trace
    columns = over_queries(trace).double().sum(-2)
    seen = trace["mask"].value.any(-2).expand_as(columns) if "mask" in trace else torch.ones_like(columns).bool()
    return bool(((columns - 1).abs()[seen] < 1e-5).all())


@claim("what_if.wrong_axis.leak", "experiments.wrong-axis", {})
def _(screen: Screen, values: Values) -> bool:
    return number(values["over_keys"]) == 0


@claim("importance.same", "experiments.importance")
def _(screen: Screen, values: Values) -> bool:
    return number(values["moved"]) > 0 and number(values["difference"]) < 1e-4


@claim("importance.zero_text", "experiments.zero-key")
def _(screen: Screen, values: Values) -> bool:
    """One more key of score 0."""
    story = run(Config(preset="story"))
    rows = story.matrix("masked" if "masked" in story.trace else "scaled").double().exp()
    left = {word: float(1 / (1 + row.sum())) for word, row in zip(story.labels["query"], rows, strict=True)}
    return abs(left["a"] - 0.5) < 0.005 and left["creature"] < 0.005 and left["forest"] < 0.005
