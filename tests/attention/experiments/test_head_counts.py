"""More heads at fixed d_model: as many parameters, scores of lower rank, weights that hardly notice."""

import pytest
import torch

from attention import MultiHeadAttention
from attention.experiments.head_counts import counts
from tests.support import refused, seeded

NUMBERS = (1, 2, 4, 8, 16, 32, 64)
FOUND = counts(64, 32, NUMBERS, generator=seeded(0))


def test_the_ranks_of_the_scores_are_the_published_ones():
    assert [count.scores for count in FOUND] == [(rank, rank) for rank in (32, 32, 16, 8, 4, 2, 1)]


def test_the_weights_keep_their_rank_until_two_features_are_left():
    """The published ranks for one draw are 32, down to d_k = 2 (30) and 1 (10)."""
    assert all(count.weights == (32, 32) for count in FOUND[:5])
    assert 26 <= FOUND[5].weights[0] <= FOUND[5].weights[1] <= 32
    assert 6 <= FOUND[6].weights[0] <= FOUND[6].weights[1] <= 18


def test_the_number_of_parameters_stays():
    assert {count.parameters for count in FOUND} == {16_384}
    assert {sum(p.numel() for p in MultiHeadAttention(64, h, bias=True).parameters()) for h in NUMBERS} == {16_640}


def test_the_number_of_keys_that_are_attended_to_hardly_moves():
    effective = torch.tensor([count.effective for count in FOUND])
    assert effective.max() / effective.min() < 1.3


def test_sizes_follow_from_the_arguments():
    (count,) = counts(21, 5, (3,), generator=seeded(1))
    assert (count.heads, count.d_k, count.parameters, count.scores) == (3, 7, 4 * 21**2, (5, 5))


def test_the_generator_alone_decides():
    assert counts(21, 5, (3, 7), generator=seeded(1)) == counts(21, 5, (3, 7), generator=seeded(1))
    assert counts(21, 5, (3,), generator=seeded(2)) != counts(21, 5, (3,), generator=seeded(1))


def test_what_cannot_be_cut_is_refused():
    with refused("tokens must be at least 1, got 0"):
        counts(64, 0, NUMBERS, generator=seeded())
    with pytest.raises(ValueError, match="d_model 64 is not divisible by heads 3"):
        counts(64, 5, (3,), generator=seeded())
