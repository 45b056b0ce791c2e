"""The jobs of heads, on weights of known behaviour."""

import math

import pytest
import torch

from attention.analysis.head_patterns import PATTERNS, WORTH, patterns
from attention.masks import grid
from tests.support import refused

TOKENS = ("the", "old", "fox", "saw", "the", "old", "hen")
N = len(TOKENS)


def onto(targets: list[int]) -> torch.Tensor:
    """Weights with which each query puts all its weight on one key."""
    return torch.eye(N)[targets]


KNOWN = {
    "previous": onto([0, 0, 1, 2, 3, 4, 5]),
    "next": onto([1, 2, 3, 4, 5, 6, 6]),
    "first": onto([0] * N),
    "same": onto([0, 1, 2, 3, 0, 1, 6]),
    # The second "the" and "old" look at the words that followed the first ones; other queries look far away.
    "induction": onto([3, 3, 5, 1, 1, 2, 3]),
    "broad": torch.full((N, N), 1 / N),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_head_that_does_one_thing_is_known_by_it(name):
    found = patterns(torch.stack([KNOWN[name]] * 2)[:, None], TOKENS)
    assert float(found.numbers[name][1, 0]) == pytest.approx(1)
    assert PATTERNS[int(found.kinds()[0, 0])] == name


def test_numbers_are_the_means_that_the_words_say():
    weights = torch.rand(3, 2, N, N, generator=torch.Generator().manual_seed(0)).softmax(-1)
    found = patterns(weights, TOKENS)
    one = weights[2, 1]
    assert float(found.numbers["previous"][2, 1]) == pytest.approx(
        sum(float(one[i, i - 1]) for i in range(1, N)) / (N - 1)
    )
    assert float(found.numbers["first"][2, 1]) == pytest.approx(sum(float(one[i, 0]) for i in range(1, N)) / (N - 1))
    same = [sum(float(one[i, j]) for j in range(N) if TOKENS[i] == TOKENS[j]) for i in range(N)]
    assert float(found.numbers["same"][2, 1]) == pytest.approx(sum(same) / N)
    # "the" and "old" come twice: their first ones were followed by keys 1 and 2.
    assert float(found.numbers["induction"][2, 1]) == pytest.approx(float(one[4, 1] + one[5, 2]) / 2)
    effective = [math.exp(-sum(float(a) * math.log(float(a)) for a in row)) / N for row in one]
    assert float(found.numbers["broad"][2, 1]) == pytest.approx(sum(effective) / N, rel=1e-5)


def test_what_a_text_cannot_show_is_no_number():
    found = patterns(torch.eye(3), ("a", "b", "c"), grid("causal", 3, 3))
    assert found.numbers["next"].isnan()
    assert found.numbers["induction"].isnan()
    assert found.strongest("next") is None
    assert patterns(torch.ones(1, 1), ("a",)).numbers["broad"].isnan()


def test_the_strongest_head_is_found_and_a_weak_one_is_broad():
    weights = torch.stack([KNOWN["broad"], KNOWN["previous"], KNOWN["first"]])
    found = patterns(weights, TOKENS)
    assert found.strongest("previous") == (1,)
    assert float(found.numbers["previous"][0]) < WORTH
    assert PATTERNS[int(found.kinds()[0])] == "broad"


def test_another_number_of_tokens_is_refused():
    with refused("weights must be (..., 7, 7) for 7 tokens, got (2, 3, 5)"):
        patterns(torch.ones(2, 3, 5), TOKENS)
