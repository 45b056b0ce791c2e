"""Claims about the pinned screen beside the current one."""

from dataclasses import replace

import torch

from pages.shell.i18n import catalogue
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.views import VIEWS
from pages.shell.views.compare import strayed
from pages.shell.views.compare.compared import sides
from pages.shell.views.head_arcs import asked_of
from tests.support.claims.claim import Values, claim, near, number

_OTHER_MASK = {"pinned": Config(mask="causal").bundled()}


def _moved(screen: Screen) -> list[float]:
    """Half of the sum of absolute differences, for each row that sees a key on both sides."""
    a, b = (weights.double() for weights in sides(screen).matrices("weights"))
    told = (b - a).abs().sum(-1) / 2
    gone = abs(a.sum(-1) - b.sum(-1)) / 2
    seen = a.any(-1) & b.any(-1)
    return (told + gone)[seen].tolist()


@claim("compare.most", "compare.rows", _OTHER_MASK)
def _(screen: Screen, values: Values) -> bool:
    moved = _moved(screen)
    return near(values["moved"], max(moved)) and near(values["mean"], sum(moved) / len(moved))


@claim("compare.unmoved", "compare.rows", {"pinned": Config().bundled()})
def _(screen: Screen, values: Values) -> bool:
    moved = _moved(screen)
    return max(moved, default=0) < 1e-5 and number(values["count"]) >= len(moved)


@claim("compare.infinite", "compare.rows", {"pinned": Config(mask="causal").bundled(), "mask": "full"})
def _(screen: Screen, values: Values) -> bool:
    a, b = sides(screen).matrices("weights")
    return int(((b > 0) & (a == 0)).any(-1).sum()) >= number(values["count"]) > 0


@claim("compare.shapes.weights", "compare.compare-weights", {"pinned": Config().bundled(), "preset": "story"})
def _(screen: Screen, values: Values) -> bool:
    return values["a"] != values["b"]


@claim("compare.why.larger", "compare.arcs", {"scale": "none"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["ratio"]) > 1 and _in_one_ratio(screen, values)


@claim("compare.why.smaller", "compare.arcs", {"scale": "d_k", "heads": 4})
def _(screen: Screen, values: Values) -> bool:
    return number(values["ratio"]) < 1 and _in_one_ratio(screen, values)


def _in_one_ratio(screen: Screen, values: Values) -> bool:
    """Every score that is not 0 has this ratio. A row's largest weight grows when its scores are stretched apart, and
    shrinks when they are drawn together."""
    a, b = sides(screen).matrices("scaled")
    seen = a.abs() > 1e-3
    most = [scores.softmax(-1).max(-1).values for scores in (a, b)]
    further = most[1] - most[0] if number(values["ratio"]) > 1 else most[0] - most[1]
    return all(near(values["ratio"], float(one)) for one in (b[seen] / a[seen])) and bool((further > -1e-6).all())


@claim("compare.why.hidden", "compare.arcs", {"mask": "causal"}, {"mask": "causal", "heads": 2})
def _(screen: Screen, values: Values) -> bool:
    """No head of B gives a hidden word anything."""
    run, query = sides(screen).b, asked_of(screen)
    hidden = ~run.matrix("mask")[query].bool()
    return bool(hidden.any()) and not run.trace["weights"].value[run.sentence, :, query, : len(hidden)][:, hidden].any()


@claim("compare.why.spread", "compare.arcs", {"updates": "40"})
def _(screen: Screen, values: Values) -> bool:
    both = sides(screen)
    query = asked_of(screen)
    means = [run.trace["weights"].value[run.sentence, :, query].max(-1).values.mean() for run in (both.a, both.b)]
    return all(near(values[name], float(mean)) for name, mean in zip(("first", "second"), means, strict=True))


@claim("compare.why.dropped", "compare.arcs", {"dropout": 0.5})
def _(screen: Screen, values: Values) -> bool:
    """The sentence counts the weights above 0, and those of them that dropout set to 0."""
    run = sides(screen).b
    before, after = (run.trace[id].value[run.sentence, :, asked_of(screen)] for id in ("weights", "dropped"))
    struck, there = int(((before > 0) & (after == 0)).sum()), int((before > 0).sum())
    kept = after[after > 0] / before[after > 0]
    large = int(((before >= strayed.NAMED) & (after == 0)).sum())
    counted = [number(values[name]) for name in ("struck", "count", "large")]
    return counted == [struck, there, large] and all(near(values["factor"], float(one)) for one in kept)


def _paying(screen: Screen) -> tuple[int, int]:
    """The number of words for which B has lost an answer that A has right, and the number of words for which A has a
    right one; as the pictures show when each word asks."""
    asking = losing = 0
    for query in range(len(screen.run.labels["query"])):
        asked = replace(screen, parameters={**screen.parameters, "cell": f"weights.{query}.0.arcs"})
        drawn = [card["arcs"] for block in VIEWS["compare.arcs"].blocks(asked) for card in block.get("cards", ())]
        a, b = ([one == "right" for one in arcs.get("scored", ())] for arcs in drawn)
        asking += any(a)
        losing += any(was and not now for was, now in zip(a, b, strict=True))
    return losing, asking


@claim("compare.pays", "compare.arcs", {"positions": "none"}, {"updates": "80"}, {"dropout": 0.6})
def _(screen: Screen, values: Values) -> bool:
    return (number(values["count"]), number(values["asking"])) == _paying(screen)


@claim("compare.pays_one", "compare.arcs", {"heads": 2})
def _(screen: Screen, values: Values) -> bool:
    return (1, number(values["asking"])) == _paying(screen)


@claim("compare.colours", "compare.arcs", {"heads": 1}, {"heads": 2}, {"heads": 3})
def _(screen: Screen, values: Values) -> bool:
    """In the data of the picture, a head of B has the colour of a head of A that answers with the same word."""
    above, below = (card["arcs"] for block in VIEWS["compare.arcs"].blocks(screen) for card in block.get("cards", ()))
    places = [
        (colour, [place for place, one in enumerate(above["asks"]) if one["answer"] == own["answer"]])
        for colour, own in zip(below["colours"], below["asks"], strict=True)
        if own["answer"] >= 0
    ]
    return any(of_a for _, of_a in places) and all(colour in of_a for colour, of_a in places if of_a)


@claim("compare.b_several", "compare.instead", {"mask": "causal", "heads": 2}, {"dropout": 0.3, "scale": "none"})
def _(screen: Screen, values: Values) -> bool:
    """At least as many controls differ as the sentence counts: some of them have no effect."""
    both = sides(screen)
    a, b = both.a.config.values(), both.b.config.values()
    return 1 < number(values["count"]) <= sum(a[name] != b[name] for name in a)


@claim("compare.by_chance", "compare.arcs", {"mask": "causal"}, {"dropout": 0.85})
def _(screen: Screen, values: Values) -> bool:
    """In the data of the picture, no head of B gives the word a weight that two digits would show."""
    (_, below) = (card["arcs"] for block in VIEWS["compare.arcs"].blocks(screen) for card in block.get("cards", ()))
    place = below["tokens"].index(values["said"])
    return all(one["weights"][place] < 0.005 for one in below["asks"])


@claim("compare.made.same", "compare.changing", {"mask": "causal"}, {"positions": "none"}, {"dropout": 0.6})
@claim("compare.made.earlier", "compare.changing", {"updates": "80"})
@claim("compare.made.later", "compare.changing", {"pinned": Config(updates="80").bundled()})
def _(screen: Screen, values: Values) -> bool:
    """Both sides have the same weights exactly if they have the same number of updates."""
    both = sides(screen)
    a, b = (int(run.config.updates) for run in (both.a, both.b))
    is_same = torch.equal(*(run.trace["w_q"].value for run in (both.a, both.b)))
    said = VIEWS["compare.changing"].blocks(screen)[-1]["markdown"]
    word = "same" if is_same else "earlier" if b < a else "later"
    return (is_same == (a == b)) and said == catalogue(screen.language)[f"compare.made.{word}"]
