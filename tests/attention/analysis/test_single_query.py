"""One query over X alone, compared with torch; queries one at a time give the rows of all at once."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention.analysis.sharpness import entropy
from attention.analysis.single_query import alone, asked, differences, polar, together
from attention.inputs.plane import PLANE, plane
from attention.inputs.presets import notebook, token_by_token
from attention.modules import MultiHeadAttention
from tests.support import CLOSE, EXACT, drawn, seeded

DOUBLE = CLOSE[torch.float64]
QUERIES, TOKENS, FEATURES = 3, 5, 7
PRIMES = (QUERIES, FEATURES), (TOKENS, FEATURES)
X = plane().inputs.x[0]


def test_it_is_attention_whose_keys_and_values_are_the_tokens():
    q, x = drawn(*PRIMES)
    trace = asked(q, x)
    torch.testing.assert_close(trace["output"].value, scaled_dot_product_attention(q, x, x), **DOUBLE)
    for id, given in {"queries": q, "keys": x, "values": x}.items():
        torch.testing.assert_close(trace[id].value, given, **EXACT)
        assert trace[id].quantity.given


def test_it_is_the_formula_of_the_seed():
    """Seed 003: alpha_n = softmax(q x_n / sqrt(D)); att(X, q) = sum over n of alpha_n x_n."""
    (q,), x = drawn((1, FEATURES))[0], drawn(*PRIMES)[1]
    alpha = torch.stack([q.dot(token) / math.sqrt(FEATURES) for token in x]).softmax(0)
    trace = asked(q[None], x)
    torch.testing.assert_close(trace["weights"].value[0], alpha, **DOUBLE)
    torch.testing.assert_close(
        trace["output"].value[0], sum(a * token for a, token in zip(alpha, x, strict=True)), **DOUBLE
    )


@pytest.mark.parametrize("length", [0.0, 0.3, 1.0, 2.5])
def test_the_length_of_the_query_is_one_over_a_temperature(length):
    q, x = drawn(*PRIMES)
    q = q / q.norm(dim=-1, keepdim=True)
    temperature = 1 / length if length else math.inf
    for id in ("weights", "output"):
        torch.testing.assert_close(
            asked(length * q, x)[id].value, asked(q, x, temperature=temperature)[id].value, **DOUBLE
        )


def test_a_query_of_no_length_gets_the_mean():
    _, x = drawn(*PRIMES)
    trace = asked(torch.zeros(1, FEATURES, dtype=x.dtype), x)
    torch.testing.assert_close(trace["output"].value[0], x.mean(0), **DOUBLE)


def test_a_longer_query_is_sharper_in_every_direction():
    for angle in range(0, 360, 7):
        weights = asked(polar(float(angle), torch.linspace(0, 4, 41)), X)["weights"].value
        assert (entropy(weights).diff() < 0).all()
        assert (weights.amax(-1).diff() > 0).all()


@pytest.mark.parametrize(
    ("angle", "length", "expected"),
    [(0, 3, (3, 0)), (90, 2, (0, 2)), (180, 0.5, (-0.5, 0)), (270, 7, (0, -7)), (45, 2**0.5, (1, 1)), (123, 0, (0, 0))],
)
def test_an_angle_and_a_length_are_a_vector(angle, length, expected):
    torch.testing.assert_close(polar(angle, length), torch.tensor(expected, dtype=torch.float64), **DOUBLE)


def test_angles_and_lengths_broadcast():
    assert polar(torch.zeros(3, 1), torch.zeros(5)).shape == (3, 5, 2)


def test_the_words_stand_in_the_plane():
    prepared = plane()
    assert prepared.inputs.tokens == (tuple(PLANE),)
    assert prepared.inputs.lengths == (len(PLANE),)
    assert prepared.inputs.x.shape == (1, len(PLANE), 2)
    assert prepared.inputs.x[0].tolist() == [list(place) for place in PLANE.values()]


def test_their_weight_matrices_change_nothing():
    """X before the projections stands for queries, keys and values that are all X."""
    prepared, q = plane(), polar(130.0, 1.5)
    output = prepared.module(q[None, None], prepared.inputs.x)
    torch.testing.assert_close(output[0], asked(q[None], X)["output"].value, **DOUBLE)


def test_a_query_straight_at_cat_finds_the_longer_dog_first():
    cat = math.degrees(math.atan2(PLANE["cat"][1], PLANE["cat"][0]))
    weights = asked(polar(cat, 1.5)[None], X)["weights"].value[0]
    assert list(PLANE)[int(weights.argmax())] == "dog"
    assert math.hypot(*PLANE["dog"]) > math.hypot(*PLANE["cat"])


@pytest.mark.parametrize("preset", [notebook, token_by_token])
def test_a_row_of_the_matrices_is_what_its_token_gets_alone(preset):
    prepared = preset()
    whole = together(prepared.module, prepared.inputs.x)
    for query in range(4):
        trace = alone(prepared.module, prepared.inputs.x, query)
        for id in ("queries", "scores", "scaled", "weights", "output", "projected"):
            rows = whole[id].value[..., query : query + 1, :]
            torch.testing.assert_close(trace[id].value, rows, rtol=1e-6, atol=1e-6)
        for id in ("keys", "values"):
            torch.testing.assert_close(trace[id].value, whole[id].value, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("preset", [notebook, token_by_token])
def test_what_differs_in_the_notebook_is_rounding_which_shrinks_with_the_dtype(preset, dtype):
    """The difference is often 0: whether the kernels multiply a matrix and one of its rows alike depends on the
    processor.

    The test computes without gradients, as the app does: torch then uses another kernel for the row.
    """
    prepared = preset()
    module, x = prepared.module.to(dtype).requires_grad_(False), prepared.inputs.x.to(dtype)
    limit = rounding(module, x)
    for id, rows in differences(module, x).items():
        assert float(rows.max()) <= limit, id


def rounding(module: MultiHeadAttention, x: torch.Tensor) -> float:
    """n eps of the largest score, for the n terms that are added up on the way from x to the output."""
    trace = together(module, x)
    terms = x.shape[-1] + module.d_k + x.shape[-2]
    return terms * torch.finfo(x.dtype).eps * max(1.0, float(trace["scores"].value.abs().max()))


def test_the_differences_are_those_of_rounding():
    (x,) = drawn((1, 5, 14))
    found = differences(MultiHeadAttention(14, 2, generator=seeded()).double(), x)
    assert set(found) == {"queries", "scores", "scaled", "weights", "output"}
    for rows in found.values():
        assert rows.shape == (5,)
        assert rows.max() < 1e-12


def test_a_difference_is_seen_and_where_it_is(monkeypatch):
    """A query that is computed for the wrong token shows up in its row."""
    prepared = notebook()
    monkeypatch.setattr(
        "attention.analysis.single_query.alone", lambda module, x, query: alone(module, x, 0 if query == 2 else query)
    )
    found = differences(prepared.module, prepared.inputs.x)
    for rows in found.values():
        assert rows[2] > 1e-3
        assert rows[[0, 1, 3]].max() < 1e-5


def test_asking_leaves_the_shared_generator_alone():
    before = torch.get_rng_state()
    plane()
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)
