"""Rotary positions: the digits of the paper's equations, what a score depends on, and the two conventions."""

import math

import pytest
import torch

from attention import Trace, scaled_dot_product_attention
from attention.positions import SCALINGS, frequencies, rotate
from tests.support import CLOSE, EXACT, drawn, refused

N, D, HEADS = 11, 22, 3
THETA = frequencies(D)
NEAR = CLOSE[torch.float64]
# Feature 2j of the interleaved order stands at j of the half-split one, and 2j + 1 at j + d / 2.
HALVES = torch.cat((torch.arange(0, D, 2), torch.arange(1, D, 2)))


def angles(start: int = 0, theta: torch.Tensor = THETA) -> torch.Tensor:
    return torch.arange(start, start + N, dtype=torch.float64)[:, None] * theta


@pytest.mark.parametrize(
    ("interleaved", "expected"),
    [(True, (-1.142640, 1.922076, 2.959851, 4.029800)), (False, (-1.984111, 1.959901, 2.462378, 4.019800))],
)
def test_four_features_at_position_one_by_hand(interleaved, expected):
    x = torch.tensor([[1.0, 2, 3, 4]], dtype=torch.float64)
    turned = rotate(x, frequencies(4)[None], interleaved=interleaved)
    torch.testing.assert_close(turned, torch.tensor([expected], dtype=torch.float64), rtol=0, atol=1e-6)


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
    # By way of Q and K: a rotation of both by the same angle would pass the lines above with any signs.
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
        (7, {}, "rotary needs an even d_k, since features turn in pairs, got 7"),
        (8, {}, f"rotary needs shape (d_k / 2,) = (4,), got ({D // 2},)"),
        (D, {"positions": torch.arange(2)}, f"positions needs shape ({N},), got (2,)"),
        (D, {"key_positions": torch.arange(2)}, f"key_positions needs shape ({N},), got (2,)"),
    ],
)
def test_a_rotation_that_does_not_fit_is_refused(d_k, given, text):
    (q,) = drawn((HEADS, N, d_k))
    with refused(text):
        scaled_dot_product_attention(q, q, q, rotary=THETA, **given)
