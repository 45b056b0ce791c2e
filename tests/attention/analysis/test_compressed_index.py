"""An index from a layer's weights: with all features, its products are the scores; kept shares are added by hand."""

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.analysis.compressed_index import compressed_index, kept_by_size
from attention.indexed import indexed_attention
from tests.support import BATCH, HEADS, KEYS, QUERIES, drawn, qkv, refused, seeded

D_MODEL, D_CONTEXT, D_K, D_V = 17, 19, 11, 13


def record(*, crossed: bool, kv_heads: int = HEADS) -> Trace:
    """A layer's record with queries and keys from x or, if `crossed`, with keys from a context of another width."""
    more = {"d_context": D_CONTEXT} if crossed else {}
    sizes = {"heads": HEADS, "kv_heads": kv_heads, "d_k": D_K, "d_v": D_V}
    layer = MultiHeadAttention(D_MODEL, **sizes, **more, generator=seeded()).double()
    x, context = drawn((BATCH, QUERIES, D_MODEL), (BATCH, KEYS, D_CONTEXT))
    trace = Trace()
    layer(x, context if crossed else None, trace=trace)
    return trace


@pytest.mark.parametrize("kv_heads", [HEADS, 1])
@pytest.mark.parametrize("crossed", [True, False])
def test_with_all_features_its_products_are_the_scores(crossed, kv_heads):
    trace = record(crossed=crossed, kv_heads=kv_heads)
    features = D_CONTEXT if crossed else D_MODEL
    for batch in range(BATCH):
        q, k, w = compressed_index(trace, features, batch=batch)
        torch.testing.assert_close(q @ k.mT, trace["scores"].of_heads(HEADS, batch=batch), rtol=0, atol=1e-11)
        assert w.shape == q.shape[:-1]
        assert (w == 1).all()


def test_fewer_features_are_the_best_of_their_number():
    """The error is that of the smallest singular values of the stacked W_Q W_K^T (Eckart and Young)."""
    trace = record(crossed=True)
    stacked = (trace["w_q"].value @ trace["w_k"].value.mT).flatten(0, 1)
    sizes = torch.linalg.svdvals(stacked)
    for features in (1, 5):
        # With X = I the queries are W_Q, so that the index multiplies the stacked matrix itself.
        whole = Trace()
        layer = MultiHeadAttention(
            D_MODEL, heads=HEADS, d_k=D_K, d_v=D_V, d_context=D_CONTEXT, generator=seeded()
        ).double()
        layer(torch.eye(D_MODEL)[None].double(), torch.eye(D_CONTEXT)[None].double(), trace=whole)
        q, k, _ = compressed_index(whole, features)
        missed = (q @ k.mT).flatten(0, 1) - stacked
        assert missed.square().sum().item() == pytest.approx(sizes[features:].square().sum().item(), rel=1e-10)


def test_what_k_keys_keep_is_the_sum_of_their_weights():
    q, k, v = (each[0] for each in qkv())
    q_i, k_i, w_i = drawn((2, QUERIES, 3), (KEYS, 3), (2, QUERIES), seed=4)
    mask, whole = grid("causal", QUERIES, KEYS, corner="lower_right"), Trace()
    scaled_dot_product_attention(q, k, v, mask=mask, trace=whole)
    weights, found = whole["weights"].value, None
    for keep in range(1, KEYS + 1):
        trace = Trace()
        indexed_attention(q, k, v, q_i, k_i, w_i, keep, mask=mask, trace=trace)
        found = kept_by_size(weights, trace["index_scores"].value, mask) if found is None else found
        wanted = (weights * trace["mask"].value).sum(-1).mean(0)
        torch.testing.assert_close(found[:, keep - 1], wanted)
        # The remaining weights are divided by their sum.
        again = weights * trace["mask"].value
        torch.testing.assert_close(trace["weights"].value, again / again.sum(-1, keepdim=True))
    best = kept_by_size(weights, weights.mean(0), mask)
    assert (best - found >= -1e-15).all()
    torch.testing.assert_close(best[:, -1], torch.ones(QUERIES, dtype=torch.float64))


def test_bad_arguments_are_refused():
    trace = record(crossed=True)
    with refused("features must be at most d_context 19, got 20"):
        compressed_index(trace, 20)
    with refused("features must be at least 1, got 0"):
        compressed_index(trace, 0)
    alone = Trace()
    scaled_dot_product_attention(*qkv(), trace=alone)
    with refused("an index is made from the weights of a module; this record has none"):
        compressed_index(alone, 2)
