"""Claims about shared keys and latents."""

from dataclasses import replace
from functools import cache

import torch
from torch import Tensor

from attention import Trace
from attention.analysis.shared_keys import share_keys
from attention.cache import PUBLISHED, cached_bytes
from attention.experiments import learning
from attention.inputs.grammar import ANSWERS, Sentence, answers, read
from attention.inputs.learned import Learned, Setting, shipped
from attention.inputs.shared_keys import SENTENCES, UPDATES
from attention.inputs.shared_keys import shipped as trained_on
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
    """The named models save most, to the shown digits."""
    latent = {"en": " · latent", "zh": " · 潜向量"}[screen.language]
    saved = {one.name + latent * bool(one.latent): one.unshared() / one.bytes() for one in PUBLISHED}
    best = {name for name, times in saved.items() if round(times) == round(max(saved.values()))}
    separator = {"en": ", ", "zh": "，"}[screen.language]
    return {*values["models"].split(separator)} == best and near(values["times"], max(saved.values()))


@claim("fewer.reads_note", "fewer_keys.repair", {"kv_of_8": "4"}, {"kv_of_8": "1", "kv_sentence": "dog"})
def _(screen: Screen, values: Values) -> bool:
    """The cache holds a key and a value of each key head. The averaged layer is measured here."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    of_all, of_these = (cached_bytes(1, count, 4) for count in (8, kv_heads))
    told = abs(number(values["averaged"]) - 100 * learning.measure(_averaged(kv_heads)).mean) < 0.06
    here = values["right"] == str(_right_here(_averaged(kv_heads), screen)) and values["all"] == "3"
    trained = (values["updates"], values["first"]) == (str(UPDATES), str(Setting().steps))
    return told and here and trained and number(values["times"]) == 8 / kv_heads == of_all / of_these


@claim("fewer.trade_note", "fewer_keys.trade", {"kv_of_8": "8"}, {"kv_of_8": "2"})
def _(screen: Screen, values: Values) -> bool:
    """On every screen, both layers of one key head are measured."""
    layers = (_averaged(1), trained_on(1, UPDATES))
    told = [
        abs(number(values[name]) - 100 * learning.measure(layer).mean) < 0.06
        for name, layer in zip(("averaged", "trained"), layers, strict=True)
    ]
    return all(told) and number(values["cache"]) == 100 * cached_bytes(1, 1, 4) / cached_bytes(1, 8, 4)


@claim("fewer.own", "fewer_keys.readers", {"kv_of_8": "8"})
@claim("fewer.nothing_shared", "fewer_keys.training", {"kv_of_8": "8", "kv_trained": "55"})
def _(screen: Screen, values: Values) -> bool:
    return screen.own(FewerKeys).kv_of_8 == "8"


@claim("fewer.saved", "fewer_keys.readers", {"kv_of_8": "4"}, {"kv_of_8": "1", "kv_trained": "35"})
def _(screen: Screen, values: Values) -> bool:
    """The ratio of the cached keys and values, which depend on the number of key heads."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    return number(values["times"]) == cached_bytes(1, 8, 4) / cached_bytes(1, kv_heads, 4)


@claim("fewer.after", "fewer_keys.training", {"kv_of_8": "2", "kv_trained": "100"})
def _(screen: Screen, values: Values) -> bool:
    """Queries, keys and values all differ from those of the averaged layer."""
    chosen, sentence = screen.own(FewerKeys), _sentence(screen)
    now, averages = (_three(_layer(int(chosen.kv_of_8), at), sentence) for at in (int(chosen.kv_trained), 0))
    changed = not any(torch.allclose(one, other) for one, other in zip(now, averages, strict=True))
    return chosen.kv_of_8 != "8" and "0" != values["updates"] == chosen.kv_trained and changed


def _three(layer: Learned, sentence: Sentence) -> list[Tensor]:
    trace = Trace()
    layer.module(layer.prepared((sentence,)).inputs.x, trace=trace)
    return [trace[id].value for id in ("queries", "keys", "values")]


@claim("fewer.still_right", "fewer_keys.readers", {"kv_sentence": "dog"}, {"kv_of_8": "1", "kv_trained": "35"})
def _(screen: Screen, values: Values) -> bool:
    """The chosen layer is measured."""
    chosen = screen.own(FewerKeys)
    layer = _layer(int(chosen.kv_of_8), int(chosen.kv_trained))
    told = abs(number(values["share"]) - 100 * learning.measure(layer).mean) < 0.06
    return (
        told
        and values["right"] == str(_right_here(layer, screen))
        and (values["all"], values["sentences"]) == ("3", "500")
    )


@claim(
    "fewer.almost_as_well",
    "fewer_keys.readers",
    {"kv_of_8": "4", "kv_trained": "65"},
    {"kv_of_8": "1", "kv_trained": "100"},
)
def _(screen: Screen, values: Values) -> bool:
    """The layer loses fewer than two of a hundred questions of the test sentences."""
    return _lost(screen, values) < 2


@claim(
    "fewer.less_well",
    "fewer_keys.readers",
    {"kv_of_8": "4"},
    {"kv_of_8": "1", "kv_trained": "90"},
    {"kv_of_8": "2", "kv_trained": "70"},
)
def _(screen: Screen, values: Values) -> bool:
    return _lost(screen, values) >= 2


def _lost(screen: Screen, values: Values) -> float:
    """The answers that sharing loses, of a hundred questions of the test sentences."""
    chosen = screen.own(FewerKeys)
    before, now = (
        100 * learning.measure(layer).mean
        for layer in (shipped(Setting(heads=8)), _layer(int(chosen.kv_of_8), int(chosen.kv_trained)))
    )
    assert abs(number(values["before"]) - before) < 0.06
    return before - now


@claim("fewer.lucky", "fewer_keys.repair", {"kv_of_8": "1"})
def _(screen: Screen, values: Values) -> bool:
    """The share of right answers here is more than twice that of the test questions."""
    averaged = _averaged(int(screen.own(FewerKeys).kv_of_8))
    return _right_here(averaged, screen) / 3 > 2 * learning.measure(averaged).mean


@claim("fewer.stage.later", "fewer_keys.repair", {"kv_of_8": "4"})
def _(screen: Screen, values: Values) -> bool:
    """The layer has this share of right answers after so many updates, and not yet five updates before."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    until = int(values["updates"])
    before, after = (learning.measure(_layer(kv_heads, updates)).mean for updates in (until - 5, until))
    return after >= number(values["share"]) / 100 > before


@claim("fewer.stage.not_shared", "fewer_keys.repair", {"kv_of_8": "8"})
@claim("fewer.stage.not_trained", "fewer_keys.repair", {"kv_of_8": "8"})
@claim("fewer.reads_all", "fewer_keys.repair", {"kv_of_8": "8"})
def _(screen: Screen, values: Values) -> bool:
    return screen.own(FewerKeys).kv_of_8 == values.get("heads", "8") == "8"


@claim("fewer.takes_most", "fewer_keys.readers", {"kv_of_8": "4"}, {"kv_of_8": "1", "kv_trained": "35"})
def _(screen: Screen, values: Values) -> bool:
    """The head is not pale: it has a question, and at least half of its weight is on one word."""
    return (
        _takes(screen, values)
        and bool(_questions(_sentence(screen))[int(values["head"]) - 1])
        and number(values["share"]) >= 50
    )


@claim("fewer.takes_shared", "fewer_keys.readers", {"kv_of_8": "1"}, {"kv_of_8": "1", "kv_trained": "20"})
def _(screen: Screen, values: Values) -> bool:
    """The right word of the head's question has its largest weight, and the layer answers with another word. The value
    there is that of a key head which other query heads read, too."""
    sentence, head = _sentence(screen), int(values["head"]) - 1
    chosen = screen.own(FewerKeys)
    (number_of,) = _questions(sentence)[head]
    (target,) = [one.target for one in sentence.asked if (one.place, one.question) == (sentence.verb, number_of)]
    layer = _layer(int(chosen.kv_of_8), int(chosen.kv_trained))
    said = _said(layer, layer.module(layer.prepared((sentence,)).inputs.x)[0, sentence.verb])[number_of]
    return (
        _takes(screen, values)
        and sentence.words[target] == values["word"] != said == values["said"]
        and int(values["heads"]) == 8 // int(chosen.kv_of_8) > 1
    )


@claim(
    "fewer.takes_lost",
    "fewer_keys.readers",
    {"kv_of_8": "2", "kv_trained": "70"},
)
def _(screen: Screen, values: Values) -> bool:
    """The head had a question before sharing. The right word gets less than half of its weight here."""
    sentence, head = _sentence(screen), int(values["head"]) - 1
    (number_of,) = _questions(sentence)[head]
    (target,) = [one.target for one in sentence.asked if (one.place, one.question) == (sentence.verb, number_of)]
    return _takes(screen, values) and float(_weights(screen, head)[target]) < 0.5


@claim(
    "fewer.takes_halves",
    "fewer_keys.readers",
    {"kv_of_8": "4", "kv_sentence": "dog"},
    {"kv_of_8": "2", "kv_trained": "5"},
)
def _(screen: Screen, values: Values) -> bool:
    """The head's two largest weights are halves, up to a twentieth."""
    shares, places = _weights(screen, int(values["head"]) - 1).topk(2)
    words = {_sentence(screen).words[int(place)] for place in places}
    return words == {values["first"], values["other"]} and bool((shares - 0.5).abs().max() <= 0.0501)


@claim("fewer.unseen", "fewer_keys.readers", {"kv_of_8": "4", "kv_sentence": "dog"}, {"kv_of_8": "2"})
def _(screen: Screen, values: Values) -> bool:
    """The answers are no words of the sentence. With the values of all heads instead of averages, the averaged layer
    would answer otherwise."""
    sentence, whole = _sentence(screen), shipped(Setting(heads=8))
    shared = _averaged(int(screen.own(FewerKeys).kv_of_8))
    of, own = Trace(), Trace()
    x = shared.prepared((sentence,)).inputs.x
    said = _said(shared, shared.module(x, trace=of)[0, sentence.verb])
    whole.module(x, trace=own)
    mixed = (of["weights"].value[0, :, sentence.verb, None] @ own["values"].value[0]).flatten()
    unaveraged = _said(shared, mixed @ shared.module.w_o)
    unseen = [at for at, word in enumerate(said) if word not in sentence.words]
    named = {f"“{said[at]}”" for at in unseen}
    separator = {"en": ", ", "zh": "，"}[screen.language]
    return {*values["words"].split(separator)} == named and all(said[at] != unaveraged[at] for at in unseen)


def _said(layer: Learned, output: Tensor) -> list[str]:
    return [ANSWERS[at][int(row[: len(ANSWERS[at])].argmax())] for at, row in enumerate(layer.logits(output)[:3])]


@claim("fewer.takes_other", "fewer_keys.readers", {"kv_of_8": "4"}, {"kv_of_8": "1", "kv_sentence": "dog"})
def _(screen: Screen, values: Values) -> bool:
    """The head has no question."""
    return _takes(screen, values) and not _questions(_sentence(screen))[int(values["head"]) - 1]


@claim("fewer.mixed", "fewer_keys.readers")
def _(screen: Screen, values: Values) -> bool:
    """Some head gives half of its weight to no right word of the verb's questions, both here and on test sentences."""
    return not all(_questions(_sentence(screen)))


def _questions(sentence: Sentence) -> list[list[int]]:
    """For each head, the questions whose right word gets half of its weight, both here and on test sentences."""
    layer = shipped(Setting(heads=8))
    trace = Trace()
    layer.module(layer.prepared((sentence,)).inputs.x, trace=trace)
    weights, by_head = trace["weights"].value[0, :, sentence.verb], learning.measure(layer).by_head
    asked = [one for one in sentence.asked if one.place == sentence.verb]
    return [
        [one.question for one in asked if min(float(weights[head, one.target]), by_head[one.question][head]) >= 0.5]
        for head in range(8)
    ]


def _takes(screen: Screen, values: Values) -> bool:
    """Whether the word with a head's largest weight and that weight are as named, from the queries and keys of the
    chosen layer."""
    share, word = _weights(screen, int(values["head"]) - 1).max(-1)
    return (
        values["word"] == _sentence(screen).words[int(word)] and abs(number(values["share"]) - 100 * float(share)) < 0.6
    )


def _weights(screen: Screen, head: int) -> Tensor:
    """The weights of a query head for the verb."""
    chosen, sentence = screen.own(FewerKeys), _sentence(screen)
    kv_heads = int(chosen.kv_of_8)
    layer = _layer(kv_heads, int(chosen.kv_trained))
    trace = Trace()
    layer.module(layer.prepared((sentence,)).inputs.x, trace=trace)
    q, k = trace["queries"].value[0, head, sentence.verb], trace["keys"].value[0, head * kv_heads // 8]
    return (k @ q / len(q) ** 0.5).softmax(-1)


@cache
def _averaged(kv_heads: int) -> Learned:
    whole = shipped(Setting(heads=8))
    return replace(whole, module=share_keys(whole.module, kv_heads))


def _layer(kv_heads: int, updates: int) -> Learned:
    """The layer with so many key heads. With eight of them it is never trained further."""
    return trained_on(kv_heads, updates) if updates and kv_heads < 8 else _averaged(kv_heads)


def _sentence(screen: Screen) -> Sentence:
    return read(SENTENCES[screen.own(FewerKeys).kv_sentence].split())


def _right_here(layer: Learned, screen: Screen) -> int:
    """How many of the three questions of the verb the layer answers rightly in the sentence."""
    sentence = _sentence(screen)
    logits = layer.logits(layer.module(layer.prepared((sentence,)).inputs.x))[0, sentence.verb, :3]
    return int((logits.argmax(-1) == answers(sentence)[sentence.verb, :3]).sum())


@claim("fewer.matters", "fewer_keys.matters")
def _(screen: Screen, values: Values) -> bool:
    """Two bytes for each number of a key and a value, in each layer and key head."""
    (model,) = (one for one in PUBLISHED if one.name == values["model"])
    sizes = [2 * 2 * model.layers * heads * model.d_k * number(values["n"]) for heads in (model.kv_heads, model.heads)]
    told = [number(values[name].removesuffix(" GiB")) for name in ("now", "unshared")]
    return all(near(str(said), size / 2**30) for said, size in zip(told, sizes, strict=True))
