"""Weight that moved from key to key: torch counts it again, and records show where a change begins."""

import math

import pytest
import torch

from attention import MultiHeadAttention, Trace
from attention.analysis.movement import first_change, movement
from attention.notation import IDS
from tests.support import CLOSE, D_K, D_V, HEADS, KEYS, QUERIES, drawn, grid_of, refused, seeded

D_MODEL, TOKENS = 17, 19


def two(dtype=torch.float64):
    return [scores.softmax(-1).to(dtype) for scores in drawn((QUERIES, KEYS), (QUERIES, KEYS))]


def recorded(changed=(), **options) -> Trace:
    """changed: parameters to which 1 is added; options: arguments of the call."""
    generator = seeded()
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, d_v=D_V, bias=True, generator=generator)
    x, trace = torch.randn(2, TOKENS, D_MODEL, generator=generator), Trace()
    module.dropout = options.pop("dropout", 0.0)
    with torch.inference_mode():
        for name in changed:
            getattr(module, name).add_(1)
        module(x + options.pop("shift", 0), generator=generator, trace=trace, **options)
    return trace


@pytest.mark.parametrize("dtype", CLOSE)
def test_what_moved_is_half_of_what_all_keys_differ_by(dtype):
    before, after = two(dtype)
    found = movement(before, after)
    distances = torch.nn.functional.l1_loss(after.double(), before.double(), reduction="none").sum(-1) / 2
    torch.testing.assert_close(found.moved.double(), distances, **CLOSE[dtype])
    assert (found.emptied, found.filled) == (0, 0)


def test_the_query_that_moved_most_and_the_keys_that_lost_and_gained_most():
    before = torch.tensor([[0.5, 0.25, 0.25], [0.7, 0.2, 0.1]])
    after = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])
    found = movement(before, after)
    assert (found.query, found.source, found.target) == (1, 0, 2)
    assert found.most == pytest.approx(0.6)
    other = movement(before, after, 0)
    assert (other.query, other.source, other.target) == (0, 2, 1)
    assert other.most == pytest.approx(0.05)
    back = movement(after, before)
    assert (back.query, back.source, back.target, back.most) == (1, 2, 0, found.most)


def test_rows_that_attend_to_nothing_are_counted_and_not_measured():
    before, after = two()
    before[[1, 3]], after[[3, 4]] = 0, 0
    found = movement(before, after)
    assert found.moved.isnan().tolist() == [False, True, False, False, True]
    assert found.moved[3] == 0
    assert (found.emptied, found.filled) == (1, 1)
    assert found.query in (0, 2)
    assert not math.isnan(found.most)


def test_a_row_without_a_measure_is_not_the_one_that_moved_most():
    before = two()[0]
    after = before.clone()
    after[0] = 0
    found = movement(before, after)
    assert found.moved.isnan().tolist() == [True] + [False] * (QUERIES - 1)
    assert (found.query, found.most) == (1, 0.0)


def test_nothing_moves_where_nothing_changed():
    weights = two()[0]
    assert movement(weights, weights).most == 0


def test_other_sizes_are_refused():
    before, after = two()
    with refused(f"weights must have the same shape, got ({QUERIES}, {KEYS}) and ({QUERIES}, {KEYS - 1})"):
        movement(before, after[:, 1:])


@pytest.mark.parametrize(
    ("options", "begins"),
    [
        ({}, None),
        ({"shift": 1}, "x"),
        ({"changed": ["w_k"]}, "w_k"),
        ({"changed": ["b_v", "w_o"]}, "b_v"),
        ({"scale": 0.5}, "scaled"),
        ({"mask": grid_of("causal", TOKENS, TOKENS)}, "mask"),
        ({"dropout": 0.5}, "kept"),
        ({"changed": ["b_o"]}, "b_o"),
    ],
    ids=lambda given: given if isinstance(given, str) else None,
)
def test_a_change_begins_at_the_first_step_that_differs(options, begins):
    plain, changed = recorded(), recorded(**options)
    assert first_change(plain, changed) == first_change(changed, plain) == begins
    assert begins is None or begins in IDS


def test_scores_that_are_hidden_do_not_differ_from_themselves():
    mask = grid_of("causal", TOKENS, TOKENS)
    assert first_change(recorded(mask=mask), recorded(mask=mask)) is None


def test_nan_is_the_same_as_nan_and_not_as_a_number():
    broken, whole = recorded(shift=torch.nan), recorded()
    assert first_change(broken, recorded(shift=torch.nan)) is None
    assert first_change(broken, whole) == first_change(whole, broken) == "x"
