"""The formulas give the counts of torch, and the numbers of the published sizes."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa
from torch.utils.flop_counter import FlopCounterMode

from attention import MultiHeadAttention
from attention.analysis import costs
from attention.analysis.costs import MODELS, Layer
from tests.support import drawn, refused, seeded

GPT2, LLAMA = MODELS["gpt2"], MODELS["llama3"]
GIGA, GIB = 10**9, 2**30


@pytest.mark.parametrize("layer", [Layer(17, 3, 5), Layer(11, 1, 7, d_v=13), Layer(23, 5, 2, d_v=3)], ids=str)
def test_the_package_does_as_many_operations_as_the_formulas_say(layer):
    n, module = 19, MultiHeadAttention(layer.d_model, layer.heads, d_k=layer.d_k, d_v=layer.d_v, generator=seeded())
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        module(torch.zeros(n, layer.d_model))
    assert counter.get_total_flops() == costs.projections(layer, n) + costs.pairs(layer, n)


@pytest.mark.parametrize(("n", "layer"), [(1024, GPT2), (8192, LLAMA), (29, Layer(7, 6, 5, kv_heads=3, d_v=11))])
def test_grouped_heads_do_as_many_operations_as_the_formulas_say(n, layer):
    def product(width: int, heads: int) -> torch.Tensor:
        made = torch.empty(n, layer.d_model) @ torch.empty(layer.d_model, heads * width)
        return made.unflatten(-1, (heads, width)).transpose(0, 1)

    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        q, k, v = product(layer.d_k, layer.heads), product(layer.d_k, layer.groups), product(layer.values, layer.groups)
        repeats = layer.heads // layer.groups
        scores = q @ k.repeat_interleave(repeats, 0).mT
        outputs = scores.softmax(-1) @ v.repeat_interleave(repeats, 0)
        outputs.transpose(0, 1).flatten(1) @ torch.empty(layer.heads * layer.values, layer.d_model)
        attention = counter.get_total_flops()
        hidden = torch.empty(n, layer.d_model) @ torch.empty(layer.d_model, max(1, layer.hidden))
        for _ in range(layer.matrices - 1):
            hidden @ torch.empty(max(1, layer.hidden), layer.d_model)
    assert attention == costs.projections(layer, n) + costs.pairs(layer, n)
    if layer.hidden:
        assert counter.get_total_flops() - attention == costs.feed_forward(layer, n)


def test_torch_counts_a_causal_mask_as_the_whole_square():
    n, layer = 31, Layer(6, 2, 3)
    # The tensors are on "meta": for its fused kernel on CPUs, torch's counter gives 0.
    q, k, v = (torch.zeros(1, 2, n, 3, device="meta") for _ in range(3))
    counted = []
    for causal in (False, True):
        with FlopCounterMode(display=False) as counter:
            sdpa(q, k, v, is_causal=causal)
        counted.append(counter.get_total_flops())
    assert counted == [costs.pairs(layer, n)] * 2
    assert costs.pairs(layer, n, causal=True) * 2 == costs.pairs(layer, n) * (n + 1) // n


def test_linear_attention_does_as_many_operations_as_the_formula_says():
    n, layer = 37, Layer(10, 2, 5, d_v=3)
    phi_q, phi_k, v = drawn((2, n, 5), (2, n, 5), (2, n, 3))
    with FlopCounterMode(display=False) as counter:
        state, total = phi_k.mT @ v, phi_k.sum(-2)
        phi_q @ state, phi_q @ total[..., None]
    assert counter.get_total_flops() == costs.linear(layer, n)


@pytest.mark.parametrize(
    ("layer", "n", "proj", "hidden", "square", "share", "causal", "scores"),
    [
        (GPT2, 1024, 4.83, 9.66, 3.22, 0.18, 0.10, 24 / 1024),
        (GPT2, 8192, 38.7, 77.3, 206, 0.64, 0.47, 1.5),
        (LLAMA, 8192, 687, 2886, 1100, 0.24, 0.13, 4),
        (LLAMA, 131_072, 10_995, 46_179, 281_475, 0.83, 0.71, 1024),
    ],
)
def test_the_numbers_of_published_sizes(layer, n, proj, hidden, square, share, causal, scores):
    """The columns are GFLOP of a layer, the share of n^2 (causal in brackets), and S of all heads in GiB at 16 bits."""
    rest = costs.projections(layer, n) + costs.feed_forward(layer, n)
    assert costs.projections(layer, n) / GIGA == pytest.approx(proj, rel=5e-3)
    assert costs.feed_forward(layer, n) / GIGA == pytest.approx(hidden, rel=5e-3)
    assert costs.pairs(layer, n) / GIGA == pytest.approx(square, rel=5e-3)
    assert costs.pairs(layer, n) / (rest + costs.pairs(layer, n)) == pytest.approx(share, abs=6e-3)
    half = costs.pairs(layer, n, causal=True)
    assert half / (rest + half) == pytest.approx(causal, abs=6e-3)
    assert costs.scores_bytes(layer.heads, n) / GIB == scores


def test_where_the_square_overtakes():
    assert [costs.overtakes_projections(layer) for layer in (GPT2, LLAMA)] == [1536, 5120]
    assert [costs.overtakes_layer(layer) for layer in (GPT2, LLAMA)] == [4608, 26_624]
    for layer in (GPT2, LLAMA):
        n = int(costs.overtakes_projections(layer))
        assert costs.pairs(layer, n) == costs.projections(layer, n)


def test_a_head_of_128k_has_32_gib_of_scores():
    assert costs.scores_bytes(1, 131_072) == 32 * GIB


def test_tiles_move_as_much_as_theorem_2_says():
    """For large n the traffic is n^2 d / queries: twice the queries move half as much."""
    layer, n = Layer(64, 1, 64), 2**20
    once, half = (costs.tiled_traffic(layer, n, queries) for queries in (64, 128))
    assert once / half == pytest.approx(2, rel=1e-3)
    assert costs.tiled_traffic(layer, n, n) == 4 * n * 64
    assert costs.traffic(layer, n) / n**2 == pytest.approx(4, rel=1e-3)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"d_model": 0, "heads": 1, "d_k": 1}, "d_model must be at least 1, got 0"),
        ({"d_model": 8, "heads": 4, "d_k": 2, "kv_heads": 3}, "kv_heads must divide heads, got 3 and 4"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes, message):
    with refused(message):
        Layer(**sizes)
