"""Claims about shared keys and latents."""

from dataclasses import replace
from functools import cache

from attention import Trace
from attention.analysis.shared_keys import share_keys
from attention.cache import PUBLISHED, cached_bytes
from attention.experiments import learning
from attention.experiments.shared_keys import trained_on
from attention.inputs.grammar import EXAMPLE, read
from attention.inputs.learned import Setting, shipped
from attention.inputs.shared_keys import UPDATES
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys
from tests.support.claims.claim import Values, claim, near, number


@claim("fewer.latent.joined_note", "fewer_keys.latent", {"d_c": 16}, {"d_c": 6})
def _(screen: Screen, values: Values) -> bool:
    """The matrix is a product with d_c columns, from tokens with 16 features."""
    most = number(values["most"])
    return number(values["rank"]) == min(screen.own(FewerKeys).d_c, most) and most == 16


@claim("fewer.cache_note", "fewer_keys.models")
def _(screen: Screen, values: Values) -> bool:
    """The share is in eighths of what eight separate heads would need."""
    saved = {one.name: one.unshared() / one.bytes() for one in PUBLISHED}
    best = {name for name, times in saved.items() if round(times) == round(max(saved.values()))}
    separator = {"en": ", ", "zh": "，"}[screen.language]
    return {*values["models"].split(separator)} == best and near(values["times"], max(saved.values()))


@claim("fewer.reads_note", "fewer_keys.readers", {"kv_of_8": "4"}, {"kv_of_8": "1"})
def _(screen: Screen, values: Values) -> bool:
    """The cache holds a key and a value of each key head; the layer is averaged and trained on here."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    of_all, of_these = (cached_bytes(1, count, 4) for count in (8, kv_heads))
    share, later = _answered(kv_heads, UPDATES)
    told = abs(number(values["averaged"]) - 100 * share) < 0.6 and abs(number(values["later"]) - 100 * later) < 0.5
    return told and number(values["times"]) == 8 / kv_heads == of_all / of_these and values["updates"] == str(UPDATES)


@claim("fewer.stage.not_shared", "fewer_keys.readers", {"kv_of_8": "8"})
@claim("fewer.stage.not_trained", "fewer_keys.readers", {"kv_of_8": "8"})
@claim("fewer.reads_all", "fewer_keys.readers", {"kv_of_8": "8"})
def _(screen: Screen, values: Values) -> bool:
    return screen.own(FewerKeys).kv_of_8 == values.get("heads", "8") == "8"


@claim("fewer.takes_unasked", "fewer_keys.readers", {"asks": 1})
def _(screen: Screen, values: Values) -> bool:
    """For no question of the verb does the head give the right word half of its weight, here and on test sentences."""
    head, layer, sentence = screen.own(FewerKeys).asks - 1, shipped(Setting(heads=8)), read(EXAMPLE.split())
    trace = Trace()
    layer.module(layer.prepared((sentence,)).inputs.x, trace=trace)
    weights, by_head = trace["weights"].value[0, head, sentence.verb], learning.measure(layer).by_head
    earned = [
        min(float(weights[asked.target]), by_head[asked.question][head])
        for asked in sentence.asked
        if asked.place == sentence.verb
    ]
    return values["head"] == str(head + 1) and max(earned) < 0.5


@cache
def _answered(kv_heads: int, updates: int) -> tuple[float, float]:
    whole = shipped(Setting(heads=8))
    shared = replace(whole, module=share_keys(whole.module, kv_heads))
    return learning.measure(shared).mean, learning.measure(trained_on(kv_heads, updates)).mean
