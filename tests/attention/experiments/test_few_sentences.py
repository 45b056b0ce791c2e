"""The worth of dropout in training on few sentences: the shipped shares, and one point computed anew."""

import numpy as np
import pytest
import torch

from attention.experiments import few_sentences
from attention.experiments.few_sentences import COUNTS, PS, SEEDS, sentences, shipped, unseen
from attention.experiments.learning import held_out
from attention.inputs.grammar import LENGTHS


@pytest.mark.slow
def test_the_shares_are_those_of_trainings_on_these_sentences_alone(monkeypatch):
    """Other machines round differently, which changes the course of a training."""
    at, before = COUNTS.index(40), shipped()
    monkeypatch.setattr(few_sentences, "COUNTS", (40,))
    monkeypatch.setattr(few_sentences, "SEEDS", SEEDS[:1])
    again = few_sentences.measured()
    np.testing.assert_allclose(again.seen[0, :, 0], before.seen[at, :, 0], atol=0.02)
    np.testing.assert_allclose(again.new[0, :, 0], before.new[at, :, 0], atol=0.1)


def test_dropout_helps_where_little_is_read_and_hardly_where_much_is():
    shares = shipped()
    assert shares.seen.shape == shares.new.shape == (len(COUNTS), len(PS), len(SEEDS))
    gain = (shares.new[:, 1] - shares.new[:, 0]).mean(-1)
    assert gain[COUNTS.index(60)] > 0.15
    assert abs(gain[-1]) < 0.02
    assert (shares.seen > 0.98).all()
    # More sentences are never worse, apart from the scatter of single trainings.
    assert (np.diff(shares.new.mean(-1), axis=0) > -0.02).all()


def test_with_dropout_and_without_a_layer_reads_the_same_sentences_and_another_seed_others():
    one, again, other = (torch.cat([pool.ids.flatten() for pool in sentences(35, seed)]) for seed in (3, 3, 5))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)
    assert [len(pool.ids) for pool in sentences(35, 3)] == [7] * len(LENGTHS)
    with pytest.raises(ValueError, match="multiple of 5"):
        sentences(37, 3)


def test_new_sentences_are_those_that_the_training_has_not_had():
    """There are so few of the shortest sentences that some are in both sets."""
    seen = sentences(1505, 11)
    known = {tuple(row) for pool in seen for row in pool.ids.tolist()}
    new = [tuple(row) for pool in unseen(seen) for row in pool.ids.tolist()]
    every = [tuple(row) for pool in held_out() for row in pool.ids.tolist()]
    assert new == [row for row in every if row not in known]
    assert len(new) < len(every)
    assert all(len(pool.ids) == len(pool.answers) == len(pool.targets) for pool in unseen(seen))
