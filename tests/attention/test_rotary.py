"""Rotary positions: the digits of the paper's equations, what a score depends on, and the two conventions."""

import math

import pytest
import torch

from attention import Trace, scaled_dot_product_attention
from attention.positions import SCALINGS, frequencies, rotate, sinusoidal
from tests.support import CLOSE, EXACT, drawn, refused

N, D, HEADS = 11, 22, 3
THETA = frequencies(D)
NEAR = CLOSE[torch.float64]
# Feature 2j of the interleaved order stands at j of the half-split one, and 2j + 1 at j + d / 2.
HALVES = torch.cat((torch.arange(0, D, 2), torch.arange(1, D, 2)))


def angles(start: int = 0, theta: torch.Tensor = THETA) -> torch.Tensor:
    return torch.arange(start, start + N, dtype=torch.float64)[:, None] * theta


@pytest.mark.parametrize("d_model", [11, 14])
def test_the_waves_of_the_paper(d_model):
    """Vaswani et al. 2017, section 3.5, feature by feature."""
    found = sinusoidal(N, d_model)
    for p in range(N):
        for i in range(d_model):
            angle = p / 10_000 ** (2 * (i // 2) / d_model)
            assert found[p, i].item() == pytest.approx((math.cos if i % 2 else math.sin)(angle), abs=1e-5)


@pytest.mark.parametrize(
    ("interleaved", "expected"),
    [(True, (-1.142640, 1.922076, 2.959851, 4.029800)), (False, (-1.984111, 1.959901, 2.462378, 4.019800))],
)
def test_four_features_at_position_one_by_hand(interleaved, expected):
    x = torch.tensor([[1.0, 2, 3, 4]], dtype=torch.float64)
    turned = rotate(x, frequencies(4)[None], interleaved=interleaved)
    torch.testing.assert_close(turned, torch.tensor([expected], dtype=torch.float64), rtol=0, atol=1e-6)


def test_some_of_four_features_turn_by_hand():
    """Frequencies are those of the features that turn, or, as in Gemma 4, of all of them with 0 for the slow ones."""
    x = torch.tensor([[1.0, 2, 3, 4]], dtype=torch.float64)
    for theta, expected in (
        (frequencies(2), (-1.142640, 1.922076, 3, 4)),
        (torch.tensor([1.0, 0.0], dtype=torch.float64), (-1.984111, 2, 2.462378, 4)),
    ):
        turned = rotate(x, theta[None])
        torch.testing.assert_close(turned, torch.tensor([expected], dtype=torch.float64), rtol=0, atol=1e-6)


@pytest.mark.parametrize("interleaved", [False, True])
def test_the_part_of_a_score_that_turns_depends_on_the_distance_and_the_other_on_nothing(interleaved):
    """Digits of another program, of 8 features of which 4 turn."""
    q, k = (torch.randn(8, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)[None] for seed in (0, 1))
    for at_q, at_k in ((5, 2), (105, 102)):
        trace = Trace()
        at = {"positions": torch.tensor([at_q]), "key_positions": torch.tensor([at_k])}
        options = {"rotary": frequencies(4), "interleaved": interleaved, "trace": trace, **at}
        scaled_dot_product_attention(q, k, k, **options)
        turned, met = (trace[f"{id}_rotated"].value[0] for id in ("queries", "keys"))
        products = turned * met
        assert products[4:].sum().item() == pytest.approx(0.428108, abs=1e-6)
        if not interleaved:
            assert products[:4].sum().item() == pytest.approx(-0.394436, abs=1e-6)
            assert trace["scores"].value.item() == pytest.approx(0.033672, abs=1e-6)
        assert trace["scores"].value.item() == pytest.approx(products.sum().item(), abs=1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_function_of_transformers_turns_the_same_features(dtype):
    theirs = pytest.importorskip("transformers.models.qwen3_next.modeling_qwen3_next").apply_rotary_pos_emb
    d_r, d_k = 14, 19
    q, k, v = drawn((HEADS, N, d_k), (HEADS, N, d_k), (HEADS, N, 13), dtype=dtype)
    trace = Trace()
    scaled_dot_product_attention(q, k, v, rotary=frequencies(d_r), trace=trace)
    doubled = torch.cat([torch.arange(N, dtype=torch.float64)[:, None] * frequencies(d_r)] * 2, -1)
    wanted = theirs(q[None], k[None], *(each.to(dtype)[None] for each in (doubled.cos(), doubled.sin())))
    for id, each in zip(("queries", "keys"), wanted, strict=True):
        torch.testing.assert_close(trace[f"{id}_rotated"].value, each[0], **CLOSE[dtype])


def test_interleaved_pairs_turn_as_complex_numbers_do():
    (q,) = drawn((HEADS, N, D))
    turns = torch.polar(torch.ones(N, D // 2, dtype=torch.float64), angles())
    complex_ = torch.view_as_complex(q.unflatten(-1, (-1, 2)).contiguous()) * turns
    torch.testing.assert_close(rotate(q, angles(), interleaved=True), torch.view_as_real(complex_).flatten(-2), **NEAR)


def test_the_conventions_differ_by_the_order_of_the_features_alone():
    (q,) = drawn((HEADS, N, D))
    torch.testing.assert_close(
        rotate(q[..., HALVES], angles()), rotate(q, angles(), interleaved=True)[..., HALVES], **NEAR
    )


@pytest.mark.parametrize("interleaved", [False, True])
def test_scores_depend_on_the_distance_alone_and_lengths_stay(interleaved):
    q, k = drawn((HEADS, N, D), (HEADS, N, D))
    near, far = ([rotate(x, angles(start), interleaved=interleaved) for x in (q, k)] for start in (0, 997))
    torch.testing.assert_close(far[0] @ far[1].mT, near[0] @ near[1].mT, rtol=0, atol=1e-11)
    torch.testing.assert_close(near[0].norm(dim=-1), q.norm(dim=-1), **NEAR)
    # Q and K are compared, because a rotation of both by the same angle would pass the lines above with any signs.
    assert (near[0] @ near[1].mT - q @ k.mT).abs().max() > 1


def test_attention_turns_queries_and_keys_and_no_values():
    q, k, v = drawn((HEADS, N, D), (HEADS, N, D), (HEADS, N, 13))
    trace = Trace()
    output = scaled_dot_product_attention(q, k, v, rotary=THETA, trace=trace)
    expected = scaled_dot_product_attention(rotate(q, angles()), rotate(k, angles()), v)
    torch.testing.assert_close(output, expected, **NEAR)
    torch.testing.assert_close(trace["values"].value, v, **EXACT)
    torch.testing.assert_close(trace["query_angles"].value, angles(), **NEAR)


def test_given_positions_are_those_that_count():
    q, k, v = drawn((HEADS, N, D), (HEADS, N, D), (HEADS, N, 13))
    at = {"positions": torch.arange(N) + 7, "key_positions": torch.arange(N)}
    output = scaled_dot_product_attention(q, k, v, rotary=THETA, **at)
    expected = scaled_dot_product_attention(rotate(q, angles(7)), rotate(k, angles()), v)
    torch.testing.assert_close(output, expected, **NEAR)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_short_formats_turn_by_angles_in_float32(dtype):
    (q,) = drawn((HEADS, N, D), dtype=dtype)
    trace = Trace()
    positions = torch.arange(N) + 989
    at = {"positions": positions, "key_positions": positions}
    scaled_dot_product_attention(q, q, q, rotary=THETA, **at, trace=trace)
    assert trace["query_angles"].value.dtype == torch.float32
    assert trace["queries_rotated"].value.dtype == dtype
    torch.testing.assert_close(trace["query_angles"].value[:, 0].double(), positions.double(), **EXACT)


@pytest.mark.parametrize(("base", "longest"), [(10_000.0, 54_410), (500_000.0, 2_559_196)])
def test_wavelengths_of_published_bases(base, longest):
    waves = 2 * math.pi / frequencies(128, base=base)
    assert waves[0].item() == pytest.approx(6.283185, abs=1e-6)
    assert round(waves[-1].item()) == longest


def test_scalings_stretch_what_they_say():
    s, plain = 8.0, frequencies(128)
    linear, ntk, yarn = (frequencies(128, scaling=name, factor=s) for name in SCALINGS[1:])
    torch.testing.assert_close(linear, plain / s, **NEAR)
    torch.testing.assert_close(ntk[[0, -1]], torch.stack((plain[0], plain[-1] / s)), **NEAR)
    turns = 4096 * plain / (2 * math.pi)
    torch.testing.assert_close(yarn[turns > 32], plain[turns > 32], **NEAR)
    torch.testing.assert_close(yarn[turns < 1], plain[turns < 1] / s, **NEAR)
    between = (turns > 1) & (turns < 32)
    assert between.any()
    assert ((yarn > plain / s) & (yarn < plain))[between].all()


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ({"d_k": 7}, "d_k must be even, since features turn in pairs, got 7"),
        ({"d_k": 0}, "d_k must be at least 1, got 0"),
        ({"d_k": 4, "base": 1.0}, "base must be a finite number above 1, got 1.0"),
        ({"d_k": 4, "base": 0.5}, "base must be a finite number above 1, got 0.5"),
        ({"d_k": 4, "base": math.inf}, "base must be a finite number above 1, got inf"),
        ({"d_k": 4, "scaling": "x"}, "unknown scaling 'x'; one of none, linear, ntk, yarn"),
        ({"d_k": 4, "factor": 0.5}, "factor must be a finite number of at least 1, got 0.5"),
        ({"d_k": 2, "scaling": "ntk", "factor": 2.0}, "scaling 'ntk' needs at least two pairs, got d_k = 2"),
    ],
)
def test_what_has_no_frequencies_is_refused(sizes, text):
    with refused(text):
        frequencies(**sizes)


@pytest.mark.parametrize(
    ("d_k", "given", "text"),
    [
        (
            7,
            {},
            f"rotary needs an angle for each pair of features that turns, at most 3 for d_k = 7, got shape ({D // 2},)",
        ),
        (
            8,
            {"rotary": THETA[:0]},
            "rotary needs an angle for each pair of features that turns, at most 4 for d_k = 8, got shape (0,)",
        ),
        (D, {"positions": torch.arange(2)}, f"positions needs shape ({N},), got (2,)"),
        (D, {"key_positions": torch.arange(2)}, f"key_positions needs shape ({N},), got (2,)"),
    ],
)
def test_a_rotation_that_does_not_fit_is_refused(d_k, given, text):
    (q,) = drawn((HEADS, N, d_k))
    with refused(text):
        scaled_dot_product_attention(q, q, q, **{"rotary": THETA} | given)
