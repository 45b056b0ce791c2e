"""The chain of a query and a key gives the numbers of torch, in the order of the steps."""

import re

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.explain.chain import chain
from attention.explain.latex import number
from tests.support import refused

N, D_MODEL, HEADS, D_K = 5, 11, 3, 7
HEAD, QUERY, KEY = 2, 4, 1


def trace(*, dropout: float = 0.0, mask: str = "full", scale: float | None = None) -> Trace:
    generator = torch.Generator().manual_seed(13)
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, dropout=dropout, generator=generator)
    x = torch.randn(2, N, D_MODEL, generator=generator)
    made = Trace()
    with torch.inference_mode():
        module(x, mask=None if mask == "full" else grid(mask, N, N), scale=scale, generator=generator, trace=made)
    return made


def numbers(made: Trace, query: int = QUERY, key: int = KEY) -> dict[str, float]:
    return {link.id: link.value for link in chain(made, query, key, batch=1, head=HEAD)}


def told(made: Trace, query: int, key: int) -> str:
    return " ".join(link.latex for link in chain(made, query, key, batch=1, head=HEAD))


def test_its_numbers_are_those_of_torch():
    made = trace(mask="causal")
    q, k = (made[id].value[1, HEAD] for id in ("queries", "keys"))
    scores = q @ k.T
    scaled = (scores / D_K**0.5).masked_fill(torch.ones(N, N).triu(1).bool(), -torch.inf)
    expected = {"scores": scores, "scaled": scaled, "weights": scaled.softmax(-1)}
    found = numbers(made)
    assert list(found) == list(expected)
    for id, matrix in expected.items():
        assert_close(found[id], float(matrix[QUERY, KEY]), rtol=1e-5, atol=1e-6)
    # The same weight by torch's own function, read off with values that name the keys.
    weights = F.scaled_dot_product_attention(q, k, torch.eye(N), is_causal=True)
    assert_close(found["weights"], float(weights[QUERY, KEY]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("d_k", "left"), [(7, 0), (8, 0), (11, 4)])
def test_a_score_of_many_products_says_how_many_it_leaves_out(d_k, left):
    made = Trace()
    q, k, v = torch.randn(3, 2, d_k, generator=torch.Generator().manual_seed(5))
    scaled_dot_product_attention(q, k, v, trace=made)
    first, *others = chain(made, 1, 0)
    assert (first.left, r"\cdots" in first.latex) == (left, left > 0)
    assert not any(link.left for link in others)


def test_a_mask_that_hides_the_key_is_a_link_and_one_that_does_not_is_none():
    made = trace(mask="causal")
    assert "masked" not in numbers(made, QUERY, KEY)
    hidden = numbers(made, KEY, QUERY)
    assert hidden["masked"] == -torch.inf
    assert hidden["weights"] == 0
    assert r"+ M = -\infty" in told(made, KEY, QUERY)


def test_a_cap_a_bias_and_a_sink_are_told_and_a_mask_that_lets_through_is_not():
    q, k, v = torch.randn(3, N, D_K, generator=torch.Generator().manual_seed(5))
    made, mask = Trace(), grid("causal", N, N)
    options = {"softcap": 0.7, "slopes": torch.tensor(0.25), "sink": torch.tensor(1.5), "mask": mask}
    scaled_dot_product_attention(q, k, v, **options, trace=made)
    links = chain(made, QUERY, KEY)
    assert [link.id for link in links] == ["scores", "scaled", "softcapped", "biased", "weights"]
    scaled = float(q[QUERY] @ k[KEY]) / D_K**0.5
    capped = 0.7 * torch.tanh(torch.tensor(scaled) / 0.7)
    assert_close(links[3].value, float(capped) - 0.25 * (QUERY - KEY), rtol=1e-5, atol=1e-6)
    assert "+ e^{z})" in links[-1].latex
    assert r"0.7\, \tanh(" in links[2].latex


@pytest.mark.parametrize("key", range(N))
def test_dropout_is_a_link_that_says_whether_the_weight_was_kept(key):
    made = trace(dropout=0.5)
    kept, weight = (made[id].value[1, HEAD, QUERY, key] for id in ("kept", "weights"))
    said = chain(made, QUERY, key, batch=1, head=HEAD)[-1]
    assert said.id == "dropped"
    assert_close(said.value, float(weight * kept / 0.5), rtol=1e-5, atol=1e-7)
    shown = number(float(weight))
    assert said.latex == rf"\rightarrow\; {shown} \cdot {int(kept)} / (1 - 0.5) = {number(said.value)}"


@pytest.mark.parametrize(("scale", "by"), [(None, r"/ 2.646"), (-0.3, r"\cdot (-0.3)")])
def test_the_line_says_by_what_the_score_is_scaled(scale, by):
    made = trace(scale=scale)
    score, scaled = (number(numbers(made, QUERY, KEY)[id]) for id in ("scores", "scaled"))
    said = told(made, QUERY, KEY)
    assert rf"\rightarrow\; {score} {by} = {scaled}" in said


def test_products_with_zero_are_not_written():
    made = Trace()
    q, k = torch.zeros(1, 1, 2, D_K), torch.ones(1, 1, 3, D_K)
    q[0, 0, 1, 2], q[0, 0, 1, 5] = 12, 13
    scaled_dot_product_attention(q, k, k, trace=made)
    said = " ".join(link.latex for link in chain(made, 1, 2))
    assert said.startswith(r"q \cdot k = 12 \cdot 1 + 13 \cdot 1 = 25 ")
    assert chain(made, 0, 2)[0].latex.startswith(r"q \cdot k = 0")
    assert re.search(r"e\^\{9\.449\} / .* = 0\.3333", said)


def test_a_pair_that_is_not_there_is_refused():
    with refused(f"row {N} is outside step 'scores', which has {N}"):
        chain(trace(), N, KEY)
