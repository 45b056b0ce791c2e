"""The contents of a cache, the inputs that it refuses, its cost in published models, and the work that it saves."""

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid
from attention.cache import PUBLISHED, Cache, cached_bytes, dot_products, projected_tokens
from attention.positions import frequencies, slopes
from tests.support import CLOSE, drawn, refused, seeded

# KiB for each token in 16-bit numbers, and the same with a key head for each query head.
KIB = {
    "GPT-2 small": (36, 36),
    "Llama-2-7B": (512, 512),
    "Llama-3-8B": (128, 512),
    "Mistral-7B v0.1": (128, 512),
    "Llama-3-70B": (320, 2560),
    "Falcon-7B": (8, 568),
    "gpt-oss-20b": (48, 384),
    "gpt-oss-120b": (72, 576),
    "DeepSeek-V3": (68.625, 4880),
}


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model.name)
def test_the_cache_of_published_models(model):
    assert (model.bytes() / 1024, model.unshared() / 1024) == KIB[model.name]


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model.name)
@pytest.mark.parametrize("tokens", [1, 128, 4099, 131_072])
def test_a_text_takes_what_its_layers_keep(model, tokens):
    layers = [min(tokens, model.window) if layer < model.windowed else tokens for layer in range(model.layers)]
    assert model.text(tokens) == sum(model.bytes() // model.layers * kept for kept in layers)


def test_the_work_of_a_thousand_tokens():
    assert (dot_products(1000, cached=True), dot_products(1000, cached=False)) == (500_500, 167_167_000)
    assert (projected_tokens(1000, cached=True), projected_tokens(1000, cached=False)) == (1000, 500_500)
    counted = [sum(range(1, t + 1)) for t in range(1, 14)]
    assert dot_products(13, cached=False) == sum(counted)


def test_a_module_decodes_as_it_attends_to_all_at_once():
    layer = MultiHeadAttention(17, 6, kv_heads=3, d_k=10, d_v=13, qk_norm=True, sink=True, generator=seeded()).double()
    (x,) = drawn((2, 7, 17))
    chosen = {"rotary": frequencies(10), "slopes": slopes(6)}
    whole = layer(x, mask=grid("causal", 7, 7), **chosen)
    past, trace = Cache(), Trace()
    rows = [layer(x[:, at : at + 1], past=past, trace=trace if at == 6 else None, **chosen) for at in range(7)]
    torch.testing.assert_close(torch.cat(rows, 1), whole, **CLOSE[torch.float64])
    assert len(past) == 7
    assert trace["past_keys"].sizes == {"batch": 2, "kv_head": 3, "past": 6, "feature": 10}
    assert trace["keys"].sizes == {"batch": 2, "kv_head": 3, "new": 1, "feature": 10}


def test_what_does_not_fit_is_refused():
    keys, values = drawn((3, 5, 11), (3, 5, 13))
    with refused("a cache has keys and values, or neither"):
        Cache(keys)
    with refused("a cache of 5 keys needs as many values, got 4"):
        Cache(keys, values[:, :4])
    with refused("the cache holds keys of shape (3, 5, 11), the new ones have (3, 5, 7)"):
        Cache(keys, values).append(keys[..., :7], values)
    for fewer, shape in ((keys[:2], "(2, 5, 11)"), (keys[:1], "(1, 5, 11)"), (keys[None], "(1, 3, 5, 11)")):
        with refused(f"the cache holds keys of shape (3, 5, 11), the new ones have {shape}"):
            Cache(keys, values).append(fewer, values)
    past = Cache(keys, values)
    with refused("the cache holds values of shape (3, 5, 13), the new ones have (3, 5, 7)"):
        past.append(keys, values[..., :7])
    with refused("5 new keys need as many values, got 4"):
        past.append(keys, values[:, :4])
    with refused("new keys has dtype float32, cached keys has float64"):
        past.append(keys.float(), values)
    assert (len(past), past.keys.shape[-2], past.values.shape[-2]) == (5, 5, 5)
    with refused("layers must be at least 1, got 0"):
        cached_bytes(0, 1, 1)
    layer = MultiHeadAttention(11, generator=seeded()).double()
    with refused("a past holds keys of x itself: pass no context with it"):
        layer(keys, keys, past=Cache())
