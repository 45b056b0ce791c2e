"""Claims about one draw of dropout and about many."""

from dataclasses import replace

import torch

from attention.experiments.few_sentences import COUNTS, LAYER, shipped
from pages.shell.runs import learned
from pages.shell.runs.backward import right_answers
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking
from pages.shell.views.head_arcs import asked_of
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
    """The arcs show weights of the record, and there is no keep-mask."""
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


@claim("dropping.purpose_few", "dropout.worth", {}, {"dropout": 0.9})
def _(screen: Screen, values: Values) -> bool:
    """The layer knows its training sentences by heart, but not new ones; its gain on those is ten standard errors."""
    shares, few = shipped(), COUNTS.index(int(number(values["count"])))
    told = [number(values[name]) for name in ("known", "without", "trained")]
    measured = [100 * float(of.mean()) for of in (shares.seen[few], shares.new[few, 0], shares.new[few, 1])]
    gain = shares.new[few, 1] - shares.new[few, 0]
    return (
        all(abs(one - other) <= 0.5 for one, other in zip(told, measured, strict=True))
        and shares.seen[few].min() > 0.98
        and gain.mean() > 10 * gain.std(ddof=1) / len(gain) ** 0.5
        and str(LAYER.heads) in values["layer"]
    )


@claim("dropping.purpose_many", "dropout.worth")
def _(screen: Screen, values: Values) -> bool:
    """Both layers answer nearly all new questions."""
    new = shipped().new[COUNTS.index(int(number(values["count"])))].mean(-1)
    told = [number(values[name]) for name in ("without", "trained")]
    return new.min() > 0.98 and all(abs(one - 100 * share) <= 0.5 for one, share in zip(told, new, strict=True))


@claim("dropping.purpose_use_none", "dropout.why", {"dropout": 0.0})
def _(screen: Screen, values: Values) -> bool:
    return "kept" not in screen.run.trace


@claim("dropping.purpose_use", "dropout.why", {"dropout": 0.3}, {"dropout": 0.9, "preset": "story"})
@claim("dropping.purpose_use_twice", "dropout.why", {"dropout": 0.5})
def _(screen: Screen, values: Values) -> bool:
    """A kept weight is multiplied by the named factor in training; inference has no keep-mask."""
    config, factor = replace(screen.config, mode="training"), number(values.get("factor", "2"))
    use, training = (compute(replace(config, mode=mode)).trace for mode in ("inference", "training"))
    if "kept" in use or "dropped" not in training:
        return "kept" not in use and factor == 1
    weights, dropped, kept = (training[id].value for id in ("weights", "dropped", "kept"))
    return torch.allclose(dropped, weights * kept * factor, rtol=1e-2)


@claim("dropping.arcs_of", "dropout.arcs", {"d_model": 32}, {"heads": 2, "dropout": 0.0})
def _(screen: Screen, values: Values) -> bool:
    """The page has a learned layer, and its training used dropout exactly if the sentence says so."""
    setting = learned.used(screen.config)
    assert setting is not None
    return ("0." in values["layer"]) == bool(setting.dropout)


@claim("dropping.cut_same", "dropout.arcs", {"trained_p": "0.3"}, {"trained": True, "dropout": 0.5})
def _(screen: Screen, values: Values) -> bool:
    """The p of the screen is the one with which the layer was trained."""
    return screen.config.mode == "training" and abs(_trained_p(screen) - screen.config.dropout) < 1e-6


@claim("dropping.cut_other", "dropout.arcs", {"trained_p": "0"}, {"trained_p": "0.3", "dropout": 0.35})
def _(screen: Screen, values: Values) -> bool:
    return abs(_trained_p(screen) - number(values["p"])) > 0.01 and near(values["p"], screen.config.dropout)


@claim("dropping.cut_none", "dropout.arcs", {"dropout": 0.0}, {"mode": "inference", "trained_p": "0.3"})
def _(screen: Screen, values: Values) -> bool:
    trace = screen.run.trace
    return "dropped" not in trace or torch.equal(trace["dropped"].value, trace["weights"].value)


def _trained_p(screen: Screen) -> float:
    setting = learned.used(screen.config)
    assert setting is not None
    return setting.dropout


@claim("dropping.purpose_beside", "dropout.why", {"trained_p": "0.3"}, {"trained_p": "0", "dropout": 0.5})
def _(screen: Screen, values: Values) -> bool:
    """Both layers have the same arcs cut, and one of the two was trained with dropout."""
    here = _trained_p(screen)
    there = compute(replace(screen.run.config, trained_p="0" if here else "0.3"))
    cut = [one.trace["kept"].value.tolist() if "kept" in one.trace else [] for one in (screen.run, there)]
    return cut[0] == cut[1] and ("0." in values["layer"]) != bool(here)


@claim("dropping.alone.fails", "dropout.guess_two_arcs", {"trained_p": "0"}, {"trained_p": "0", "dropout": 0.7})
@claim("dropping.alone.holds", "dropout.guess_two_arcs", {"trained_p": "0.3", "cell": "weights.2.0.arcs"})
def _(screen: Screen, values: Values) -> bool:
    """Each draw is a run of its own. Counted are the draws that leave just one of the large weights at the word to
    which the most heads give a large one."""
    query, run = asked_of(screen), screen.run
    large = run.trace["weights"].value[run.sentence, :, query] > 0.5
    key = int(large.sum(0).argmax())
    heads = large[:, key].nonzero().flatten().tolist()
    (question,) = (one.question for one in asking.questions(run, query) if one.target == key)
    setting = learned.used(screen.config)
    assert setting is not None
    known, tried = right_answers(run)[run.sentence, query], []
    first = screen.config.draw // 60 * 60
    for draw in range(first, first + 60):
        trace = compute(replace(run.config, draw=draw)).trace
        left = [head for head in heads if trace["dropped"].value[run.sentence, head, query, key] > 0]
        if len(left) == 1:
            said = learned.layer(setting).logits(trace["projected"].value[run.sentence, query].float()).argmax(-1)
            tried.append((left[0] + 1, bool(said[question] == known[question])))
    if "head" not in values:
        return number(values["left"]) == len(tried) > 0 and all(rightly for _, rightly in tried)
    of_head = [rightly for head, rightly in tried if head == number(values["head"])]
    told = (number(values["right"]), number(values["left"]), number(values["arcs"]))
    return told == (sum(of_head), len(of_head), len(heads)) and not all(of_head)


@claim("dropping.layer_larger", "dropout.worth", {}, {"trained_p": "0.3", "heads": 2, "dropout": 0.3})
def _(screen: Screen, values: Values) -> bool:
    """The layer on the screen has fewer heads and a smaller d_model."""
    here = learned.used(screen.config)
    assert here is not None
    return (
        (number(values["heads"]), number(values["here"])) == (LAYER.heads, here.heads)
        and here.heads < LAYER.heads
        and here.d_model < LAYER.d_model
    )


@claim("dropping.layer_other", "dropout.worth", {"d_model": 64, "d_k": 4})
def _(screen: Screen, values: Values) -> bool:
    here = learned.used(screen.config)
    assert here is not None
    return (number(values["heads"]), number(values["here"])) == (LAYER.heads, here.heads) and here.heads != LAYER.heads


@claim("dropping.asks_nothing", "dropout.arcs", {"cell": "weights.0.0.arcs"})
def _(screen: Screen, values: Values) -> bool:
    return not _asked(screen)


@claim("dropping.asks_one", "dropout.arcs", {"cell": "weights.6.0.arcs"})
def _(screen: Screen, values: Values) -> bool:
    return len(_asked(screen)) == 1


def _asked(screen: Screen) -> list[int]:
    """The right answers for the word whose arcs are drawn."""
    run, query = screen.run, asked_of(screen)
    return [one for one in right_answers(run)[run.sentence, query].tolist() if one >= 0]
