"""Claims about one draw of dropout and about many."""

import torch

from pages.shell.screen import Screen
from tests.support.claims.claim import Values, claim, near, number


@claim("dropping.inference", "dropout.sums", {"dropout": 0.5, "mode": "inference"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    sums = run.matrix("weights").double().sum(-1)
    seeing = run.matrix("mask").any(-1) if "mask" in run.trace else sums > -1
    return "dropped" not in run.trace and bool(((sums - 1).abs()[seeing] < 1e-5).all())


@claim("dropping.zero", "dropout.sums", {"dropout": 0.0}, {"dropout": 0.0, "preset": "story"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    sums = run.matrix("weights").double().sum(-1)
    seeing = run.matrix("mask").any(-1) if "mask" in run.trace else sums > -1
    return "dropped" not in run.trace and bool(((sums - 1).abs()[seeing] < 1e-5).all())


@claim("dropping.sums", "dropout.counts", {"dropout": 0.3}, {"dropout": 0.9, "mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """A kept weight exceeds 1 if it was above 1 - p; a row is lost if it keeps no weight above 0."""
    run = screen.run
    a, kept, p = run.matrix("weights").double(), run.matrix("kept"), run.config.dropout
    z = a * kept / (1 - p)
    counted = {
        "above": (z.sum(-1) > 1 + 1e-5).sum(),
        "lost": ((a * kept).sum(-1)[a.any(-1)] == 0).sum(),
        "single": (z > 1 + 1e-5).sum(),
        "rows": a.any(-1).sum(),
        "pairs": (a > 0).sum(),
    }
    return all(number(values[name]) == int(count) for name, count in counted.items()) and near(
        values["largest"], float(z.max())
    )


@claim("dropping.arcs_inference", "dropout.arcs", {"mode": "inference"}, {"mode": "inference", "preset": "story"})
def _(screen: Screen, values: Values) -> bool:
    """The weights act unchanged."""
    run = screen.run
    return "kept" not in run.trace and any(
        near(values["weight"], one) for one in run.trace["weights"].value.flatten().tolist()
    )


@claim("dropping.sums_short", "dropout.sums", {"dropout": 0.5}, {"preset": "random", "mask": "window", "width": 1})
def _(screen: Screen, values: Values) -> bool:
    """A weight beside a dropped one has the same value as in any draw that keeps it: divided by 1 - p."""
    run = screen.run
    weights, dropped = (run.matrix(id).double() for id in ("weights", "dropped"))
    kept = torch.where(run.matrix("kept").bool(), weights / (1 - run.config.dropout), 0)
    seen = int((weights.sum(-1) > 0).sum())
    above = int((dropped.sum(-1) > 1 + 1e-6).sum())
    return torch.allclose(dropped, kept, atol=1e-6) and number(values["above"]) == above <= seen == number(
        values["rows"]
    )


@claim(
    "dropping.purpose_measured", "dropout.why", {"dropout": 0.05}, {"dropout": 0.3}, {"dropout": 0.5}, {"dropout": 0.9}
)
def _(screen: Screen, values: Values) -> bool:
    """The sentence is the answer to why one does it. With p = 0 both answer all."""
    return number(values["without"]) < number(values["trained"])
