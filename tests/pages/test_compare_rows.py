"""Rows of weights of A and B: the distance between them as torch measures it, and which rows are no distributions."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import kl_div

from pages.shell.i18n import say
from tests.pages.test_compare import SCREEN, STORY, each_other, number, opened, rows, said
from tests.support import rounding
from tests.support.app import app, computed, recorded


def says(cell: str, value: float) -> bool:
    """Whether a cell gives a value, up to the float32 of the weights."""
    return number(cell) == pytest.approx(value, abs=5.1e-4 if value >= 0.001 else 0.06 * value + 2e-6)


def distributions(side) -> torch.Tensor:
    """Rows of weights, with the share of the sink as one more key."""
    weights = torch.tensor(recorded(side, "weights")).double()
    rest = 1 - weights.sum(-1, keepdim=True) if "sink" in side.trace else torch.zeros(len(weights), 1)
    return torch.cat((weights, rest.double()), -1)


@each_other
def test_each_row_is_held_against_its_own_as_torch_does(other):
    a, b = (computed(**side) for side in (SCREEN, SCREEN | other))
    left, right = (distributions(side) for side in (a, b))
    measured = rows(opened(SCREEN, SCREEN | other))
    names = [one if one == two else f"{one} / {two}" for one, two in zip(a.tokens, b.tokens, strict=True)]
    assert [row[0].strip("`") for row in measured] == names
    for index, (_, variation, entropy, moved) in enumerate(measured):
        if not left[index].any() or not right[index].any():
            assert (variation, entropy) == ("–", "–")
            assert moved == say("compare.empty.b")
            continue
        expected = (right[index] - left[index]).abs().sum() / 2
        assert says(variation, float(expected))
        terms = kl_div(left[index].log(), right[index], reduction="none").where(right[index] > 0, 0)
        assert says(entropy, float(terms.sum()))


def test_the_row_that_moved_most_is_named_with_its_numbers():
    at = app("compare")
    most = max(rows(at), key=lambda row: number(row[1]))
    mean = np.mean([number(row[1]) for row in rows(at)])
    expected = say("compare.most", query=most[0], moved=most[1], nats=most[2], mean=f"{mean:.3f}")
    assert expected in said(at)


def test_a_key_that_a_hides_makes_the_divergence_infinite_and_it_is_said_where():
    full, causal = STORY | {"mask": "full"}, STORY
    at = opened(causal, full)
    assert [row[2] for row in rows(at)][:-1] == ["∞"] * 7
    # Equal weights differ by their rounding at most.
    assert number(rows(at)[-1][2]) <= rounding(8, 8, dtype=torch.float32)
    assert say("compare.infinite", count=7, rows=8, query="`a`", key="`fluffy`") in said(at)
    back = opened(full, causal)
    assert all(math.isfinite(number(row[2])) for row in rows(back))
    assert "infinite in" not in said(back)
    assert [row[1] for row in rows(back)] == [row[1] for row in rows(at)]


@pytest.mark.parametrize("empty", [(0,), (1,), (0, 1)], ids=str)
def test_a_row_that_attends_to_nothing_is_no_distribution(empty):
    sides = [STORY | {"painted": "AA"} if side in empty else STORY for side in (0, 1)]
    at = opened(*sides)
    which = "both" if len(empty) == 2 else "ab"[empty[0]]
    assert rows(at)[0] == ["`a`", "–", "–", say(f"compare.empty.{which}")]
    assert all(number(row[1]) == 0 for row in rows(at)[1:])


def test_where_no_row_is_a_distribution_the_page_still_runs():
    alone = {"preset": "random", "text": "alone", "painted": "AA"}
    at = opened(alone, alone)
    assert [row[1:3] for row in rows(at)] == [["–", "–"]]


def test_of_many_rows_those_are_listed_that_moved_most():
    long = {"preset": "random", "text": " ".join(f"w{number}" for number in range(23)), "mask": "full"}
    at = opened(long, long | {"seed": 3})
    assert say("compare.first_rows", shown=16, rows=23) in said(at)
    a, b = (recorded(computed(**side), "weights") for side in (long, long | {"seed": 3}))
    farthest = np.argsort(-np.abs(b - a).sum(-1))[:16]
    assert [row[0].strip("`") for row in rows(at)] == [f"w{number}" for number in sorted(farthest)]
