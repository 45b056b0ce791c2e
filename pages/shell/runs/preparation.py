"""Inputs and weights for a configuration, within the limits of the app, with notes of what was adjusted."""

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

import torch

from attention.inputs.presets import PRESETS, STORY, Prepared, story
from attention.inputs.random_weights import random_layer
from attention.inputs.tokens import Inputs, divided, embed, position_vectors, tokenize
from attention.positions import sinusoidal
from pages.shell.i18n import say
from pages.shell.runs import brought, learned, translating, variants
from pages.shell.runs.memo import Memo
from pages.shell.state.config import AUTO, LEARNED, LONGEST, RANDOM, SENTENCES, TOKENS, Config

Sentences = tuple[tuple[str, ...], ...]
# Bytes of random layers and their inputs: room for thousands of the usual sizes, or for six with d_model 512.
_REMEMBERED = 32_000_000


class Layer(NamedTuple):
    """A layer of random weights, as `random_layer` takes it. sink: the logit of every head, or "off"."""

    d_model: int
    heads: int
    d_k: int | None
    d_v: int | None
    d_out: int | None
    bias: bool
    kv_heads: int
    qk_norm: bool
    sink: str


def prepared(
    config: Config, context: str | None = None, *, crossing: bool = False
) -> tuple[Prepared, tuple[str, ...], Inputs | None]:
    """Inputs and weights for a configuration, notes of what was adjusted, and the context.

    Only the preset `learned` has weights for a context; every other preset gets random weights with one. crossing: take
    the layer for two texts even for a single text.
    """
    config, left_out = variants.possible(brought.settled(config).complete())
    if (file := brought.of(config)) is not None:
        return file.prepared(), (*left_out, *file.notes()), None
    is_learned = config.preset == LEARNED
    sentences, notes = _read(config.text, config.sentence_of_preset, is_learned)
    notes = (*left_out, *notes, *_long(sentences))
    sentences = _cut(sentences)
    contexts = None
    if context is not None:
        contexts, told = _read(context, STORY, is_learned)
        if (longest := max(map(len, contexts))) > TOKENS:
            told = (*told, say("note.tokens", most=TOKENS, count=longest))
        contexts = _cut(contexts)
        notes += tuple(say("note.of_context", note=note) for note in told)
        if (texts := len(sentences)) != len(contexts) and 1 not in (texts, len(contexts)):
            notes += (say("note.pairs", texts=texts, contexts=len(contexts), used=min(texts, len(contexts))),)
        sentences, contexts = _paired(sentences, contexts)
    if is_learned and (crossing or contexts is not None):
        ready, adjusted, source = translating.prepared(config, sentences, contexts)
        return ready, notes + adjusted, source
    if is_learned:
        ready, adjusted = learned.prepared(config, sentences)
        return ready, notes + adjusted, None
    d_k, d_v, d_out = (None if size == AUTO else int(size) for size in (config.d_k, config.d_v, config.d_out))
    d_model, heads = int(config.d_model), config.heads
    if config.preset in PRESETS and contexts is None:
        strays = config.preset == "story" and config.positions == "sinusoidal"
        return (
            _fixed(config.preset, config.positions),
            (*left_out, *((say("note.story_sinusoidal"),) if strays else ())),
            None,
        )
    if d_k is None and d_model % heads:
        d_k = max(1, d_model // heads)
        notes = (*notes, say("note.d_k", d_model=d_model, heads=heads, d_k=d_k))
    kv_heads, adjusted = variants.key_heads(config)
    notes += (*adjusted, *variants.turns(config, d_model // heads if d_k is None else d_k))
    notes += variants.empty(config, max(map(len, sentences)))
    layer = Layer(d_model, heads, d_k, d_v, d_out, config.bias, kv_heads, config.qk_norm, config.sink)
    ready = _drawn(sentences, config.seed, config.positions, layer)
    return ready, notes, _embedded(contexts, config.seed, config.positions, d_model) if contexts else None


def _paired(texts: Sentences, contexts: Sentences) -> tuple[Sentences, Sentences]:
    """Pairs of texts and contexts: a single one is repeated for each of the others; else surplus ones are dropped."""
    pairs = min(len(texts), len(contexts)) if 1 not in (len(texts), len(contexts)) else max(len(texts), len(contexts))
    return (texts * pairs)[:pairs], (contexts * pairs)[:pairs]


def all_words(config: Config) -> tuple[str, ...]:
    """Up to `LONGEST` words of the shown sentence, if figures show only its first words. () if they show all of it, or
    the preset has words of its own."""
    if config.preset not in (LEARNED, RANDOM):
        return ()
    sentences, _ = _read(config.text, config.sentence_of_preset, config.preset == LEARNED)
    words = sentences[min(config.sentence, len(sentences)) - 1]
    return words[:LONGEST] if len(words) > TOKENS else ()


def embedded(config: Config, sentence: tuple[str, ...]) -> Inputs:
    """A typed sentence of any length as the input of the screen's layer, positions added."""
    if config.preset == LEARNED:
        return learned.prepared(replace(config, sentence=1), (sentence,))[0].inputs
    return _embedded((sentence,), config.seed, config.positions, int(config.d_model))


def _read(text: str, instead: str, is_learned: bool) -> tuple[Sentences, tuple[str, ...]]:
    """The tokens of as many sentences as the app shows, and notes of what was left out or divided. instead: the text
    that replaces an empty one. is_learned: keep words alone, and only sentences that have some."""
    notes = []
    try:
        sentences = tokenize(text)
    except ValueError:
        sentences = tokenize(instead)
        notes.append(say("note.empty"))
    if divided(text):
        notes.append(say("note.divided"))
    if len(sentences) > SENTENCES:
        notes.append(say("note.sentences", most=SENTENCES, count=len(sentences)))
    sentences = sentences[:SENTENCES]
    return learned.words(sentences) if is_learned else sentences, tuple(notes)


def _cut(sentences: Sentences) -> Sentences:
    """The first tokens of each sentence, as many as figures have room for."""
    return tuple(sentence[:TOKENS] for sentence in sentences)


def _long(sentences: Sentences) -> tuple[str, ...]:
    """A note on how much of a long sentence is shown, and where the rest is."""
    count = max(map(len, sentences))
    if count <= TOKENS:
        return ()
    return (say("note.long" if count <= LONGEST else "note.longer", most=TOKENS, count=count, whole=LONGEST),)


@lru_cache(maxsize=8)
def _fixed(preset: str, positions: str) -> Prepared:
    return _positioned(story(positions == "preset") if preset == "story" else PRESETS[preset](), positions)


def _drawn(sentences: Sentences, seed: int, positions: str, layer: Layer) -> Prepared:
    key = sentences, seed, positions, layer
    return _memo().get(key, lambda: _draw(*key), _weigh)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)


def _weigh(ready: Prepared) -> int:
    return ready.inputs.x.nbytes + sum(each.nbytes for each in ready.module.parameters())


def _draw(sentences: Sentences, seed: int, positions: str, layer: Layer) -> Prepared:
    parts: dict[str, Any] = layer._asdict() | {"sink": layer.sink != "off"}
    module = random_layer(**parts, generator=torch.Generator().manual_seed(seed))
    if module.sink is not None:
        torch.nn.init.constant_(module.sink, float(layer.sink))
    return _positioned(Prepared(embed(sentences, layer.d_model, seed), module), positions, seed)


@lru_cache(maxsize=32)
def _embedded(sentences: Sentences, seed: int, positions: str, d_model: int) -> Inputs:
    return _placed(embed(sentences, d_model, seed), positions, seed)


def _positioned(ready: Prepared, positions: str, seed: int = 0) -> Prepared:
    """Add positions, and freeze the parameters, since all visitors share them."""
    ready.module.requires_grad_(False)
    return replace(ready, inputs=_placed(ready.inputs, positions, seed))


def _placed(inputs: Inputs, positions: str, seed: int = 0) -> Inputs:
    """Inputs with position vectors added: sinusoids, random ones for "learned" (as training begins), or none."""
    n, d_model = inputs.x.shape[-2:]
    if positions == "sinusoidal":
        added = sinusoidal(n, d_model)
    elif positions == "learned":
        added = position_vectors(n, d_model, seed)
    else:
        return inputs
    return Inputs(inputs.tokens, inputs.lengths, inputs.x + added)
