"""Gradient descent by hand: torch's own SGD takes the same steps, and the loss falls from random to nearly solved."""

import copy

import pytest
import torch

from attention.experiments.learning import batch_loss, measure, training_sentences
from attention.experiments.sgd_by_hand import _loss, descend, start
from attention.inputs.learned import Learned, Setting
from tests.support import EXACT, refused, seeded

SMALL = Setting(d_model=7, heads=2, d_k=3, d_v=5, bias=True, dropout=0.3, seed=11)


def test_torchs_sgd_takes_the_same_steps():
    taken = descend(start(SMALL, 0.5), 3)
    twin = Learned.drawn(SMALL, seeded(11))
    weights = [weight.requires_grad_(True) for weight in twin.tensors()]
    optimiser = torch.optim.SGD(weights, lr=0.5)
    for number in range(3):
        optimiser.zero_grad()
        loss = _loss(twin, SMALL, number)
        assert taken.before[number] == pytest.approx(loss.item(), abs=1e-6)
        loss.backward()
        optimiser.step()
    for ours, theirs in zip(taken.learned.tensors(), weights, strict=True):
        torch.testing.assert_close(ours, theirs.detach())


def test_it_can_be_taken_up_where_it_was_left():
    begun = start(SMALL, 0.5)
    whole, halves = descend(begun, 5), descend(descend(begun, 2), 3)
    torch.testing.assert_close(whole.learned.tensors(), halves.learned.tensors(), **EXACT)
    assert (whole.step, whole.before, whole.after) == (5, halves.before, halves.after)
    assert not any(weight.requires_grad for weight in whole.learned.tensors())
    # The initial layer is unchanged.
    torch.testing.assert_close(begun.learned.tensors(), Learned.drawn(SMALL, seeded(11)).tensors(), **EXACT)


def test_a_small_step_changes_the_loss_as_the_gradient_promises():
    taken = descend(start(Setting(seed=3), 0.001))
    assert taken.after[0] - taken.before[0] == pytest.approx(taken.promised[0], rel=0.05)
    moved = [after - before for before, after in zip(taken.previous.tensors(), taken.learned.tensors(), strict=True)]
    for change, gradient in zip(moved, taken.gradients, strict=True):
        torch.testing.assert_close(change, -0.001 * gradient, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_from_random_most_questions_are_answered_and_a_large_step_diverges():
    assert measure(descend(start(Setting(), 1.0), 300).learned).mean > 0.5 > measure(start(Setting(), 1.0).learned).mean
    assert descend(start(Setting(), 3.0), 50).diverged
    assert not start(Setting(), 3.0).diverged
    assert not descend(start(Setting(), 1.0), 3).diverged


def test_the_loss_of_a_batch_is_the_mean_over_questions():
    learned, pool = Learned.drawn(SMALL, seeded(11)), training_sentences()[0]
    learned.module.eval()
    every = [batch_loss(copy.copy(learned), SMALL, pool, torch.tensor([row]), None) for row in (0, 1)]
    both = batch_loss(learned, SMALL, pool, torch.tensor([0, 1]), None)
    # Two sentences of one shape ask the same questions, so the mean over the batch is that of both losses.
    assert both.item() == pytest.approx(sum(loss.item() for loss in every) / 2, rel=1e-5)


def test_a_step_or_a_rate_of_nothing_is_refused():
    with refused("rate must be a finite number above 0, got 0.0"):
        start(SMALL, 0.0)
    with refused("steps must be at least 1, got 0"):
        descend(start(SMALL, 0.5), 0)
