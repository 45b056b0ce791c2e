"""Claims about ways to tame scores."""

import math

import torch
from torch.nn.functional import rms_norm

from attention.analysis.rerun import rerun
from attention.comparisons.cap_after_mask import cap_after_mask
from attention.figures import matrix
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import STRETCHES, Taming
from pages.shell.views import steps
from tests.support.claims.claim import Values, claim, near, number, visible, whole_rows


@claim("taming.norm.normed", "taming.norm", {"taming_stretch": "10"}, {"taming_stretch": "10", "scale": "none"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    queries = float(screen.own(Taming).taming_stretch) * run.trace["queries"].value
    most = visible(screen, rerun(run.trace, queries=queries, qk_norm=True), "scaled").abs().max()
    return near(values["most"], float(most)) and float(most) <= number(values["bound"]) * 1.006


@claim("taming.norm.wrong", "taming.norm", {}, {"scale": "none"}, {"scale": "d_k"})
def _(screen: Screen, values: Values) -> bool:
    queries = float(screen.own(Taming).taming_stretch) * screen.run.trace["queries"].value
    rows = whole_rows(screen, rerun(screen.run.trace, queries=queries, qk_norm=True))
    return bool((rows <= number(values["most"]) + 6e-4).all())


@claim("taming.cap.right", "taming.cap", {}, {"taming_cap": 0.5})
def _(screen: Screen, values: Values) -> bool:
    rows = whole_rows(screen, rerun(screen.run.trace, softcap=screen.own(Taming).taming_cap))
    return bool((rows <= number(values["most"]) + 6e-4).all())


@claim("taming.cap.scaled", "taming.cap")
def _(screen: Screen, values: Values) -> bool:
    return near(values["most"], float(visible(screen, screen.run.trace, "scaled").abs().max()))


@claim("taming.cap.capped", "taming.cap", {}, {"taming_cap": 0.5})
def _(screen: Screen, values: Values) -> bool:
    c = screen.own(Taming).taming_cap
    scores = visible(screen, screen.run.trace, "scaled").requires_grad_()
    with torch.inference_mode(False), torch.enable_grad():
        scores = scores.detach().clone().requires_grad_()
        capped = c * (scores / c).tanh()
        (slope,) = torch.autograd.grad(capped.sum(), scores)
    return bool((capped.abs() <= c).all()) and math.isclose(
        number(values["slope"]), float(slope.min()), rel_tol=0.1, abs_tol=1e-6
    )


@claim("taming.cap.leaks", "taming.cap", {"taming_after": True})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    wrong = matrix(cap_after_mask(run.trace, screen.own(Taming).taming_cap)["weights"], **run.where)
    hidden = ~matrix(run.trace["mask"], **run.where)
    return near(values["leak"], float((wrong * hidden).sum(-1).max()))


@claim("taming.cap.unseen", "taming.cap")
def _(screen: Screen, values: Values) -> bool:
    trace = screen.run.trace
    right, wrong = rerun(trace, softcap=50.0)["weights"].value, cap_after_mask(trace, 50.0)["weights"].value
    return bool((right - wrong).abs().max() < 2e-6)


@claim("taming.length.wrong", "taming.length")
def _(screen: Screen, values: Values) -> bool:
    """The example has a score of 3 among scores of -2."""
    ends = ((values["first"], values["fewest"]), (values["last"], values["most"]))
    shares = [(number(share), 1 / (1 + (number(n) - 1) * math.exp(-5))) for share, n in ends]
    return all(math.isclose(share, wanted, rel_tol=0.02) for share, wanted in shares)


@claim("taming.sink.torch", "taming.sink", {"taming_sink": 0})
def _(screen: Screen, values: Values) -> bool:
    return number(values["far"]) < 1e-4


@claim("taming.cap.lead", "taming.cap_lead")
def _(screen: Screen, values: Values) -> bool:
    """The paper's formula gives the capped scores of the record."""
    trace, c = screen.run.trace, screen.own(Taming).taming_cap
    capped = rerun(trace, softcap=c)
    wanted = c * (trace["scaled"].value.double() / c).tanh()
    return torch.allclose(capped["softcapped"].value.double(), wanted, rtol=1e-5, atol=1e-6)


@claim("taming.scores.slope_told", "taming.scores", {}, {"taming_stretch": "1"})
def _(screen: Screen, values: Values) -> bool:
    """By hand: no weight of any row has a steeper slope than the named one, which is that of a weight of one half."""
    factor, most = screen.own(Taming).taming_stretch, number(values["most"])
    rows = [_row(screen, way, factor) for way in _WAYS]
    return all(float((row * (1 - row)).max()) <= most + 1e-6 for row in rows) and most == 0.5 * (1 - 0.5)


@claim("taming.row.sees", "taming.row")
def _(screen: Screen, values: Values) -> bool:
    return (number(values["seen"]), number(values["words"])) == (_count(screen), len(screen.run.labels["key"]))


@claim("taming.row.why.scaled", "taming.row")
def _(screen: Screen, values: Values) -> bool:
    """Every score of the record is divided by the named number."""
    trace = screen.run.trace
    divided = trace["scores"].value / trace["scaled"].value
    return bool((divided[divided.isfinite()] / number(values["by"]) - 1).abs().max() < 0.05)


def _count(screen: Screen) -> int:
    """How many words the query sees."""
    run = screen.run
    return int(matrix(run.trace["mask"], **run.where)[steps.focus_of(run)].sum())


def _gives(screen: Screen, way: str, factor: str) -> bool:
    """Whether one word has more than 0.95, computed by hand from the recorded scores."""
    return float(_row(screen, way, factor).max()) > 0.95


def _has_since(screen: Screen, way: str, factor: str) -> bool:
    """Whether one word has all from this factor on to the slider's, but not one stop earlier."""
    first, here = STRETCHES.index(factor), STRETCHES.index(screen.own(Taming).taming_stretch)
    before = first and _gives(screen, way, STRETCHES[first - 1])
    return not before and all(_gives(screen, way, one) for one in STRETCHES[first : here + 1])


@claim("taming.row.still.flat", "taming.row", {"taming_stretch": "0.03"})
def _(screen: Screen, values: Values) -> bool:
    return float(_row(screen, "raw", screen.own(Taming).taming_stretch).max()) < 1 / _count(screen) + 0.1


@claim("taming.row.learned.helps", "taming.row", {"taming_stretch": "0.6"})
def _(screen: Screen, values: Values) -> bool:
    return _has_since(screen, "raw", values["raw"]) and _keeps(screen, values["rest"])


def _keeps(screen: Screen, rest: str) -> bool:
    """With the scale alone, no word has all at the slider's factor, and the other words keep this much."""
    scaled = float(_row(screen, "scaled", screen.own(Taming).taming_stretch).max())
    return scaled <= 0.95 and near(rest, 1 - scaled)


def _now(screen: Screen, way: str) -> bool:
    """Whether one word has all at the slider's factor, but not one stop earlier."""
    return _has_since(screen, way, screen.own(Taming).taming_stretch)


@claim("taming.row.learned.helps_now", "taming.row", {"taming_stretch": "0.5", "taming_cap": 5.0})
def _(screen: Screen, values: Values) -> bool:
    return _now(screen, "raw") and _keeps(screen, values["rest"])


@claim("taming.row.learned.later_now", "taming.row", {"taming_stretch": "2", "scale": "d_k", "taming_cap": 5.0})
def _(screen: Screen, values: Values) -> bool:
    """Without the scale, one word had all already one stop earlier."""
    before = STRETCHES[STRETCHES.index(screen.own(Taming).taming_stretch) - 1]
    return _now(screen, "scaled") and _gives(screen, "raw", before)


@claim("taming.row.learned.alike_now", "taming.row", {"taming_stretch": "0.5", "scale": "none", "taming_cap": 50})
def _(screen: Screen, values: Values) -> bool:
    return _now(screen, "raw") and _now(screen, "scaled")


@claim("taming.row.learned.later", "taming.row", {"taming_stretch": "1.2", "taming_cap": 50})
def _(screen: Screen, values: Values) -> bool:
    raw, scaled = values["raw"], values["scaled"]
    is_later = float(raw) < float(scaled)
    return is_later and _has_since(screen, "raw", raw) and _has_since(screen, "scaled", scaled)


@claim(
    "taming.row.learned.turned",
    "taming.row",
    {"taming_stretch": "4", "taming_cap": 5.0},
    {"taming_stretch": "3", "taming_cap": 8},
)
def _(screen: Screen, values: Values) -> bool:
    """Under the cap, the largest weight has peaked at the named factor; with the scale alone, one word has all."""
    peak, at = (STRETCHES.index(one) for one in (values["peak"], screen.own(Taming).taming_stretch))
    capped = [float(_row(screen, "cap", one).max()) for one in STRETCHES[: at + 1]]
    told = near(values["most"], capped[peak]) and near(values["now"], capped[at])
    return told and capped[peak] >= max(capped) - 1e-6 > capped[at] and _has_since(screen, "scaled", values["scaled"])


@claim("taming.row.learned.alike", "taming.row", {"taming_stretch": "1", "scale": "none", "taming_cap": 50})
def _(screen: Screen, values: Values) -> bool:
    return _has_since(screen, "scaled", values["scaled"])


@claim("taming.row.learned.both", "taming.row", {"taming_stretch": "100", "preset": "random", "scale": "d_k"})
def _(screen: Screen, values: Values) -> bool:
    """Without the cap one word has all; under it the row is nearly even."""
    here = screen.own(Taming).taming_stretch
    return _gives(screen, "scaled", here) and float(_row(screen, "cap", here).max()) < 1 / _count(screen) + 0.1


@claim("taming.row.learned.both_but_norm", "taming.row", {"taming_stretch": "100", "preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """Of the four ways, QK-norm alone keeps the row between the two lines."""
    here, least = screen.own(Taming).taming_stretch, 1 / _count(screen) + 0.1
    is_flat = float(_row(screen, "cap", here).max()) < least
    holds = least <= float(_row(screen, "norm", here).max()) <= 0.95
    return _gives(screen, "raw", here) and _gives(screen, "scaled", here) and is_flat and holds


@claim("taming.row.learned.price", "taming.row", {"taming_stretch": "10", "taming_cap": 5.0})
def _(screen: Screen, values: Values) -> bool:
    """QK-norm's largest weight is the same at every length, and below that of the trained head, the record's row."""
    here, run = screen.own(Taming).taming_stretch, screen.run
    record = matrix(run.trace["weights"], **run.where)[steps.focus_of(run)]
    norm = [float(_row(screen, "norm", factor).max()) for factor in (here, *STRETCHES)]
    told = near(values["sure"], float(record.max())) and all(near(values["norm"], one) for one in norm)
    is_alone = _gives(screen, "raw", here) and _gives(screen, "scaled", here) and max(norm) <= 0.95
    return told and is_alone and norm[0] < float(record.max()) and run.config.preset == "learned"


_GUESSED = {"taming_stretch": "10", "guess": "capped.up"}


@claim("taming.guess.why.flat", "taming.row", _GUESSED | {"taming_cap": 5})
@claim("taming.guess.why.holds", "taming.row", _GUESSED | {"taming_cap": 20})
@claim("taming.guess.why.gives", "taming.row", _GUESSED | {"taming_cap": 50})
def _(screen: Screen, values: Values) -> bool:
    """The state of the row under the cap, computed by hand."""
    chosen, most = screen.own(Taming), float(_row(screen, "cap", screen.own(Taming).taming_stretch).max())
    even = 1 / _count(screen) + 0.1
    if "cap" not in values:
        return most < even
    is_so = even <= most <= 0.95 or most > 0.95
    return is_so and number(values["cap"]) == chosen.taming_cap


@claim("taming.row.reach_cap", "taming.row", {"taming_stretch": "10", "taming_cap": 5.0}, {"taming_stretch": "10"})
def _(screen: Screen, values: Values) -> bool:
    """At least the named number of weights are nearly the largest: one score near the cap is as good as another."""
    chosen, count = screen.own(Taming), int(number(values["count"]))
    row = _row(screen, "cap", chosen.taming_stretch).sort(descending=True).values
    return near(values["high"], chosen.taming_cap) and count > 1 and float(row[count - 1] / row[0]) > 0.9


@claim("taming.row.as_trained", "taming.row", {"taming_stretch": "1", "taming_cap": 5.0})
def _(screen: Screen, values: Values) -> bool:
    """The layer was trained with this scale, and its recorded row is all on the named word."""
    run = screen.run
    row = matrix(run.trace["weights"], **run.where)[steps.focus_of(run)]
    word = run.labels["key"][int(row.argmax())]
    is_sure = run.config.preset == "learned" and float(row.max()) > 0.95 and word in values["word"]
    return is_sure and _has_since(screen, "raw", values["raw"])


@claim("taming.scores.bent", "taming.scores", {"taming_stretch": "2", "taming_cap": 5.0})
def _(screen: Screen, values: Values) -> bool:
    """The slope of the largest score is computed by hand, and other words keep more than a twentieth."""
    chosen, run = screen.own(Taming), screen.run
    weights = _row(screen, "cap", chosen.taming_stretch)
    if "biased" in run.trace or "turned_queries" in run.trace:
        return float(weights.max()) <= 0.95 and number(values["passed"]) < 0.5
    query = steps.focus_of(run)
    q, k, mask = (matrix(run.trace[id], **run.where) for id in ("queries", "keys", "mask"))
    scale = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    scores = (float(chosen.taming_stretch) * scale * k.double() @ q[query].double())[mask[query]]
    passed = 1 - float((scores.max() / chosen.taming_cap).tanh()) ** 2
    return near(values["passed"], passed) and passed <= 0.505 and float(weights.max()) <= 0.95


_WAYS = ("raw", "scaled", "cap", "norm")


def _row(screen: Screen, way: str, factor: str) -> torch.Tensor:
    run, cap = screen.run, screen.own(Taming).taming_cap
    query = steps.focus_of(run)
    q, k, mask = (matrix(run.trace[id], **run.where) for id in ("queries", "keys", "mask"))
    if "biased" in run.trace or "turned_queries" in run.trace:
        queries = float(factor) * run.trace["queries"].value
        options = {"raw": {"scale": 1.0}, "scaled": {}, "cap": {"softcap": cap}, "norm": {"qk_norm": True}}[way]
        return matrix(rerun(run.trace, queries=queries, **options)["weights"], **run.where)[query]
    scale = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    q, k = float(factor) * q[query].double(), k.double()
    if way == "norm":
        q, k = (rms_norm(one, one.shape[-1:]) for one in (q, k))
    scores = k @ q * (1.0 if way == "raw" else scale)
    if way == "cap":
        scores = cap * (scores / cap).tanh()
    return scores.masked_fill(~mask[query], -math.inf).softmax(-1)


@claim("taming.row.alone", "taming.row", {"preset": "random", "text": "alone"})
def _(screen: Screen, values: Values) -> bool:
    return int(matrix(screen.run.trace["mask"], **screen.run.where)[steps.focus_of(screen.run)].sum()) == 1


@claim("taming.row.sunk", "taming.sunk", {}, {"taming_stretch": "0.1", "taming_sink": 3})
def _(screen: Screen, values: Values) -> bool:
    """The sink adds one exponential to the sum of the row."""
    run, chosen = screen.run, screen.own(Taming)
    if "biased" in run.trace:
        return True
    row = (float(chosen.taming_stretch) * visible_row(screen, steps.focus_of(run))).exp().sum()
    sink = math.exp(chosen.taming_sink)
    return near(values["nowhere"], float(sink / (row + sink)))


@claim("taming.gate.sink", "taming.gate", {}, {"taming_gate": 4.0}, {"preset": "random", "taming_gate": -8.0})
def _(screen: Screen, values: Values) -> bool:
    """By hand, the word's row with the sink's exponential in its sum equals the row times the sigmoid."""
    run, logit = screen.run, screen.own(Taming).taming_gate
    query = steps.focus_of(run)
    scores = visible_row(screen, query)
    log = float(scores.logsumexp(-1))
    sink = log - logit
    row = scores.exp() / (scores.exp().sum() + math.exp(sink))
    equal = torch.allclose(row, scores.softmax(-1) / (1 + math.exp(-logit)), rtol=0, atol=1e-9)
    return equal and near(values["sink"], sink) and near(values["log"], log)


def visible_row(screen: Screen, query: int) -> torch.Tensor:
    """The scores of one query that the mask allows."""
    run = screen.run
    scores, mask = (matrix(run.trace[id], **run.where)[query] for id in ("scaled", "mask"))
    return scores[mask].double()


@claim("taming.gate.halves", "taming.gate", {"taming_gate_of": "features"})
def _(screen: Screen, values: Values) -> bool:
    share = 1 / (1 + math.exp(-screen.own(Taming).taming_gate))
    return near(values["open"], share) and near(values["other"], 1 - share)


@claim("taming.pair.sums", "taming.pair", {"taming_lambda": 0})
@claim("taming.pair.negative", "taming.pair", {}, {"taming_lambda": 0.95}, {"preset": "random", "heads": 3})
def _(screen: Screen, values: Values) -> bool:
    """The weights of both heads are computed by hand."""
    run, share = screen.run, screen.own(Taming).taming_lambda
    heads = [
        matrix(run.trace["weights"], **run.where | {"head": head})
        for head in (run.head, (run.head + 1) % run.module.heads)
    ]
    made = heads[0].double() - share * heads[1].double()
    sums = made[matrix(run.trace["mask"], **run.where).any(-1)].sum(-1)
    right = all(near(values["sums"], float(one)) for one in sums)
    return right and ("least" not in values or near(values["least"], float(made.min())))
