"""What sentences of the catalogue claim, each as a function of the screen that it stands on.

A claim gets the screen and what stands in the places of the sentence, as texts, and says whether the sentence is true
there. It computes anew what it can: from the record of the run, or by a formula of its own.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import torch

from attention.analysis.moved_positions import scores
from attention.analysis.rerun import rerun
from attention.analysis.shared_keys import share_keys
from attention.cache import PUBLISHED, cached_bytes
from attention.comparisons.cap_after_mask import cap_after_mask
from attention.experiments import learning
from attention.figures import matrix
from attention.inputs.learned import Setting, shipped
from pages.shell.i18n import catalogue
from pages.shell.runs import learned
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Heads
from pages.shell.state.todays_controls import TRAINED, Costs, FewerKeys, Positions, Taming, Tiles
from pages.shell.views import VIEWS, NotYetError
from pages.shell.views.backward import target
from tests.support.numbers import plain

Values = Mapping[str, str]


@dataclass(frozen=True)
class Claim:
    """view: where the sentence is said; screens: links on which it is said at least once, beside those at random."""

    view: str
    holds: Callable[[Screen, Values], bool]
    screens: tuple[dict[str, Any], ...] = ({},)


CLAIMS: dict[str, Claim] = {}


def claim(id: str, view: str, *screens: dict[str, Any]) -> Callable[[Callable[[Screen, Values], bool]], Any]:
    def keep(holds: Callable[[Screen, Values], bool]) -> Callable[[Screen, Values], bool]:
        CLAIMS[id] = Claim(view, holds, screens or ({},))
        return holds

    return keep


def spoken(screen: Screen, view: str) -> list[str]:
    """Every text that a view of a screen sends; none of one that waits for a task."""
    try:
        return list(_strings(VIEWS[view].blocks(screen)))
    except NotYetError:
        return []


def said(id: str, screen: Screen, texts: list[str]) -> list[dict[str, str]]:
    """What stands in the places of a sentence, once for each time that a screen says it.

    What is said of a step stands under its figure, wherever the run has the step."""
    table, _, name = id.partition(".")
    if table == "step":
        return [{}] if name.partition(".")[0] in screen.run.trace else []
    return filled(id, screen.language, texts)


def filled(id: str, language: str, texts: list[str]) -> list[dict[str, str]]:
    """Where texts say a sentence of the catalogue: what stands in its places, once for each time."""
    parts = re.split(r"\{\{(\w+)\}\}", catalogue(language)[id])
    wanted, seen = "", set()
    for at, part in enumerate(parts):
        # A place that occurs again holds the same.
        # The point of a number does not end it.
        plain = re.sub(r"^(\\\.|,)", r"\1(?!\\d)", re.escape(part))
        wanted += plain if at % 2 == 0 else f"(?P={part})" if part in seen else f"(?P<{part}>.+?)"
        seen |= {part} if at % 2 else set()
    pattern = re.compile(wanted + ("$" if parts[-1] == "" else ""))
    return [found.groupdict() for text in texts if (found := pattern.search(text))]


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for one in part.values():
            yield from _strings(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _strings(one)


def number(text: str) -> float:
    """With its sign."""
    return float(plain(text).replace(",", ""))


def near(text: str, value: float) -> bool:
    """Whether a text is a number as it is printed, to its last digit or to the third."""
    return math.isclose(number(text), value, rel_tol=6e-3, abs_tol=6e-3)


def visible(screen: Screen, trace: Any, id: str) -> torch.Tensor:
    """A step of the shown head over the pairs that the mask allows."""
    run = screen.run
    z = matrix(trace[id], **run.where).double()
    return z[matrix(run.trace["mask"], **run.where)] if "mask" in run.trace else z.flatten()


def whole_rows(screen: Screen, trace: Any) -> torch.Tensor:
    """The weights of the queries that see all keys."""
    run = screen.run
    weights = matrix(trace["weights"], **run.where).double()
    return weights[matrix(run.trace["mask"], **run.where).all(-1)]


# The layer that learned a grammar.


@claim("learned.all_right", "walkthrough.learned_scores", {}, {"heads": 1, "d_k": 4}, {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    found = learned.tested(screen.run.config, screen.run.module)
    assert found is not None
    shares = found.scores.accuracy
    return near(values["score"], float(np.mean(shares))) and number(values["kinds"]) == len(shares)


@claim("learned.short", "walkthrough.learned_scores", {"heads": 1, "d_k": 4})
def _(screen: Screen, values: Values) -> bool:
    return number(values["share"].split()[-1]) < 0.9


@claim("mask.own_layers", "masks.layers", {"trained": True})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.config.trained and bool(values["masks"])


# Gradients.


@claim("backward.depends", "backward.target", {}, {"goal_at": "output.4.0", "mask": "full"})
def _(screen: Screen, values: Values) -> bool:
    made = target.found(screen)
    own = made.target.id if target.goal(screen).kind == "cell" else ""
    left = [int(step.value.ne(0).sum()) for id, step in made.gradients.items() if id != own]
    return number(values["numbers"]) == sum(left) and number(values["steps"]) == sum(count > 0 for count in left)


@claim(
    "backward.pairs.softmax",
    "backward.pairs",
    {},
    {"mask": "causal"},
    {"dropout": 0.5},
    {"preset": "random", "sink": 0},
)
def _(screen: Screen, values: Values) -> bool:
    weight, upstream, mean, score = (number(values[name]) for name in ("weight", "upstream", "mean", "score"))
    return abs(weight * (upstream - mean) - score) <= 0.006 * (weight * (abs(upstream) + abs(mean)) + abs(score))


@claim("backward.pairs.by_value", "backward.pairs", {})
def _(screen: Screen, values: Values) -> bool:
    run, made = screen.run, target.found(screen)
    of_output, found = (matrix(made.gradients[id], **run.where).double() for id in ("output", "weights"))
    kept = "values_joined" if "values_joined" in run.trace else "values"
    return torch.allclose(of_output @ run.matrix(kept).double().mT, found, rtol=1e-4, atol=1e-5)


@claim(
    "backward.scaled.values_stay",
    "backward.backward-scaled",
    {},
    {"mask": "causal"},
    {"preset": "random", "scale": "none"},
)
def _(screen: Screen, values: Values) -> bool:
    """The chart differentiates one number of the output: |dO| is 1."""
    (told,) = filled("backward.scaled.said", screen.language, spoken(screen, "backward.backward-scaled"))
    least = screen.run.trace.sizes["key"] ** -0.5
    return "sink" not in screen.run.trace and number(told["last_values"]) >= 0.99 * least


# Rotary positions: angles b^(-2p / d) from the paper, for 64 pairs.


def _angles(base: float) -> np.ndarray:
    return base ** (-np.arange(64) / 64)


def _slowest(screen: Screen) -> float:
    return float(_angles(float(screen.own(Positions).pos_base))[-1])


@claim("positions.circles_note", "positions.turning", {}, {"pos_query": 2, "pos_key": 60}, {"pos_base": "100"})
def _(screen: Screen, values: Values) -> bool:
    """The score of the two words, and of both seven places on."""
    chosen = screen.own(Positions)
    at = (torch.tensor([place, place + 7]) for place in (chosen.pos_query, chosen.pos_key))
    here, moved = scores("rotary", *at, torch.Generator().manual_seed(7), base=float(chosen.pos_base)).tolist()
    apart = chosen.pos_query - chosen.pos_key
    return number(values["distance"]) == apart and near(values["score"], here) and abs(here - moved) < 1e-9


@claim("positions.waves_new", "positions.waves")
def _(screen: Screen, values: Values) -> bool:
    return near(values["later"], (2 * TRAINED - 1) * _slowest(screen)) and number(values["later"]) < 2 * math.pi


@claim("positions.waves_some", "positions.waves", {"pos_base": "1000"})
def _(screen: Screen, values: Values) -> bool:
    angle = (TRAINED - 1) * _slowest(screen)
    return near(values["angle"], angle) and angle < 2 * math.pi <= (2 * TRAINED - 1) * _slowest(screen)


@claim("positions.waves_none", "positions.waves", {"pos_base": "100"})
def _(screen: Screen, values: Values) -> bool:
    return bool(((TRAINED - 1) * _angles(float(screen.own(Positions).pos_base)) >= 2 * math.pi).all())


@claim("positions.beyond_ntk", "positions.stretched", {}, {"pos_base": "500000", "pos_factor": "32"})
def _(screen: Screen, values: Values) -> bool:
    chosen = screen.own(Positions)
    base, factor = float(chosen.pos_base), float(chosen.pos_factor)
    plain, wide = _angles(base), _angles(base * factor ** (128 / 126))
    open_ = (TRAINED - 1) * plain < 2 * math.pi
    return near(values["ratio"], float((factor * TRAINED * wide / (TRAINED * plain))[open_].max()))


@claim("positions.wrong", "positions.wrong")
def _(screen: Screen, values: Values) -> bool:
    curve = np.cos(np.arange(int(number(values["steps"])) + 1)[:, None] * _angles(1e4)).sum(-1)
    return number(values["rises"]) == int((np.diff(curve) > 0).sum())


# What a layer costs.


@claim("costs.sheet.note", "costs.sheet", {}, {"cost_model": "llama3", "cost_n": "65536"}, {"cost_model": "own"})
def _(screen: Screen, values: Values) -> bool:
    """Per token: 2 n h (d_k + d_v) of the pairs; of the rest the multiplications with all weights, counted twice."""
    chosen, own = screen.own(Costs), screen.run.module
    n = int(chosen.cost_n)
    width, rest = {
        "gpt2": (12 * 128, 4 * 768 * 768 + 8 * 768 * 768),
        "llama3": (32 * 256, 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336),
        "own": (
            own.heads * (own.d_k + own.d_v),
            own.d_model * (2 * own.heads * (own.d_k + own.d_v) + 8 * own.d_model),
        ),
    }[chosen.cost_model]
    part = n * width / (n * width + rest)
    return number(values["n"]) == n and math.isclose(number(values["share"].rstrip("%")) / 100, part, abs_tol=0.006)


# What tames scores.


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
    """A score of 3 among scores of -2."""
    ends = ((values["first"], values["fewest"]), (values["last"], values["most"]))
    shares = [(number(share), 1 / (1 + (number(n) - 1) * math.exp(-5))) for share, n in ends]
    return all(math.isclose(share, wanted, rel_tol=0.02) for share, wanted in shares)


# Captions of the steps.


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
    """The gains of the screens are 1, or stand beside the sentence as a step of their own."""
    run = screen.run
    if "g_k" in run.trace and not all((run.trace[id].value == 1).all() for id in ("g_q", "g_k")):
        return True
    return bool((run.matrix("scores").double() * run.module.d_k**-0.5 <= run.module.d_k**0.5 * 1.001).all())


@claim("step.b_k.text", "walkthrough.biases", {"preset": "random", "bias": True})
def _(screen: Screen, values: Values) -> bool:
    """The same number for every key leaves the weights; where the sentence names a reason, they may change."""
    run = screen.run
    if {"queries_rotated", "queries_normed", "softcapped", "sink"} & {*run.trace}:
        return True
    keys = "keys_joined" if "keys_joined" in run.trace else "keys"
    q, k = (run.matrix(id).double() for id in ("queries", keys))
    b = matrix(run.trace["b_k"], **run.where).double().flatten()
    made = ((q @ k.mT).softmax(-1) - (q @ (k - b).mT).softmax(-1)).abs().max()
    return float(made) < 1e-9


# Several heads.


@claim("heads.now", "heads.parameters", {}, {"heads": 8, "fixed_d_k": True})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(one.numel() for one in screen.run.module.parameters())


@claim("heads.try", "heads.parameters", {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """As it says: the switch is turned on, then the number of heads is another."""
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


@claim("what_if.gauge.merged", "experiments.gauge", {}, {"heads": 8})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) > number(values["two"])


@claim("what_if.gauge.no_price", "experiments.gauge", {"heads": 2}, {"heads": 1})
def _(screen: Screen, values: Values) -> bool:
    return number(values["one"]) <= number(values["two"])


# Backward.


def _moved(screen: Screen, values: Values, sign: int) -> bool:
    """That a tenth of the gradient is what a tenth of weight changes: tests/pages/test_flow.py."""
    found = target.found(screen)
    run = screen.run
    slopes = found.gradients["weights"].of(batch=run.sentence, head=int(values["head"]) - 1)
    keys = [at for at, word in enumerate(run.labels["key"]) if word == values["key"]]
    return near(values["number"], found.number) and any(
        near(values["by"], float(one) * sign / 10) for one in slopes[:, keys].flatten()
    )


@claim("backward.flow_said.raises", "backward.flow", {"goal_at": "projected.0.6"})
def _(screen: Screen, values: Values) -> bool:
    return _moved(screen, values, 1)


@claim("backward.flow_said.lowers", "backward.flow", {}, {"goal_at": "projected.4.11"})
def _(screen: Screen, values: Values) -> bool:
    return _moved(screen, values, -1)


@claim("backward.flow.none", "backward.flow", {"goal_at": "queries.4.1"}, {"goal_at": "w_q.3.1"})
def _(screen: Screen, values: Values) -> bool:
    """Of the weights that are drawn, from a tenth, none has a gradient."""
    made, run = target.found(screen), screen.run
    step = made.target.id if hasattr(made.target, "id") else "projected"
    row = getattr(made.target, "row", 0)
    if "weights" not in made.gradients:
        return near(values["number"], made.number)
    slopes, weights = (of["weights"].value[run.sentence] for of in (made.gradients, run.trace))
    query = row if run.trace[step].axes[-2:-1] == ("query",) else run.focus
    return near(values["number"], made.number) and not slopes[:, query][weights[:, query] >= 0.1].any()


# Dropout.


@claim("dropping.arcs_inference", "dropout.arcs", {"mode": "inference"}, {"mode": "inference", "preset": "story"})
def _(screen: Screen, values: Values) -> bool:
    """What acts are the weights themselves."""
    run = screen.run
    return "kept" not in run.trace and any(
        near(values["weight"], one) for one in run.matrix("weights").flatten().tolist()
    )


@claim("dropping.sums_short", "dropout.sums", {"dropout": 0.5}, {"preset": "random", "mask": "window", "width": 1})
def _(screen: Screen, values: Values) -> bool:
    """A weight beside a dropped one is what it is in another draw in which it is kept: divided by 1 - p."""
    run = screen.run
    weights, dropped = (run.matrix(id).double() for id in ("weights", "dropped"))
    kept = torch.where(run.matrix("kept").bool(), weights / (1 - run.config.dropout), 0)
    seen = int((weights.sum(-1) > 0).sum())
    above = int((dropped.sum(-1) > 1 + 1e-6).sum())
    return torch.allclose(dropped, kept, atol=1e-6) and number(values["above"]) == above <= seen == number(
        values["rows"]
    )


@claim("dropping.arcs_dropped", "dropout.arcs", {}, {"dropout": 0.9, "preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """What is not kept is 0."""
    run = screen.run
    return bool((run.trace["dropped"].value[~run.trace["kept"].value] == 0).all())


# Tiles, and the cache.


@claim("tiles.memory.note", "tiles.memory", {}, {"tile_queries": 16, "tile_keys": 16})
def _(screen: Screen, values: Values) -> bool:
    queries, keys = (len(screen.run.labels[axis]) for axis in ("query", "key"))
    chosen = screen.own(Tiles)
    tile = 4 * min(chosen.tile_queries, queries) * min(chosen.tile_keys, keys)
    return _bytes(values["here"]) >= 0.99 * _bytes(values["ours"]) and math.isclose(
        _bytes(values["ours"]), tile, rel_tol=6e-3
    )


def _bytes(text: str) -> float:
    amount, unit = text.rsplit(" ", 1)
    return number(amount) * 1024.0 ** ("B", "KiB", "MiB", "GiB").index(unit)


@claim("tiles.field.wrong", "tiles.field")
def _(screen: Screen, values: Values) -> bool:
    (model,) = (one for one in PUBLISHED if one.name == values["model"])
    every_layer = model.windowed == model.layers == number(values["layers"])
    return every_layer and number(values["reach"]) == model.layers * (model.window - 1) + 1


@claim("fewer.latent.joined_note", "fewer_keys.latent", {"d_c": 16}, {"d_c": 6})
def _(screen: Screen, values: Values) -> bool:
    """A product of d_c columns, of tokens with 16 features."""
    most = number(values["most"])
    return number(values["rank"]) == min(screen.own(FewerKeys).d_c, most) and most == 16


@claim("fewer.reads_note", "fewer_keys.readers", {"kv_of_8": "4"}, {"kv_of_8": "1"})
def _(screen: Screen, values: Values) -> bool:
    """The cache holds a key and a value of each key head; the answers are those of the layer that was averaged."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    of_all, of_these = (cached_bytes(1, count, 4) for count in (8, kv_heads))
    right = _answered(kv_heads)
    sizes = number(values["kv_heads"]) == kv_heads and number(values["heads"]) == 8
    return sizes and number(values["times"]) == of_all / of_these and near(values["share"], right)


@claim("fewer.reads_all", "fewer_keys.readers", {"kv_of_8": "8"})
def _(screen: Screen, values: Values) -> bool:
    return screen.own(FewerKeys).kv_of_8 == values["heads"] == "8" and near(values["share"], _answered(8))


@cache
def _answered(kv_heads: int) -> float:
    whole = shipped(Setting(heads=8))
    return learning.measure(replace(whole, module=share_keys(whole.module, kv_heads))).mean


@claim("fewer.cache_note", "fewer_keys.models")
def _(screen: Screen, values: Values) -> bool:
    """In eighths of what each query head would need for itself."""
    saved = {one.name: one.unshared() / one.bytes() for one in PUBLISHED}
    best = {name for name, times in saved.items() if round(times) == round(max(saved.values()))}
    separator = {"en": ", ", "zh": "，"}[screen.language]
    return {*values["models"].split(separator)} == best and near(values["times"], max(saved.values()))
