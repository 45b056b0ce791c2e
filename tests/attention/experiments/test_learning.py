"""Training on the grammar: scores within their ranges, which hold for other seeds and machines, and never weights."""

from collections import Counter
from dataclasses import replace

import pytest
import torch

from attention.experiments.learning import EVERY, QUESTIONS, TEST, constant, measure, train, trained
from attention.inputs.grammar import NOT_ASKED, pools
from attention.inputs.learned import Setting, shipped
from tests.support import seeded

SHORT = Setting(d_model=7, heads=3, d_k=2, d_v=5, steps=3)


@pytest.mark.slow
def test_four_heads_learn_the_task():
    states = list(train(Setting(seed=1, steps=300)))
    assert [state.step for state in states] == list(range(301))
    measured = [state.score for state in states if state.score is not None]
    assert len(measured) == 300 // EVERY + 1
    assert measured[0] < 0.3
    assert 0.99 <= measured[-1] <= 1
    assert [state.learned is None for state in states] == [True] * 300 + [False]
    assert states[-1].loss < 0.2 * states[0].loss


@pytest.mark.parametrize("taken", [10, 30, 80])
def test_the_layer_on_its_way_is_that_of_the_training_and_not_of_another_one(taken):
    """So each stop follows from the one before by its updates. This early, other machines' rounding changes little."""
    kept, made = (of(Setting(taken=taken)).tensors() for of in (shipped, trained))
    for one, other in zip(kept, made, strict=True):
        torch.testing.assert_close(one, other.detach(), rtol=0, atol=2e-3)


def test_one_head_names_one_role():
    scores = measure(trained(Setting(heads=1, steps=200)))
    assert 0.55 <= scores.mean <= 0.71
    assert sum(accuracy > 0.9 for accuracy in scores.accuracy[:3]) == 1


def test_what_a_seed_decides_does_not_depend_on_who_else_draws():
    before = torch.get_rng_state()
    first, again, other = (list(train(replace(SHORT, seed=seed))) for seed in (0, 0, 1))
    assert [state.loss for state in first] == [state.loss for state in again] != [state.loss for state in other]
    assert torch.equal(before, torch.get_rng_state())


def test_what_was_trained_is_frozen_and_drops_nothing():
    learned = trained(replace(SHORT, dropout=0.3))
    assert not learned.module.training
    assert not any(weight.requires_grad for weight in learned.tensors())


def test_training_runs_in_inference_mode_with_the_same_result():
    with torch.inference_mode():
        inside = [state.loss for state in train(SHORT)]
    assert inside == [state.loss for state in train(SHORT)]


def test_a_score_is_counted_and_averaged():
    scores = measure(shipped(Setting()))
    by_head = torch.tensor(scores.by_head)
    assert by_head.shape == (len(QUESTIONS), 4)
    torch.testing.assert_close(torch.tensor(scores.mass), by_head.max(1).values)
    assert scores.mean == pytest.approx(sum(scores.accuracy) / 5)


def test_the_best_constant_answer_is_the_commonest_one():
    for question, share in enumerate(constant()):
        given = [answer for pool in pools(TEST, seeded(2)) for answer in pool.answers[..., question].flatten().tolist()]
        counted = Counter(answer for answer in given if answer != NOT_ASKED)
        assert share == pytest.approx(max(counted.values()) / counted.total())


def test_every_question_is_the_job_of_a_head_and_no_head_is_without_one():
    four, eight = (measure(shipped(Setting(heads=heads))) for heads in (4, 8))
    assert sorted(question for job in four.jobs for question in job) == [0, 1, 2, 3, 4]
    assert all(eight.jobs)
    narrow = measure(shipped(Setting()), Setting(mask="causal"))
    assert all(narrow.by_head[one][head] >= 0.2 for head, job in enumerate(narrow.jobs) for one in job if len(job) > 1)
    idle = [head for head in range(8) if head not in torch.tensor(eight.by_head).argmax(1)]
    masses = torch.tensor(eight.by_head)
    assert [eight.jobs[head] for head in idle] == [(int(masses[:, head].argmax()),) for head in idle]


def test_a_mask_put_on_afterwards_is_worse_than_a_guess():
    trained_with, afterwards = (
        measure(shipped(Setting(mask="causal"))),
        measure(shipped(Setting()), Setting(mask="causal")),
    )
    whom = QUESTIONS.index("whom")
    assert 0.1 <= trained_with.accuracy[whom] <= 0.18
    assert afterwards.accuracy[whom] <= 0.06
    assert trained_with.accuracy[0] == pytest.approx(1, abs=0.01)


def test_a_test_under_dropout_draws_from_the_generator_and_leaves_the_layer_alone():
    learned, under = shipped(Setting()), Setting(dropout=0.5)
    first, again, other = (
        measure(learned, under, training=True, generator=seeded(seed)).accuracy for seed in (0, 0, 1)
    )
    assert first == again != other
    assert sum(first) / 5 < 0.85
    assert measure(learned, under).accuracy == measure(learned).accuracy
    assert (learned.module.training, learned.module.dropout) == (False, 0.0)
