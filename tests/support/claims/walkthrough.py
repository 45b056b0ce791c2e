"""Claims of the walkthrough: about the layer that learned a grammar, and in the captions of steps."""

import math

import numpy as np
import torch

from attention.figures import matrix
from pages.shell.runs import learned_scores
from pages.shell.screen import Screen
from tests.support.claims.claim import Values, claim, near, number, visible


@claim("learned.all_right", "walkthrough.learned_scores", {}, {"heads": 1, "d_k": 4}, {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    found = learned_scores.tested(screen.run.config, screen.run.module)
    assert found is not None
    shares = found.scores.accuracy
    return near(values["score"], float(np.mean(shares))) and number(values["kinds"]) == len(shares)


@claim("learned.short", "walkthrough.learned_scores", {"heads": 1, "d_k": 4})
def _(screen: Screen, values: Values) -> bool:
    return number(values["share"].split()[-1]) < 0.9


@claim("note.scaled", "walkthrough.scores", {}, {"mask": "causal"}, {"preset": "story"})
def _(screen: Screen, values: Values) -> bool:
    before, after = (visible(screen, screen.run.trace, id).std(correction=0) for id in ("scores", "scaled"))
    return _spread(values["before"], float(before)) and _spread(values["after"], float(after))


@claim("note.scaled_one", "walkthrough.scores", {"d_k": 1})
def _(screen: Screen, values: Values) -> bool:
    raw, scaled = (visible(screen, screen.run.trace, id) for id in ("scores", "scaled"))
    return raw.equal(scaled)


@claim("note.scaled_none", "walkthrough.scores", {"scale": "none"})
def _(screen: Screen, values: Values) -> bool:
    return _spread(values["after"], float(visible(screen, screen.run.trace, "scores").std(correction=0)))


def _spread(text: str, value: float) -> bool:
    return text == "–" if math.isnan(value) else math.isclose(number(text), value, rel_tol=0.06, abs_tol=6e-3)


@claim("note.empty_rows", "walkthrough.mask", {"mask": "window", "width": 1, "painted": "AABB"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    empty = ~run.matrix("mask").any(-1)
    return int(empty.sum()) == number(values["count"]) and not run.matrix("output")[empty].any()


@claim("step.keys_normed.text", "walkthrough.normed", {"preset": "random", "qk_norm": True})
def _(screen: Screen, values: Values) -> bool:
    """The gains of the screens are 1; otherwise they are a step of their own beside the sentence."""
    run = screen.run
    if "g_k" in run.trace and not all((run.trace[id].value == 1).all() for id in ("g_q", "g_k")):
        return True
    return bool((run.matrix("scores").double() * run.module.d_k**-0.5 <= run.module.d_k**0.5 * 1.001).all())


@claim("step.b_k.text", "walkthrough.biases", {"preset": "random", "bias": True})
def _(screen: Screen, values: Values) -> bool:
    """A number that is the same for every key does not change the weights. Screens for which the sentence names an
    exception are skipped."""
    run = screen.run
    if {"queries_rotated", "queries_normed", "softcapped", "sink"} & {*run.trace}:
        return True
    keys = "keys_joined" if "keys_joined" in run.trace else "keys"
    q, k = (run.matrix(id).double() for id in ("queries", keys))
    b = matrix(run.trace["b_k"], **run.where).double().flatten()
    made = ((q @ k.mT).softmax(-1) - (q @ (k - b).mT).softmax(-1)).abs().max()
    return float(made) < 1e-9


def _row(screen: Screen, word: str) -> list[torch.Tensor]:
    """The rows of weights of the queries that a sentence names."""
    run = screen.run
    return [row for row, token in zip(run.matrix("weights"), run.labels["query"], strict=True) if token in word]


@claim(
    "note.weights_flat",
    "walkthrough.weights",
    {"preset": "random", "text": " ".join(map(str, range(64))), "scale": "d_k", "mask": "full"},
)
def _(screen: Screen, values: Values) -> bool:
    told = [row for row in _row(screen, values["query"]) if int((row > 0).sum()) == number(values["keys"])]
    return any(abs(float(row.max()) - number(values["most"])) <= 0.006 for row in told)


@claim("note.weights_empty", "walkthrough.weights", {"mask": "window", "width": 1, "painted": "AABBCCDDEEFFGGHHIIJJKK"})
def _(screen: Screen, values: Values) -> bool:
    return any(not row.any() for row in _row(screen, values["query"]))


@claim("note.dropped", "walkthrough.dropout", {"dropout": 0.5})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    z = run.matrix("weights").double() * run.matrix("kept") / (1 - run.config.dropout)
    return abs(number(values["largest"]) - float(z.max())) <= 0.006


@claim("step.weights.text", "walkthrough.weights", {}, {"mask": "causal", "painted": "AA"})
def _(screen: Screen, values: Values) -> bool:
    """A row with a sink has a sentence of its own, so such screens are skipped."""
    run = screen.run
    if "sink" in run.trace:
        return True
    weights = run.matrix("weights").double()
    sums, seen = weights.sum(-1), run.matrix("mask").any(-1) if "mask" in run.trace else torch.ones(len(weights)).bool()
    return bool((weights >= 0).all() and ((sums - seen.double()).abs() < 1e-5).all())


@claim("step.weights.sunk", "walkthrough.weights", {"preset": "random", "sink": 0})
def _(screen: Screen, values: Values) -> bool:
    """The sum is at most 1 up to rounding, in which a very small sink is lost."""
    run = screen.run
    return "sink" not in run.trace or bool((run.matrix("weights").double().sum(-1) <= 1 + 1e-5).all())


@claim("step.masked.text", "walkthrough.mask", {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    return not run.matrix("weights")[~run.matrix("mask")].any()


@claim("step.dropped.text", "walkthrough.dropout", {"dropout": 0.3})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    kept, p = run.matrix("kept"), run.config.dropout
    dropped, weights = run.matrix("dropped").double(), run.matrix("weights").double()
    return torch.allclose(dropped, weights * kept / (1 - p), rtol=1e-5) and not dropped[~kept].any()


@claim("step.b_q.text", "walkthrough.biases", {"preset": "random", "bias": True})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.matrix("b_q").numel() == screen.run.module.d_k
