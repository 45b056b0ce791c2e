"""Key heads that are averaged and trained on: the changed parameters, and the training of the shipped weights."""

import numpy as np
import pytest
import torch

from attention.experiments import learning
from attention.experiments.shared_keys import averaged, on_the_way, rights, trained_on
from attention.inputs import learned, shared_keys

LARGEST_HALF = 2.0**-11


@pytest.mark.parametrize("kv_heads", shared_keys.KV_HEADS)
@pytest.mark.parametrize("updates", [shared_keys.EVERY, 35, shared_keys.UPDATES])
def test_what_ships_is_what_training_on_gives_rounded_to_half_precision(kv_heads, updates):
    """The weights agree at the end of the training, and at the stops of the slider on the way."""
    shipped = shared_keys.shipped(kv_heads, updates).tensors()
    # The learning rate depends on all steps of a training, so the first steps of the whole training are compared.
    trained = shared_keys.unpacked(kv_heads, on_the_way(kv_heads)[updates // shared_keys.EVERY - 1]).tensors()
    for one, other in zip(shipped, trained, strict=True):
        # Updates add up rounding, which differs between processors; half precision is far coarser.
        torch.testing.assert_close(one, other, rtol=8 * LARGEST_HALF, atol=8 * LARGEST_HALF)


def test_the_way_ends_where_the_training_does():
    for one, other in zip(shared_keys.shipped(2).tensors(), trained_on(2).tensors(), strict=True):
        torch.testing.assert_close(one, other, rtol=8 * LARGEST_HALF, atol=8 * LARGEST_HALF)


@pytest.mark.parametrize("updates", [0, 7, 105])
def test_weights_that_were_not_kept_are_refused_with_those_that_were(updates):
    with pytest.raises(ValueError, match=f"each 5 updates until 100, got {updates}"):
        shared_keys.shipped(4, updates)


def test_averaging_is_the_start_and_leaves_the_layer_that_ships_as_it_was():
    whole = learned.shipped(shared_keys.SETTING)
    before = [tensor.clone() for tensor in whole.tensors()]
    after = trained_on(2, updates=3)
    assert all(map(torch.equal, before, whole.tensors()))
    start = averaged(2)
    assert torch.equal(start.module.w_k.unflatten(-1, (2, -1))[:, 1], _mean(whole, 1))
    assert not torch.equal(after.module.w_k, start.module.w_k)
    assert not torch.equal(after.words, start.words)


def _mean(whole, half):
    return whole.module.w_k.unflatten(-1, (2, 4, -1))[:, half].mean(1)


def test_training_on_brings_back_what_averaging_lost():
    for kv_heads in shared_keys.KV_HEADS:
        lost, found = (learning.measure(one).mean for one in (averaged(kv_heads), shared_keys.shipped(kv_heads)))
        assert found > 0.95 > 0.75 > lost


def test_what_ships_of_the_way_is_measured_on_it_from_the_averaged_layer_on():
    """A visitor reads the price of sharing off these numbers; another layer or step would give another price."""
    shipped = shared_keys.recovered(1)
    with np.load(shared_keys.FILE) as file:
        np.testing.assert_allclose(shipped, rights(1, file["1"]), rtol=0, atol=2e-3)
    assert len(shipped) == shared_keys.UPDATES // shared_keys.EVERY + 1
    assert shipped[0] == pytest.approx(learning.measure(averaged(1)).mean, abs=1e-4)
    with pytest.raises(ValueError, match="no weights are shipped for 3 key heads"):
        shared_keys.recovered(3)


def test_other_key_heads_are_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="no weights are shipped for 3 key heads, only for 1, 2, 4"):
        shared_keys.shipped(3)


def test_weights_of_another_count_of_key_heads_are_refused():
    with np.load(shared_keys.FILE) as file, pytest.raises(ValueError, match="numbers, got"):
        shared_keys.unpacked(2, file["4"][0])
