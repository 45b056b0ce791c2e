"""Claims about the page *What if*."""

import re

import torch

from attention.analysis.interventions import gauge, over_queries, tied
from pages.shell.i18n import speaking
from pages.shell.i18n.markdown import MOST, plain
from pages.shell.runs.run import run
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.page_controls import WhatIf
from pages.shell.views.head_arcs import asked_of
from pages.shell.views.naming import of_key, of_query, quoted
from tests.support.claims.claim import Values, claim, near, number


@claim("what_if.gauge.merged", "experiments.gauge", {}, {"heads": 8})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) > number(values["two"])


@claim("what_if.gauge.no_price", "experiments.gauge", {"heads": 2}, {"heads": 1})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) <= number(values["two"])


@claim("what_if.wrong_axis.text", "experiments.wrong-axis", {}, {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """Each key that some query sees has a column that sums to one."""
    trace = screen.run.trace
    columns = over_queries(trace).double().sum(-2)
    seen = trace["mask"].value.any(-2).expand_as(columns) if "mask" in trace else torch.ones_like(columns).bool()
    return bool(((columns - 1).abs()[seen] < 1e-5).all())


@claim("what_if.wrong_axis.leak", "experiments.wrong-axis", {})
def _(screen: Screen, values: Values) -> bool:
    return number(values["over_keys"]) == 0


@claim("what_if.largest.moves", "experiments.arcs", {"what_if": "importance"}, {"what_if": "importance", "heads": 8})
def _(screen: Screen, values: Values) -> bool:
    """The word's largest weight is in the record, and a smaller one is left. The words that get more had less."""
    shown = screen.run
    weights = shown.trace["weights"].value[shown.sentence, int(values["head"]) - 1]
    query = _place(screen, "query", values["word"])
    key = _place(screen, "key", values["key"])
    known = near(values["was"], float(weights[query, key])) and key == int(weights[query].argmax())
    more = [number(share) for share in re.findall(r"[(（](\d\.\d+)[)）]", values["others"])]
    fits = sum(one < share for one in weights[query] for share in more) >= len(more)
    return known and number(values["now"]) < number(values["was"]) and fits and 0 < sum(more) <= 1.01


@claim("what_if.free.less", "experiments.arcs", {"what_if": "importance", "cell": "weights.4.0.arcs"})
@claim(
    "what_if.free.moves",
    "experiments.arcs",
    *({"what_if": "importance", "cell": f"weights.{at}.0.arcs"} for at in (3, 6)),
)
def _(screen: Screen, values: Values) -> bool:
    """The weights of a row without a mask. Each number of the output is a condition, and so is the sum of one."""
    weights, d_v = number(values["weights"]), screen.run.module.d_v
    known = "mask" in screen.run.trace or weights == len(screen.run.tokens)
    return known and number(values["numbers"]) == d_v and weights - d_v - 1 > 0


@claim("what_if.asked.importance", "experiments.arcs", {"what_if": "importance"}, {"what_if": "importance", "heads": 1})
def _(screen: Screen, values: Values) -> bool:
    """The number of weights is that of the visible words, the number of conditions that of a value's features."""
    known = "mask" in screen.run.trace or number(values["weights"]) == len(screen.run.tokens)
    return known and number(values["numbers"]) == screen.run.module.d_v


@claim("what_if.by_head.one", "experiments.arcs", {"what_if": "sentence", "cell": "weights.3.0.arcs"})
@claim("what_if.by_head.more", "experiments.arcs", {"what_if": "sentence"}, {"what_if": "sentence", "heads": 8})
def _(screen: Screen, values: Values) -> bool:
    """As many heads are named as counted, of all heads, and not all of them."""
    named = len(re.findall(r"\d+", values["heads"]))
    return named == number(values["count"]) < number(values["all"]) == screen.run.module.heads


@claim("what_if.largest.stays", "experiments.arcs", {"what_if": "importance", "heads": 1})
def _(screen: Screen, values: Values) -> bool:
    """The numbers of a value and the sum of one leave none of the word's weights free."""
    shown = screen.run
    rows = shown.trace["weights"].value[shown.sentence, int(values["head"]) - 1]
    query = _place(screen, "query", values["word"])
    return int((rows[query] > 0).sum()) <= shown.module.d_v + 1


@claim(
    "what_if.told.key_shift",
    "experiments.arcs",
    {"what_if": "bias", "guess": "bias.scores"},
    {"what_if": "bias", "guess": "bias.scores", "shift": -3.5, "mask": "causal"},
)
def _(screen: Screen, values: Values) -> bool:
    """The numbers of the written product come from the record."""
    q = screen.run.matrix("queries")[asked_of(screen)].double()
    by, root = screen.own(WhatIf).shift, screen.run.module.d_k**0.5
    written = near(values["sum"].strip("()"), float(q.sum())) and near(values["root"], root)
    return written and number(values["by"]) == by and near(values["moved"], by * float(q.sum()) / root)


@claim("what_if.told.same_shift", "experiments.arcs", {"what_if": "bias", "scale": "none"})
def _(screen: Screen, values: Values) -> bool:
    """The scores move by the sum of the query times the shift, over the root of d_k."""
    q = screen.run.matrix("queries")[asked_of(screen)].double()
    trace = screen.run.trace
    factor = float(trace["scale"].value) if "scale" in trace else screen.run.module.d_k**-0.5
    return near(values["by"], float(q.sum()) * screen.own(WhatIf).shift * factor)


@claim("what_if.told.value_shift", "experiments.arcs", {"what_if": "bias", "shifted": "values", "shift": 2.5})
def _(screen: Screen, values: Values) -> bool:
    return number(values["by"]) == 2.5


@claim("what_if.products.change", "experiments.arcs", {"what_if": "basis"}, {"what_if": "basis", "basis": 7})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    key = _place(screen, "key", values["key"])
    score = float(run.matrix("scores")[asked_of(screen), key])
    return near(values["before"], score) and values["after"] == values["before"]


@claim(
    "what_if.arcs.larger", "experiments.arcs", *({"what_if": "tied", "cell": f"weights.{at}.0.arcs"} for at in (0, 9))
)
def _(screen: Screen, values: Values) -> bool:
    """Both scores are products of queries of the record. The other word's query is the longer one."""
    run, head, query = screen.run, int(values["head"]) - 1, asked_of(screen)
    q = run.trace["queries"].value[run.sentence, head].double()
    factor = float(run.trace["scale"].value) if "scale" in run.trace else run.module.d_k**-0.5
    with speaking(screen.language):
        (key,) = (at for at in range(len(q)) if quoted(run.labels["key"], at) == values["other"])
    score, own = (float(q[query] @ q[at]) * factor for at in (key, query))
    return (
        near(values["score"], score)
        and near(values["own"], own)
        and score > own
        and bool(q[key].norm() > q[query].norm())
    )


@claim("what_if.arcs.itself", "experiments.arcs", {"what_if": "tied"})
def _(screen: Screen, values: Values) -> bool:
    """Each head has its largest weight on the word itself."""
    query = asked_of(screen)
    own = tied(screen.run.trace)["weights"].value[screen.run.sentence, :, query]
    return bool((own.argmax(-1) == query).all()) and f"{float(own[:, query].mean()):.0%}" == values["share"]


def _place(screen: Screen, axis: str, written: str) -> int:
    """The place of the word that a sentence names."""
    run, of = screen.run, of_query if axis == "query" else of_key
    with speaking(screen.language):
        (found,) = (at for at in range(len(run.labels[axis])) if plain(of(run, at, MOST)) == written)
    return found


@claim("what_if.follows.basis", "experiments.arcs", {"what_if": "basis"}, {"what_if": "basis", "basis": 7})
def _(screen: Screen, values: Values) -> bool:
    """The numbers of the queries differ, and their products with the keys are equal."""
    made = gauge(screen.run.trace, torch.Generator().manual_seed(screen.own(WhatIf).basis))
    queries, scores = ((made.before[id].value - made.after[id].value).abs() for id in ("queries", "scores"))
    return float(queries.median()) > 0.01 and float(scores.max()) < 1e-6


@claim("what_if.told.sum", "experiments.arcs", {"what_if": "mistakes"}, {"what_if": "mistakes", "head": 3})
def _(screen: Screen, values: Values) -> bool:
    sums = over_queries(screen.run.trace)[screen.run.sentence, :, asked_of(screen)].sum(-1)
    return values["before"] == "1.00" and near(values["after"], float(sums[int(values["head"]) - 1]))


@claim("importance.zero_text", "experiments.zero-key")
def _(screen: Screen, values: Values) -> bool:
    """The softmax has one more key, of score 0."""
    story = run(Config(preset="story"))
    rows = story.matrix("masked" if "masked" in story.trace else "scaled").double().exp()
    left = {word: float(1 / (1 + row.sum())) for word, row in zip(story.labels["query"], rows, strict=True)}
    return abs(left["a"] - 0.5) < 0.005 and left["creature"] < 0.005 and left["forest"] < 0.005
