"""Layers by their configuration: transformers is the oracle for the entries' meaning, and for the shipped table."""

import pytest
import torch
import torch.nn.functional as F

from attention import Trace, scaled_dot_product_attention
from attention.cache import PUBLISHED
from attention.configuration import strip
from attention.layer_kinds import KINDS, LayerKind, Strip
from attention.published_layers import PUBLISHED_LAYERS

BASE = {"num_hidden_layers": 7, "num_attention_heads": 11, "num_key_value_heads": 11, "head_dim": 13}
BY_CLASS = [one for one in PUBLISHED_LAYERS if one.source.endswith("Config")]


@pytest.mark.parametrize("published", BY_CLASS, ids=lambda one: one.name)
def test_the_table_has_the_layers_of_the_class_that_it_names(published):
    transformers = pytest.importorskip("transformers")
    named = {one.__name__: one for one in transformers.models.auto.configuration_auto.CONFIG_MAPPING.values()}
    of_class = strip(named[published.source]().to_dict(), published.name)
    shown = published.strip
    if published.name == "MiMo-V2-Flash":
        # For layers with a window, the class doubles the key heads in its code; the checkpoint's file has an entry.
        assert [(one.kind, one.reach) for one in of_class.layers] == [(one.kind, one.reach) for one in shown.layers]
        assert {one.kv_heads for one in of_class.layers} == {4}
        return
    assert of_class == shown


def test_a_dozen_and_a_half_of_models_have_every_kind():
    assert {layer.kind for one in PUBLISHED_LAYERS for layer in one.strip.layers} == set(KINDS)
    assert len({one.name for one in PUBLISHED_LAYERS}) == len(PUBLISHED_LAYERS) >= 15


@pytest.mark.parametrize("model", PUBLISHED, ids=lambda model: model.name)
def test_a_model_of_both_tables_has_the_same_sizes_in_both(model):
    found = {one.name: one.strip for one in PUBLISHED_LAYERS}
    if model.name not in found:
        pytest.skip("in one table alone")
    assert (len(found[model.name].layers), found[model.name].heads) == (model.layers, model.heads)
    for tokens in (1, 211):
        assert found[model.name].bytes(tokens) == model.text(tokens)


@pytest.mark.parametrize("published", PUBLISHED_LAYERS, ids=lambda one: one.name)
def test_what_is_listed_by_layer_has_an_entry_for_each_layer(published):
    count = published.config["num_hidden_layers"]
    assert {len(each) for each in published.config.values() if isinstance(each, list)} <= {count}


# The expected numbers come from the sizes: for DeepSeek-V3.2, 512 + 64 of the latent and 128 of the scorer's keys.
@pytest.mark.parametrize(
    ("name", "tokens", "expected"),
    [
        ("Llama-3-8B", 5, 2 * 32 * 8 * 2 * 128 * 5),
        ("gpt-oss-20b", 131, 2 * 8 * 2 * 64 * (12 * 131 + 12 * 128)),
        ("Gemma 3 27B", 2053, 2 * 16 * 2 * 128 * (10 * 2053 + 52 * 1024)),
        ("Command R7B", 5003, 2 * 8 * 2 * 128 * (8 * 5003 + 24 * 4096)),
        ("MiniMax-Text-01", 3, 2 * (10 * 8 * 2 * 128 * 3 + 70 * 64 * 128 * 128)),
        ("Gemma 3n E4B", 521, 2 * 2 * 2 * 256 * (4 * 521 + 16 * 512)),
        ("DeepSeek-V3.2", 3, 2 * 61 * (512 + 64 + 128) * 3),
        ("Kimi Linear 48B", 3, 2 * (7 * 576 * 3 + 20 * 32 * 128 * 128)),
        ("Qwen3-Next 80B", 3, 2 * (12 * 2 * 2 * 256 * 3 + 36 * 32 * 128 * 128)),
        ("MiMo-V2-Flash", 211, 2 * (9 * 4 * 320 * 211 + 39 * 8 * 320 * 129)),
    ],
)
def test_what_a_text_takes_follows_from_the_sizes(name, tokens, expected):
    found = next(one.strip for one in PUBLISHED_LAYERS if one.name == name)
    assert found.bytes(tokens) == expected


def test_a_state_of_one_published_model_is_as_large_as_its_cache_of_512_tokens():
    layers = next(one.strip.layers for one in PUBLISHED_LAYERS if one.name == "Qwen3-Next 80B")
    assert layers[0].kept(1) == layers[3].kept(512)


@pytest.mark.parametrize(
    ("older", "types"),
    [
        ({"sliding_window": 5}, "WWWWWWW"),
        ({"sliding_window": 5, "use_sliding_window": False}, "FFFFFFF"),
        ({"sliding_window": 5, "sliding_window_pattern": 3}, "WWFWWFW"),
        ({"attention_chunk_size": 5, "no_rope_layer_interval": 3}, "CCFCCFC"),
        ({"full_attention_interval": 3}, "LLFLLFL"),
        ({"layer_group_size": 3}, "LLFLLFL"),
        ({"attn_type_list": [0, 0, 1, 0, 0, 1, 0]}, "LLFLLFL"),
        ({"hybrid_layer_pattern": [1, 1, 0, 1, 1, 0, 1], "sliding_window": 5}, "WWFWWFW"),
        ({"local_attention": 5, "global_attn_every_n_layers": 3}, "FWWFWWF"),
        ({"linear_attn_config": {"full_attn_layers": [3, 6], "num_heads": 11, "head_dim": 13}}, "LLFLLFL"),
        ({"text_config": {"sliding_window": 5}}, "WWWWWWW"),
        ({"layer_types": []}, "FFFFFFF"),
    ],
)
def test_older_entries_say_what_layer_types_say(older, types):
    names = {"F": "full", "W": "sliding", "C": "chunked", "L": "linear"}
    newer = {"layer_types": [f"{names[one]}_attention" for one in types]}
    newer |= {"sliding_window": 5, "attention_chunk_size": 5}
    assert strip(BASE | older).layers == strip(BASE | newer).layers


def test_the_last_layers_read_the_last_of_their_kind_and_keep_nothing():
    shared = strip(BASE | {"sliding_window": 3, "sliding_window_pattern": 2, "num_kv_shared_layers": 3})
    assert [layer.of for layer in shared.layers] == [None, None, None, None, 2, 3, 2]
    assert shared.producers == 4
    assert {layer.cached for layer in shared.layers[4:]} == {0}
    assert shared.bytes(5) == 2 * 11 * 2 * 13 * (2 * 3 + 2 * 5)


def test_a_second_layer_may_ask_with_queries_of_its_own_the_keys_of_the_first():
    """One cache serves two layers of queries. The digits are another program's, and torch's function is the oracle."""
    q, k, v = (torch.randn(3, 3, generator=torch.Generator().manual_seed(s), dtype=torch.float64) for s in (4, 1, 2))
    trace = Trace()
    scaled_dot_product_attention(q, k, v, mask="causal", trace=trace)
    rows = torch.tensor([[1, 0, 0], [0.614213, 0.385787, 0], [0.185948, 0.118006, 0.696046]], dtype=torch.float64)
    torch.testing.assert_close(trace["weights"].value, rows, rtol=0, atol=6e-7)
    read = torch.tensor([0.329654, 0.458206, -0.406920], dtype=torch.float64)
    torch.testing.assert_close(trace["output"].value[2], read, rtol=0, atol=6e-7)
    torch.testing.assert_close(trace["output"].value, F.scaled_dot_product_attention(q, k, v, is_causal=True))


def test_positions_are_those_of_the_file_or_of_the_family():
    flags = strip(BASE | {"no_rope_layers": [1, 1, 0, 1, 1, 0, 1]})
    assert [layer.positions for layer in flags.layers] == [True, True, False, True, True, False, True]
    family = strip(BASE | {"model_type": "cohere2", "sliding_window": 5, "sliding_window_pattern": 3})
    assert [layer.positions for layer in family.layers] == [True, True, False, True, True, False, True]


def test_older_names_of_sizes_are_read():
    gpt2 = strip({"n_layer": 3, "n_head": 5, "n_embd": 35, "model_type": "gpt2"})
    assert gpt2 == Strip("gpt2", 5, (LayerKind("full", 0, 5, 5 * 2 * 7),) * 3)
    assert strip({"num_hidden_layers": 2, "num_attention_heads": 71, "hidden_size": 4544, "multi_query": True}).layers[
        0
    ] == LayerKind("full", 0, 1, 2 * 64)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ([], "a configuration has entries by name, got list"),
        ({}, "none of these entries: num_hidden_layers, n_layer, num_layers"),
        (
            BASE | {"num_hidden_layers": 10**9},
            "num_hidden_layers must be a whole number from 1 to 512, got '1000000000'",
        ),
        (BASE | {"num_attention_heads": True}, "num_attention_heads must be a whole number from 1 to"),
        (BASE | {"head_dim": "12"}, "head_dim must be a whole number from 1 to"),
        (BASE | {"layer_types": ["conv"] * 7}, "unknown layer_types 'conv'; one of full_attention"),
        (BASE | {"layer_types": ["full_attention"] * 5}, "layer_types needs a value for each of 7 layers, got 5"),
        (BASE | {"layer_types": "full"}, "layer_types needs a value for each of 7 layers, got 4"),
        (BASE | {"layer_types": 3}, "layer_types needs a value for each of 7 layers, got int"),
        (BASE | {"sliding_window_pattern": 2}, "none of these entries: sliding_window"),
        (BASE | {"num_kv_shared_layers": 7}, "no layer of the kind 'full' makes keys and values"),
        (BASE | {"kv_lora_rank": -3}, "kv_lora_rank must be a whole number from 1 to"),
    ],
)
def test_what_cannot_be_read_is_named(config, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        strip(config)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "fuzzy"}, "unknown kind 'fuzzy'; one of full, window"),
        *(
            ({"kind": "full", name: -1}, f"{name} must be at least 0, got -1")
            for name in ("reach", "kv_heads", "cached", "state")
        ),
    ],
)
def test_a_layer_is_checked(given, message):
    with pytest.raises(ValueError, match=message):
        LayerKind(**given)
    with pytest.raises(ValueError, match="tokens must be at least 0, got -1"):
        LayerKind("full").kept(-1)
    with pytest.raises(ValueError, match="number must be at least 1, got 0"):
        Strip("", 1, ()).bytes(1, 0)
