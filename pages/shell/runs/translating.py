"""The preset `learned` on two texts: the layer that learned a dictionary, and the text that it attends to."""

from dataclasses import replace
from functools import lru_cache

from attention.experiments.translation import Scores, measure
from attention.inputs.dictionary import BOTH, translated
from attention.inputs.grammar import EXAMPLE, read
from attention.inputs.learned import Setting, nearest
from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs, tokenize
from attention.inputs.translating import SHIPPED, Translator, shipped
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.runs import learned
from pages.shell.state.config import LEARNED, Config

Sentences = tuple[tuple[str, ...], ...]


def used(config: Config) -> Setting | None:
    """The shipped setting nearest to the sizes of a screen; None for other presets."""
    return nearest(_wanted(config), SHIPPED) if config.preset == LEARNED else None


def _wanted(config: Config) -> Setting:
    sizes = learned.sizes(config)
    return replace(SHIPPED[0], heads=sizes.heads, d_k=sizes.d_k, d_v=sizes.d_v)


def layer(config: Config) -> Translator | None:
    """The layer of a screen where one text attends to another; None for other presets."""
    setting = used(config)
    return shipped(setting) if setting else None


def context_of(config: Config, typed: str) -> str:
    """The text that is attended to: the typed one, else the text in Portuguese; with random weights, the translation of
    the sentence that the app opens with."""
    if typed:
        return typed
    text = config.complete().text if config.preset == LEARNED else EXAMPLE
    try:
        sentences = _words(tokenize(text))
    except ValueError:
        sentences = ()
    lines = [translated(words).words if not read(words).fault else words for words in sentences]
    return "\n".join(" ".join(words) for words in lines) or " ".join(translated(EXAMPLE.split()).words)


def prepared(
    config: Config, texts: Sentences, contexts: Sentences | None
) -> tuple[Prepared, tuple[str, ...], Inputs | None]:
    """The text with its layer, notes of what was adjusted, and the context."""
    translator = layer(config)
    assert translator is not None
    texts, contexts = _words(texts), None if contexts is None else _words(contexts)
    inputs = translator.inputs(texts, config.positions != "none")
    source = None if contexts is None else translator.inputs(contexts, config.positions != "none")
    shown = texts[min(config.sentence, len(texts)) - 1]
    nouns = [at for at, name in enumerate(read(shown).classes) if name == "noun"]
    strange = [word for line in (*texts, *(contexts or ())) for word in line if word.lower() not in BOTH]
    notes = learned.snapped(_wanted(config), translator.setting)
    if strange:
        words = listed("comma", map(code, dict.fromkeys(strange)))
        notes = (*notes, say("cross.strange", words=words))
    return Prepared(inputs, translator.module, nouns[0] if nouns else 0), notes, source


def _words(sentences: Sentences) -> Sentences:
    """The sentences without punctuation marks, which the dictionary lacks; the grammar's example if none is left."""
    words = (tuple(token for token in sentence if token[0].isalnum()) for sentence in sentences)
    return tuple(sentence for sentence in words if sentence) or (tuple(EXAMPLE.split()),)


@lru_cache(maxsize=len(SHIPPED))
def scores(setting: Setting) -> Scores:
    """The share of right answers of a layer without mask and dropout, as it was trained."""
    return measure(shipped(setting))
