"""The common mistakes about the d under the root, on the same numbers."""

import math

import pytest
import torch
from torch.nn import functional as F

from attention import MultiHeadAttention, Trace
from attention.experiments.wrong_scale import by_scale, which_d
from attention.masks import grid
from attention.scales import SCALES
from tests.support import drawn, refused, seeded

BATCH, N, D_MODEL, HEADS, D_K = 2, 11, 21, 3, 7
CAUSAL = grid("causal", N, N)


def run(*shape: int, **options) -> Trace:
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, generator=seeded(2)).double()
    trace = Trace()
    with torch.no_grad():
        module(*drawn((*(shape or (BATCH, N)), D_MODEL)), trace=trace, **options)
    return trace


@pytest.fixture(scope="module")
def table():
    return which_d(generator=seeded()).set_index("scale")


def test_every_scale_has_a_row_and_its_factor(table):
    assert list(table.index) == list(SCALES)
    expected = [1 / 8, 1, 1 / 64, 1 / math.sqrt(512), 1 / math.sqrt(8), 1]
    assert table["factor"].tolist() == pytest.approx(expected)


def test_the_spread_is_the_factor_times_the_root_of_d_k(table):
    assert table["spread_theory"].tolist() == pytest.approx([1, 8, 1 / 8, 1 / math.sqrt(8), math.sqrt(8), 8])
    assert table["spread"].tolist() == pytest.approx(table["spread_theory"].tolist(), rel=0.03)


def test_a_root_of_d_model_divides_too_much_and_of_the_heads_too_little(table):
    entropy, largest = table["entropy"], table["largest"]
    assert entropy["none"] < entropy["sqrt_heads"] < entropy["sqrt_d_k"] < entropy["sqrt_d_model"] < entropy["d_k"]
    assert entropy["d_k"] == pytest.approx(math.log(64), rel=0.01)
    assert largest["none"] > largest["sqrt_heads"] > largest["sqrt_d_k"] > largest["sqrt_d_model"] > largest["d_k"]


def test_scaling_after_softmax_leaves_it_saturated_and_its_rows_short(table):
    assert table["entropy"]["after_softmax"] == table["entropy"]["none"]
    assert table["row_sum"]["after_softmax"] == pytest.approx(1 / 8)
    assert table["row_sum"].drop("after_softmax").tolist() == pytest.approx([1] * 5)


def test_with_one_head_the_root_of_d_model_is_the_right_one():
    table = which_d(64, 1, generator=seeded()).set_index("scale")
    assert table.loc["sqrt_d_model"].tolist() == table.loc["sqrt_d_k"].tolist()
    assert table["factor"]["sqrt_heads"] == 1


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (
            lambda: which_d(10, 3, generator=seeded()),
            "d_model 10 is not divisible by heads 3; heads may be 1, 2, 5, 10, or give d_k",
        ),
        (lambda: which_d(tokens=0, generator=seeded()), "tokens must be at least 1, got 0"),
        (lambda: which_d(sentences=0, generator=seeded()), "sentences must be at least 1, got 0"),
    ],
)
def test_what_does_not_fit_is_refused(work, text):
    with refused(text):
        work()


class TestOnARecord:
    @pytest.mark.parametrize("scale", SCALES)
    def test_it_is_torch_with_that_scale(self, scale):
        trace = run(mask=CAUSAL)
        found = by_scale(trace, scale, D_MODEL)
        q, k = trace["queries"].value, trace["keys"].value
        eye = torch.eye(N, dtype=torch.float64)
        weights = F.scaled_dot_product_attention(q, k, eye, is_causal=True, scale=found["factor"])
        assert found["largest"] == pytest.approx(weights.amax(-1).mean().item(), abs=1e-12)
        expected = torch.distributions.Categorical(weights).entropy().mean().item()
        assert found["entropy"] == pytest.approx(expected, abs=1e-9)
        assert found["spread"] == pytest.approx((q @ k.mT * found["factor"]).std(correction=0).item(), abs=1e-12)
        assert found["row_sum"] == pytest.approx(1 / math.sqrt(D_K) if scale == "after_softmax" else 1)

    def test_the_factors_are_those_of_the_names(self):
        found = {scale: by_scale(run(), scale, D_MODEL)["factor"] for scale in SCALES}
        roots = {"sqrt_d_k": D_K, "sqrt_d_model": D_MODEL, "sqrt_heads": HEADS}
        expected = {name: size**-0.5 for name, size in roots.items()} | {"none": 1, "after_softmax": 1, "d_k": 1 / D_K}
        assert found == pytest.approx(expected)

    def test_the_root_of_d_model_shrinks_the_spread_by_the_root_of_the_heads(self):
        """The sizes have d_k = d_model / heads."""
        trace = run()
        right, wrong = (by_scale(trace, scale, HEADS * D_K)["spread"] for scale in ("sqrt_d_k", "sqrt_d_model"))
        assert wrong / right == pytest.approx(1 / math.sqrt(HEADS))

    @pytest.mark.parametrize("scale", SCALES)
    def test_a_sentence_without_a_batch_is_a_batch_of_one(self, scale):
        alone, batch = (by_scale(run(*shape), scale, D_MODEL) for shape in ((N,), (1, N)))
        assert alone == pytest.approx(batch, abs=1e-12)

    def test_a_query_that_sees_nothing_does_not_count(self):
        mask = CAUSAL.clone()
        mask[4] = False
        assert by_scale(run(mask=mask), "none", D_MODEL)["row_sum"] == pytest.approx(1)

    def test_an_unknown_scale_is_refused(self):
        with refused(f"unknown scale 'banana'; one of {', '.join(SCALES)}"):
            by_scale(run(), "banana", D_MODEL)
