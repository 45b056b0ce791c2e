"""Models of transformers, tiny and random, are recorded as they compute.

Importing transformers takes two seconds of processor time, half of what this file may cost.
"""

import itertools
import os

import pytest
import torch
from torch.nn import functional as F

from attention import record
from attention.models import transformers_models
from tests.support import CLOSE, EXACT, drawn, seeded

try:
    import transformers
except ImportError:
    lack = "transformers is not installed: pip install -r requirements-dev.txt"
    if os.environ.get("REQUIRE_TRANSFORMERS"):
        pytest.fail(lack)
    pytest.skip(lack, allow_module_level=True)

VOCABULARY, WIDTH, LAYERS = 97, 24, 3
TOKENS, OTHERS, PADDED = 7, 5, 2
DECODER = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "intermediate_size": 41,
    "max_position_embeddings": 53,
    "attention_dropout": 0.25,
}
WINDOWS = ["sliding_attention", "full_attention", "sliding_attention"]
# Class of the model, class of its configuration, its settings.
FAMILIES = {
    "GPT-2": (
        "GPT2LMHeadModel",
        "GPT2Config",
        {"vocab_size": VOCABULARY, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": 3, "attn_pdrop": 0.25},
    ),
    "Llama": ("LlamaForCausalLM", "LlamaConfig", DECODER),
    "Gemma 2": (
        "Gemma2ForCausalLM",
        "Gemma2Config",
        DECODER | {"sliding_window": 3, "query_pre_attn_scalar": 7, "attn_logit_softcapping": 0.3},
    ),
    "Gemma 3": (
        "Gemma3ForCausalLM",
        "Gemma3TextConfig",
        DECODER | {"sliding_window": 3, "query_pre_attn_scalar": 7, "layer_types": WINDOWS},
    ),
    "gpt-oss": (
        "GptOssForCausalLM",
        "GptOssConfig",
        DECODER | {"sliding_window": 3, "num_local_experts": 2, "num_experts_per_tok": 1, "layer_types": WINDOWS},
    ),
    "BERT": (
        "BertModel",
        "BertConfig",
        {
            "vocab_size": VOCABULARY,
            "hidden_size": WIDTH,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": 3,
            "intermediate_size": 41,
            "attention_probs_dropout_prob": 0.25,
        },
    ),
    "T5": (
        "T5Model",
        "T5Config",
        {"vocab_size": VOCABULARY, "d_model": WIDTH, "d_kv": 5, "d_ff": 41, "num_layers": 2, "num_heads": 3},
    ),
}


def made(family: str, implementation: str = "eager", dtype: torch.dtype = torch.float32):
    """A tiny model with weights from a generator of its own, larger than its initialisation would give."""
    model_class, config_class, settings = FAMILIES[family]
    with torch.random.fork_rng():
        model = getattr(transformers, model_class)(getattr(transformers, config_class)(**settings))
    generator = seeded(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * WIDTH**-0.5 + (parameter == 1))
    if family == "gpt-oss":
        # The product for the experts needs larger sizes on a CPU.
        model.set_experts_implementation("eager")
    model.set_attn_implementation(implementation)
    return model.to(dtype).eval()


def inputs(family: str, *, padded: bool = True):
    ids = torch.randint(0, VOCABULARY, (2, TOKENS), generator=seeded(3))
    allowed = torch.ones_like(ids)
    if padded:
        # Padding is on the left, for texts that are continued: the first queries of the first text see nothing.
        allowed[0, :PADDED] = 0
    given = {"input_ids": ids, "attention_mask": allowed, "use_cache": False}
    if family == "T5":
        given |= {"decoder_input_ids": ids[:, :OTHERS]}
    if family == "BERT":
        del given["use_cache"]
    return given


def close(dtype: torch.dtype = torch.float32, size: float = 1.0) -> dict[str, float]:
    """The tolerance for the rounding of each layer's products, with up to as many terms as its widest one."""
    return {"rtol": 0, "atol": LAYERS * 6 * 41 * torch.finfo(dtype).eps * max(1.0, size)}


def seen(value: torch.Tensor) -> torch.Tensor:
    """The values without padding, whose numbers mean nothing: zeros with us, averages in transformers."""
    return value if value.shape[1] != TOKENS else torch.cat((value[0, PADDED:], value[1]))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_output_is_that_of_the_model_and_the_weights_those_that_it_returns(family):
    model = made(family)
    with torch.no_grad():
        plain = model(**inputs(family), output_attentions=True)
        with record(model) as records:
            recorded = model(**inputs(family), output_attentions=True)
    expected = seen(plain[0])
    torch.testing.assert_close(seen(recorded[0]), expected, **close(size=float(expected.abs().max())))
    names = (
        ["attentions"] if "attentions" in plain else ["encoder_attentions", "decoder_attentions", "cross_attentions"]
    )
    weights = [each for name in names for each in plain[name]]
    returned = [each for name in names for each in recorded[name]]
    assert len(records) == len(weights) == len(returned)
    places = range(len(weights))
    if family == "T5":
        # The order is the encoder, then for each block of the decoder itself and the encoder.
        places = [0, 1, 2, 4, 3, 5]
    for place, wanted, given in zip(places, weights, returned, strict=True):
        own = records[place]["weights"].value
        rows = slice(PADDED if wanted.shape[-2] == TOKENS else 0, None)
        torch.testing.assert_close(own[1], wanted[1], **close())
        torch.testing.assert_close(own[0, :, rows], wanted[0, :, rows], **close())
        torch.testing.assert_close(given, own, **EXACT)
    assert records.unrecorded == {}


# Llama and Gemma normalise in float32, whatever their dtype, so they have only the digits of float32.
OF_TORCH = [*itertools.product(["GPT-2", "BERT"], [torch.float32, torch.float64])]
OF_TORCH += [("Llama", torch.float32), ("Gemma 3", torch.float32)]


@pytest.mark.parametrize(("family", "dtype"), OF_TORCH)
def test_a_model_that_computes_with_torchs_function_is_recorded_the_same(family, dtype):
    """Without padding there is no mask: torch's functions are told whether to be causal."""
    model = made(family, "sdpa", dtype)
    given = inputs(family, padded=False)
    with torch.no_grad():
        expected = model(**given)[0]
        with record(model) as records:
            recorded = model(**given)[0]
    torch.testing.assert_close(recorded, expected, **close(dtype, float(expected.abs().max())))
    assert ("mask" in records[0]) == (family != "BERT")
    assert len(records) == LAYERS


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "T5"])
def test_a_model_trains_as_it_would_with_the_same_dropout(family):
    outputs, gradients = [], []
    for recorded in (False, True):
        model = made(family).train()
        with torch.random.fork_rng():
            torch.manual_seed(5)
            if recorded:
                with record(model) as records:
                    output = model(**inputs(family, padded=False))[0]
            else:
                output = model(**inputs(family, padded=False))[0]
        output.square().mean().backward()
        outputs.append(output.detach())
        gradients.append({name: each.grad for name, each in model.named_parameters() if each.grad is not None})
    assert {"kept", "dropped"} <= set(records[0])
    torch.testing.assert_close(outputs[1], outputs[0], **close(size=float(outputs[0].abs().max())))
    largest = max(float(each.abs().max()) for each in gradients[0].values())
    torch.testing.assert_close(gradients[1], gradients[0], **close(size=largest))


def test_a_model_that_generates_has_a_record_for_each_step():
    model = made("Llama")
    given = {"input_ids": inputs("Llama")["input_ids"][1:], "max_new_tokens": 3, "do_sample": False, "pad_token_id": 0}
    expected = model.generate(**given)
    with record(model, layers=[0, 2]) as records:
        assert torch.equal(model.generate(**given), expected)
    assert records.steps(0) == (0, 1, 2)
    # The first step has all tokens for queries, each later one the token that was written.
    sizes = [records[2, step]["weights"].sizes for step in records.steps(2)]
    assert [(each["query"], each["key"]) for each in sizes] == [(TOKENS, TOKENS), (1, TOKENS + 1), (1, TOKENS + 2)]
    assert "model.layers.1.self_attn" not in records


def test_the_steps_are_those_of_the_model():
    """Grouped heads, cap, window and sink are recorded as in any other run."""
    with torch.no_grad():
        found = {}
        for family in ("Llama", "Gemma 2", "gpt-oss"):
            with record(model := made(family)) as records:
                model(**inputs(family))
            found[family] = records
    llama, gemma, oss = found.values()
    assert " ".join(llama[0]) == "queries keys values scores scaled mask masked weights output"
    assert llama[0]["keys"].sizes == {"batch": 2, "kv_head": 2, "key": TOKENS, "feature": 4}
    assert llama[0]["scaled"].quantity.formula == r"S \leftarrow S / \sqrt{d_k}"
    assert float(gemma[0]["softcap"].value) == 0.3
    assert float(gemma[0]["scale"].value) == 7**-0.5
    assert gemma[0]["softcapped"].value.abs().max() < 0.3
    # With a window, a query sees the last three keys; without one, it sees all keys before it.
    assert oss[0]["mask"].value[1, 0].sum(-1).tolist() == [1, 2, 3, 3, 3, 3, 3]
    assert oss[1]["mask"].value[1, 0].sum(-1).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert (oss[0]["weights"].value[1].sum(-1) < 1).all()


def test_what_follows_no_interface_is_named_with_its_class():
    settings = {"vocab_size": VOCABULARY, "hidden_size": WIDTH, "n_layer": 2, "n_head": 3}
    with torch.random.fork_rng():
        model = transformers.BloomModel(transformers.BloomConfig(**settings)).eval()
    ids, warned = inputs("Llama")["input_ids"], r"not recorded: h.0.self_attention \(BloomAttention\), h.1"
    with torch.no_grad():
        expected = model(ids)[0]
        with pytest.warns(UserWarning, match=warned), record(model) as records:
            recorded = model(ids)[0]
    torch.testing.assert_close(recorded, expected, **EXACT)
    assert records.unrecorded == {f"h.{layer}.self_attention": "BloomAttention" for layer in range(2)}
    with pytest.raises(KeyError, match=r"there is none; not recorded: h.0.self_attention \(BloomAttention\)"):
        records[0]


def test_layers_that_keep_a_state_are_named_beside_the_one_that_attends():
    """Three gated DeltaNets, and attention in every fourth layer; torch multiplies experts in steps of 16 bytes."""
    sizes = {"vocab_size": VOCABULARY, "hidden_size": 48, "intermediate_size": 32, "num_hidden_layers": 4}
    heads = {"num_attention_heads": 3, "num_key_value_heads": 1, "head_dim": 4, "linear_num_value_heads": 2}
    more = {"linear_num_key_heads": 1, "linear_key_head_dim": 5, "linear_value_head_dim": 7}
    experts = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 16}
    config = transformers.Qwen3NextConfig(**sizes, **heads, **more, **experts, shared_expert_intermediate_size=64)
    with torch.random.fork_rng():
        model = transformers.Qwen3NextModel(config).eval()
    with torch.no_grad(), pytest.warns(UserWarning, match="Qwen3NextGatedDeltaNet"), record(model) as records:
        model(torch.tensor([[3, 4, 5, 6, 7]]))
    assert records.layers == ("layers.3.self_attn",)
    assert records.unrecorded == {f"layers.{layer}.linear_attn": "Qwen3NextGatedDeltaNet" for layer in range(3)}


@pytest.mark.parametrize("implementation", ["eager", "sdpa"])
def test_afterwards_the_model_computes_as_before(implementation):
    model = made("Llama", implementation)
    given = inputs("Llama")
    with torch.no_grad():
        expected = model(**given)[0]
        with pytest.raises(ZeroDivisionError), record(model):
            _ = 1 / 0
        with record(model):
            model(**given)
        with record(model) as outer, record(made("Llama")) as inner:
            model(**given)
        assert (len(outer), len(inner)) == (LAYERS, 0)
        torch.testing.assert_close(model(**given)[0], expected, **EXACT)
        model.set_attn_implementation("eager")
        assert model(**given, output_attentions=True).attentions[0] is not None


CALLS = [
    # Causal by the module, causal by the call, a mask; whether later keys are hidden.
    (True, None, None, True),
    (False, None, None, False),
    (None, None, None, False),
    (True, False, None, False),
    (False, True, None, True),
    (True, None, torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(-2), False),
]


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("of_module", "of_call", "mask", "hides"), CALLS)
def test_a_layer_without_a_mask_says_whether_it_hides_later_keys(of_module, of_call, mask, hides, biased):
    layer = torch.nn.Module().eval()
    if of_module is not None:
        layer.is_causal = of_module
    q, k, v, bias = drawn((2, 3, TOKENS, 5), (2, 3, TOKENS, 5), (2, 3, TOKENS, 5), (1, 3, TOKENS, TOKENS))
    given = {"position_bias": bias} if biased else {}
    found, _ = transformers_models.attention(layer, q, k, v, mask, is_causal=of_call, **given)
    may = torch.ones(TOKENS, TOKENS, dtype=torch.bool) if mask is None else mask
    may = may.tril() if hides else may
    added = torch.zeros(TOKENS, TOKENS, dtype=torch.float64).masked_fill(~may, -torch.inf) + (bias if biased else 0)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=added).transpose(1, 2)
    torch.testing.assert_close(found, expected, **CLOSE[torch.float64])
    # A single query is the last one.
    last, _ = transformers_models.attention(layer, q[..., -1:, :], k, v, None, is_causal=of_call)
    torch.testing.assert_close(last, F.scaled_dot_product_attention(q[..., -1:, :], k, v).transpose(1, 2))


def test_the_keys_that_an_index_chose_are_the_ones_that_are_seen():
    q, k, v = drawn((2, 3, OTHERS, 5), (2, 3, TOKENS, 5), (2, 3, TOKENS, 5))
    chosen = torch.rand(2, OTHERS, TOKENS, generator=seeded(4)).topk(3).indices
    found, _ = transformers_models.attention(torch.nn.Module().eval(), q, k, v, None, indices=chosen)
    may = torch.nn.functional.one_hot(chosen, TOKENS).sum(-2).bool()[:, None]
    torch.testing.assert_close(found, F.scaled_dot_product_attention(q, k, v, attn_mask=may).transpose(1, 2))


def test_a_causal_mask_is_made_though_another_function_could_do_without():
    with torch.no_grad(), record(made("Llama")):
        mask = transformers.AttentionMaskInterface()[transformers_models.NAME]
    whole = mask(batch_size=2, q_length=TOKENS, kv_length=TOKENS)
    assert torch.equal(whole.expand(2, 1, TOKENS, TOKENS)[1, 0], torch.ones(TOKENS, TOKENS, dtype=torch.bool).tril())


def test_two_models_in_one_are_recorded_together():
    class Pair(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = made("Llama"), made("BERT", "sdpa")

        def forward(self, ids):
            return self.first(ids).logits.sum() + self.second(ids)[0].sum()

    pair, ids = Pair(), inputs("Llama")["input_ids"]
    with torch.no_grad():
        expected = pair(ids)
        with record(pair) as records:
            recorded = pair(ids)
        torch.testing.assert_close(pair(ids), expected, **EXACT)
    torch.testing.assert_close(recorded, expected, **close(size=2 * TOKENS * VOCABULARY))
    assert [name.partition(".")[0] for name in records] == ["first"] * LAYERS + ["second"] * LAYERS
