"""Every variant on one set of numbers: digits that were computed once in plain PyTorch.

The digits are the first three features of the last query's output, in float64.
"""

import math
from itertools import accumulate, pairwise

import pytest
import torch
import torch.nn.functional as F

from attention import Trace, grid, scaled_dot_product_attention
from attention.analysis.online_softmax import tiled
from attention.cache import Cache
from attention.positions import frequencies, rotate, slopes
from tests.support.published import CAUSAL, HEADS, NEAR, PAIR, SINK, YARN, D, K, N, Q, V, attend, drawn

# For each variant: keys and values, keywords, head, digits.
DIGITS = {
    "plain": ((K, V), {}, 0, (0.086352, 0.105947, -0.435887)),
    "softcap 1/2": ((K, V), {"softcap": 0.5}, 0, (-0.091478, 0.132813, -0.152810)),
    "softcap 50": ((K, V), {"softcap": 50.0}, 0, (0.086269, 0.105958, -0.435742)),
    "grouped": (PAIR, {"enable_gqa": True}, 1, (-1.501919, 0.376491, 0.700417)),
    "sink 1": ((K, V), {"sink": SINK}, 2, (-0.661375, -0.070148, -0.193810)),
    "half-split": ((K, V), {"rotary": frequencies(D)}, 0, (0.106093, 0.097960, -0.467520)),
    "interleaved": (
        (K, V),
        {"rotary": frequencies(D), "interleaved": True},
        0,
        (0.163741, 0.053452, -0.478203),
    ),
    "base 500 000": ((K, V), {"rotary": frequencies(D, base=5e5)}, 0, (0.065374, 0.113062, -0.453070)),
    "window": (
        (K, V),
        {"mask": grid("causal & window", N, N, width=4)},
        0,
        (-0.071540, 0.001392, -0.013933),
    ),
    "qk-norm": ((K, V), {"qk_norm": True}, 0, (0.000645, 0.065336, -0.383004)),
    "alibi": ((K, V), {"slopes": slopes(HEADS)}, 0, (0.084122, 0.022665, -0.338876)),
    "yarn's scale": ((K, V), {"scale": YARN**2 / math.sqrt(D)}, 0, (0.225077, 0.090607, -0.667885)),
}


def test_the_numbers_are_drawn_as_they_were():
    expected = torch.tensor((-2.310412, -0.373251, -1.060817), dtype=torch.float64)
    torch.testing.assert_close(Q[0, 0, 0, :3], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", DIGITS)
def test_the_digits_of_a_variant(name):
    parts, options, head, expected = DIGITS[name]
    digits = attend(parts, **options)[0, head, -1, :3]
    torch.testing.assert_close(digits, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-6)


def test_the_digits_of_the_plain_run_are_those_of_a_cache_and_of_tiles():
    expected = torch.tensor(DIGITS["plain"][3], dtype=torch.float64)
    past = Cache(K[:, :, :-1], V[:, :, :-1])
    cached = scaled_dot_product_attention(Q[:, :, -1:], K[:, :, -1:], V[:, :, -1:], past=past)
    torch.testing.assert_close(cached[0, 0, -1, :3], expected, rtol=0, atol=1e-6)
    trace = Trace()
    attend(trace=trace)
    for tile in (1, 2, 5, N):
        output = tiled(trace, queries=tile, keys=tile).output
        torch.testing.assert_close(output[-1, :3], expected, rtol=0, atol=1e-6)


def test_the_digits_of_latent_attention_by_the_keys_and_values_that_it_stands_for():
    """DeepSeek 2024, equations 9 to 11: k and v come from one latent for each token; the rotary key is shared."""
    d_model, latent, plain, turned = 32, 6, 8, 4
    x, up_k, up_v = drawn(3, N, d_model), drawn(4, HEADS, latent, plain), drawn(5, HEADS, latent, plain)
    c = x @ drawn(6, d_model, latent) / d_model**0.5
    theta = frequencies(turned)
    angles = torch.arange(N, dtype=torch.float64)[:, None] * theta
    key = rotate(x @ drawn(7, d_model, turned) / d_model**0.5, angles)
    query = torch.cat((Q[0], rotate(drawn(8, HEADS, N, turned), angles)), -1)
    whole = scaled_dot_product_attention(
        query, torch.cat((c @ up_k, key.expand(HEADS, N, turned)), -1), c @ up_v, mask=CAUSAL
    )
    expected = torch.tensor((0.392905, -1.099763, 1.957785), dtype=torch.float64)
    torch.testing.assert_close(whole[0, -1, :3], expected, rtol=0, atol=1e-6)
    # Absorbed form: the latent is the key and value of every head, and only the output is decompressed.
    absorbed = torch.cat((Q[0] @ up_k.mT, query[..., plain:]), -1)
    latents = scaled_dot_product_attention(
        absorbed,
        torch.cat((c, key), -1)[None],
        c[None],
        enable_gqa=True,
        scale=(plain + turned) ** -0.5,
        mask=CAUSAL,
    )
    torch.testing.assert_close(latents @ up_v, whole, **NEAR)


def test_the_digits_of_linear_attention_by_the_scores_that_it_stands_for():
    """Katharopoulos et al. 2020, section 3.2: softmax of log(f(q) f(k)) divides f(q) f(k) by the sum of its row."""
    f = F.elu(Q) + 1, F.elu(K) + 1
    scores = (f[0] @ f[1].mT).log().masked_fill(~CAUSAL, -math.inf)
    output = scaled_dot_product_attention(torch.zeros_like(Q), K, V, mask=scores)
    expected = torch.tensor((-0.059940, 0.108143, -0.225293), dtype=torch.float64)
    torch.testing.assert_close(output[0, 0, -1, :3], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("chunks", [(1,) * N, (9, 3), (5, 7)], ids=str)
@pytest.mark.parametrize(
    "options",
    [{}, {"rotary": frequencies(D), "slopes": slopes(HEADS)}, {"qk_norm": True, "sink": SINK}],
    ids=["plain", "positions", "norm and sink"],
)
def test_a_cache_gives_what_one_pass_gives(chunks, options):
    past, rows = Cache(), []
    for start, end in pairwise((0, *accumulate(chunks))):
        parts = (each[:, :, start:end] for each in (Q, K, V))
        rows.append(scaled_dot_product_attention(*parts, past=past, mask=CAUSAL[start:end, :end], **options))
    assert len(past) == N
    torch.testing.assert_close(torch.cat(rows, 2), attend(**options), **NEAR)


def test_sums_of_the_last_row_under_a_sink():
    trace = Trace()
    attend(sink=SINK, trace=trace)
    sums = trace["weights"].value.sum(-1)[0, :, -1]
    expected = torch.tensor((1, 0.945395, 0.880585, 0.603780), dtype=torch.float64)
    torch.testing.assert_close(sums, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("sink", "weight"), [(0.0, 0.919841), (2.0, 0.608304), (5.0, 0.071770)])
def test_sums_of_four_scores_under_a_sink(sink, weight):
    scores = torch.tensor([[1.0, 0, -1, 2]], dtype=torch.float64)
    trace = Trace()
    one = torch.ones(1, 1, dtype=torch.float64)
    scaled_dot_product_attention(one, scores.mT, scores.mT, sink=torch.tensor(sink), trace=trace)
    assert trace["weights"].value.sum().item() == pytest.approx(weight, abs=1e-6)


def test_an_empty_row_under_a_sink_that_takes_nothing_has_no_weights():
    mask = CAUSAL.clone()
    mask[5] = False
    output = attend(mask=mask, sink=SINK)
    assert output[:, :, 5].abs().max() == 0
    assert not output.isnan().any()


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (8, [2.0**-n for n in range(1, 9)]),
        (6, [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]),
        (12, [*(2.0**-n for n in range(1, 9)), 0.7071, 0.3536, 0.1768, 0.0884]),
    ],
    ids=str,
)
def test_slopes_of_any_number_of_heads(heads, expected):
    torch.testing.assert_close(slopes(heads), torch.tensor(expected, dtype=torch.float64), rtol=0, atol=5e-5)


@pytest.mark.parametrize("heads", range(1, 33))
def test_slopes_are_a_geometric_series_and_between_powers_of_two_every_other_of_the_next_one(heads):
    """Press et al. 2022, section 3, and the authors' code for any number of heads."""

    def series(count: int) -> list[float]:
        return [2 ** (-8 * n / count) for n in range(1, count + 1)]

    power = 1 << (heads.bit_length() - 1)
    expected = [*series(power), *series(2 * power)[::2]][:heads]
    torch.testing.assert_close(slopes(heads), torch.tensor(expected, dtype=torch.float64), **NEAR)


def test_a_cap_after_the_mask_would_leak():
    """The reason why the cap comes first: at 1/2, the first row gives most of its weight to the future."""
    trace = Trace()
    attend(trace=trace)
    leaky = (0.5 * torch.tanh(trace["masked"].value / 0.5)).softmax(-1)
    assert leaky[0, 0, 0, 1:].sum().item() == pytest.approx(0.847, abs=1e-3)
    attend(softcap=0.5, trace=(capped := Trace()))
    assert capped["weights"].value[0, :, 0, 1:].abs().max() == 0
