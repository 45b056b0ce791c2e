"""Both models against what `transformers` 5.23 computed from the same weights: attention, hidden states, tokens."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.support.trained import model

pytestmark = pytest.mark.models

HERE = Path(__file__).parent
TOLD = json.loads((HERE / "reference.json").read_text(encoding="utf-8"))
TEXTS = [(name, text) for name, texts in TOLD.items() for text in texts]


def reference(name: str) -> torch.Tensor:
    with np.load(HERE / "reference.npz") as file:
        return torch.from_numpy(file[name])


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_attention_of_every_head_is_that_of_transformers(name, text):
    traces = model(name).traces(TOLD[name][text]["text"])
    weights = torch.cat([trace["weights"].value for trace in traces])
    torch.testing.assert_close(weights, reference(f"{name}_{text}_attentions"), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_tokens_are_those_of_its_tokenizer(name, text):
    told = TOLD[name][text]
    assert model(name).tokens(told["text"]) == tuple(told["tokens"])
    if "ids" in told:
        assert model(name).ids(told["text"]) == told["ids"]


def test_the_last_hidden_state_of_the_encoder_and_the_vector_made_of_it():
    encoder, text = model("minilm"), TOLD["minilm"]["story"]["text"]
    *_, last = encoder.run(text)
    expected = reference("minilm_story_last")
    torch.testing.assert_close(last.after[0], expected, rtol=0, atol=1e-5)
    mean = expected.mean(0)
    torch.testing.assert_close(encoder.output(text), mean / mean.norm(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("text", TOLD["smollm2"])
def test_the_next_tokens_of_the_decoder(text):
    decoder, told = model("smollm2"), TOLD["smollm2"][text]
    top = decoder.output(told["text"]).topk(len(told["next"]))
    expected = tuple(token.replace(" ", "␣").replace("\n", "⏎") for token, _ in told["next"])
    assert decoder.shown(top.indices.tolist()) == expected
    numbers = torch.tensor([number for _, number in told["next"]])
    torch.testing.assert_close(top.values, numbers, rtol=0, atol=1e-5)
