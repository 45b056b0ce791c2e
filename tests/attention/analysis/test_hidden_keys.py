"""A weight, its contribution, and the output without its key, compared with torch."""

import math

import pytest
import torch
from torch.nn import functional as F

from attention.analysis.hidden_keys import importance, score_variance, value_lengths
from attention.masks import grid
from attention.modules import MultiHeadAttention
from attention.trace import Trace
from tests.support import refused, seeded

N, HEADS, D_K, D_MODEL = 7, 3, 5, 11


def traced(mask: torch.Tensor | None = None) -> Trace:
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, bias=True, generator=seeded())
    trace = Trace()
    with torch.inference_mode():
        module(torch.randn(2, N, D_MODEL, generator=seeded(3)), mask=mask, trace=trace)
    return trace


@pytest.mark.parametrize("masked", [False, True])
def test_hiding_a_key_is_what_torch_makes_of_it(masked):
    mask = grid("causal", N, N) if masked else None
    trace = traced(mask)
    query, head, batch = 4, 2, 1
    found = importance(trace, query, batch=batch, head=head)
    q, k, v = (trace[id].value[batch, head].double() for id in ("queries", "keys", "values"))
    w_o = trace["w_o"].value[head * D_K : (head + 1) * D_K].double()
    output = trace["output"].value[batch, head, query].double()
    for key in range(N):
        weight = float(trace["weights"].value[batch, head, query, key])
        assert float(found.weight[key]) == pytest.approx(weight)
        assert float(found.brought[key]) == pytest.approx(float((weight * v[key] @ w_o).norm()), rel=1e-5)
        seen = torch.ones(N, N, dtype=torch.bool) if mask is None else mask.clone()
        seen[query, key] = False
        without = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)[query]
        expected = float(((without - output) @ w_o).norm()) if weight else 0.0
        assert float(found.hidden[key]) == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_a_query_that_is_not_there_is_refused():
    with refused("query must lie between 0 and 6, got 7"):
        importance(traced(), 7)


def test_lengths_are_those_of_the_values_after_w_o():
    trace = traced()
    values, w_o = trace["values"].value, trace["w_o"].value
    expected = (values[1, 2, 3] @ w_o[2 * D_K :]).norm()
    torch.testing.assert_close(value_lengths(trace)[1, 2, 3], expected)


@pytest.mark.parametrize("masked", [False, True])
def test_the_variance_is_that_of_the_pairs_that_are_seen(masked):
    mask = grid("causal", N, N) if masked else None
    trace = traced(mask)
    scaled = trace["scaled"].value[1, 2].double()
    pairs = [float(scaled[i, j]) for i in range(N) for j in range(N) if mask is None or mask[i, j]]
    mean = math.fsum(pairs) / len(pairs)
    expected = math.fsum((pair - mean) ** 2 for pair in pairs) / len(pairs)
    assert float(score_variance(trace)[1, 2]) == pytest.approx(expected)
