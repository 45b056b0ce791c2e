"""Sentences with sizes of published models agree with the tables of the code, in every language."""

import re

import pytest

from attention.analysis.costs import MODELS
from attention.cache import PUBLISHED
from attention.inputs.trained import SIZES
from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.views.fewer_keys.cached import LONG

MINILM, SMOLLM2, GPT2 = SIZES["minilm"], SIZES["smollm2"], MODELS["gpt2"]
BY_NAME = {model.name: model for model in PUBLISHED}
# The cache keeps a latent with the rotary key beside it; a value is as wide as a key without its rotary part.
DEEPSEEK = BY_NAME["DeepSeek-V3"]
# For each sentence: its numbers from a model, and its other numbers, such as places and settings.
SAID: dict[str, tuple[set[float], set[float]]] = {
    "control.model.help": (
        {MINILM.layers, MINILM.heads, SMOLLM2.layers, SMOLLM2.heads, SMOLLM2.kv_heads},
        set(),
    ),
    "control.model_layer.help": (
        {MINILM.layers, MINILM.heads, SMOLLM2.layers, SMOLLM2.heads},
        {0, 1, 16, 17},
    ),
    "control.rank.help": ({MINILM.d_k, SMOLLM2.d_k}, set()),
    "predict.sink.question": ({SMOLLM2.layers}, {25}),
    "control.layer.help": ({GPT2.d_model, GPT2.heads}, set()),
    "lab.starts.name.gpt2": ({GPT2.d_model}, {0, 0.02}),
    "fewer.latent.wrong": ({DEEPSEEK.d_k - DEEPSEEK.d_v}, set()),
}


def written(text: str) -> set[float]:
    """The numbers of a sentence that are not part of a name: `GPT-2`, `SmolLM2`, `L16H0`, `n²`."""
    bare = re.sub(r"[A-Za-z]+-?V?\d+(?:[A-Z]\d+)?\b", lambda name: " ".join(re.findall(r"(?<=[LH])\d+", name[0])), text)
    return {float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", bare)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", SAID)
def test_a_sentence_says_the_sizes_of_the_table(id, language):
    sizes, others = SAID[id]
    found = written(catalogue(language)[id])
    assert sizes <= found <= sizes | others


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model.name)
def test_every_published_size_names_its_source(model):
    assert re.search(r"\b(?:19|20)\d\d\b|config\.json of \S+/\S+", model.source)
    assert (model.window > 0) == (model.windowed > 0)
    assert model.windowed <= model.layers


@pytest.mark.parametrize(
    ("name", "gib"),
    [("Mistral-7B v0.1", 0.5), ("gpt-oss-20b", 3.0), ("gpt-oss-120b", 4.5), ("Llama-3-8B", 16), ("DeepSeek-V3", 8.58)],
)
def test_a_long_text_costs_what_its_windows_keep(name, gib):
    """The published computation: 8 heads of 2 · 128 numbers of 2 bytes, 32 layers, at most 4,096 positions: 0.5 GiB."""
    assert BY_NAME[name].text(LONG) / 2**30 == pytest.approx(gib, rel=2e-3)


def test_the_sizes_of_a_model_that_stands_in_two_tables_are_the_same():
    for name, key in (("GPT-2 small", "gpt2"), ("Llama-3-8B", "llama3")):
        model, layer = BY_NAME[name], MODELS[key]
        assert (model.heads, model.kv_heads, model.d_k) == (layer.heads, layer.groups, layer.d_k)
