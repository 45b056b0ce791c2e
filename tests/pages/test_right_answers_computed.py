"""The right answers of questions that no figure of their screen answers alone: the package computes them."""

from collections.abc import Callable

import pytest
import torch

from attention.analysis import hidden_keys
from attention.experiments.shared_keys import averaged
from attention.inputs.grammar import answers, read
from attention.inputs.shared_keys import SENTENCES
from pages.shell.i18n import say
from pages.shell.runs.trained.recorded import recorded
from pages.shell.runs.trained.request import TEXTS, Request
from tests.pages.test_predict import QUESTIONS
from tests.support.app import computed


def forest() -> str:
    """The screen that the answer leads to, since the screen of the question has positions."""
    row = computed(preset="story", positions="none").trace["weights"].value[0, 0, -1]
    return "all" if torch.allclose(row[[1, 2, 6]], row[1]) and row[1] > row[7] else "nearest"


def importance() -> str:
    """Over all queries of the layer that learned: whether the key with the largest weight is the one whose hiding
    changes the most."""
    shown = computed()
    found = [
        hidden_keys.importance(shown.trace, query, batch=0, head=head)
        for head in range(shown.module.heads)
        for query in range(len(shown.tokens))
    ]
    same = [int(one.weight.argmax()) == int(one.hidden.argmax()) for one in found]
    return "not_always" if sum(same) > len(same) / 2 and not all(same) else "largest"


def sink() -> str:
    """The recorded weights; another test compares the record with the model."""
    late = recorded(Request("smollm2", TEXTS["minilm"])).weights[20:, :, 1:, 0].mean((1, 2))
    return "most" if late.max() > 0.9 else "third"


def attended(q: int, k: int, **options) -> torch.Tensor:
    """The weights of torch, found with the identity as values."""
    generator = torch.Generator().manual_seed(0)
    return torch.nn.functional.scaled_dot_product_attention(
        torch.randn(q, 5, generator=generator), torch.randn(k, 5, generator=generator), torch.eye(k), **options
    )


def corner() -> str:
    seen_keys = attended(1, 12, is_causal=True)[0].nonzero().flatten().tolist()
    return {(0,): "first", tuple(range(12)): "last"}[tuple(seen_keys)]


def cached() -> str:
    """The last row needs its own query, and the keys and values of all words, but no earlier query."""
    trace = computed(preset="random", mask="causal").trace
    q, k, v = (trace[id].value for id in ("queries", "keys", "values"))
    last = torch.nn.functional.scaled_dot_product_attention(q[..., -1:, :], k, v)
    return "spent" if torch.allclose(last, trace["output"].value[..., -1:, :], atol=1e-6) else "too_large"


def shared() -> str:
    """The number of right answers, the same in both sentences of the page."""
    halved, counts = averaged(4), set()
    for sentence in map(read, map(str.split, SENTENCES.values())):
        logits = halved.logits(halved.module(halved.prepared((sentence,)).inputs.x))[0, sentence.verb, :3]
        counts.add(int((logits.argmax(-1) == answers(sentence)[sentence.verb, :3]).sum()))
    [right] = counts
    return ("none", "one", "two", "three")[right]


COMPUTED: dict[str, Callable[[], str]] = {
    name: answer for name, answer in globals().items() if name in QUESTIONS and callable(answer)
}


@pytest.mark.parametrize("question", COMPUTED)
def test_the_right_answer_is_what_is_computed(question):
    assert COMPUTED[question]() == say(f"predict.{question}.right")
