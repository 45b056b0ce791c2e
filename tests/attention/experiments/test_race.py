"""The race: scaling in disguise, the states of a run, its task and its tables."""

import math
from dataclasses import replace
from itertools import islice

import pytest
import torch
from torch.nn import functional as F

from attention.experiments.optimizers import OPTIMISERS
from attention.experiments.race import SLOTS, SYMBOLS, Race, Task, batches, curves, start, train
from attention.scales import BY_D_K
from tests.support import EXACT, refused, seeded
from tests.support.covering import some
from tests.support.training import trained


def losses(race):
    return [state.loss for state in trained(race)]


DISGUISED = Race("none", steps=60, small_weights=True, small_step=True)


@pytest.mark.parametrize(("d_k", "seed"), some([(256, 0), (256, 3), (64, 1), (64, 2), (32, 4)], 2))
def test_smaller_weights_and_a_smaller_step_are_the_scaled_run_itself(d_k, seed):
    scaled = Race("sqrt_d_k", d_k, seed, steps=60)
    assert losses(replace(DISGUISED, d_k=d_k, seed=seed)) == pytest.approx(losses(scaled), abs=1e-5)


def test_at_the_start_the_disguise_holds_for_small_heads_too():
    """Later it does not: a step of 1 is too large for small heads, and rounding errors grow, even in float64."""
    scaled = Race("sqrt_d_k", 7, 4, steps=7)
    assert losses(replace(DISGUISED, d_k=7, seed=4, steps=7)) == pytest.approx(losses(scaled), abs=1e-5)


@pytest.mark.parametrize("undone", ["small_weights", "small_step"])
def test_either_half_alone_is_another_run(undone):
    broken = losses(replace(DISGUISED, steps=20, **{undone: False}))
    assert max(abs(a - b) for a, b in zip(broken, losses(Race(steps=20)), strict=True)) > 0.5


def test_with_adam_the_disguise_does_not_hold():
    scaled = Race(optimiser="adam", lr=1e-3, steps=20)
    disguised = replace(scaled, scale="none", small_weights=True, small_step=True)
    assert losses(disguised)[0] == pytest.approx(losses(scaled)[0], abs=1e-5)
    assert losses(disguised)[20] != pytest.approx(losses(scaled)[20], abs=1e-2)


@pytest.mark.slow
def test_smaller_weights_alone_fail_at_this_step_and_learn_with_a_tenth_of_it():
    last = [trained(Race("none", small_weights=True, lr=lr))[-1].accuracy for lr in (1.0, 0.1)]
    assert last[0] < 0.6
    assert last[1] >= 0.99


@pytest.mark.parametrize(
    ("scale", "low", "high"), some([("none", 0.0, 0.95), ("d_k", 0.98, 1.0), ("sqrt_d_k", 0.99, 1.0)], 2)
)
@pytest.mark.slow
def test_adam_learns_with_either_root_and_not_without(scale, low, high):
    assert low <= trained(Race(scale, optimiser="adam", lr=1e-3, steps=200))[-1].accuracy <= high


@pytest.mark.parametrize("scale", ["none", "sqrt_d_k"])
def test_at_d_k_16_a_small_learning_rate_does_without_scaling(scale):
    assert trained(Race(scale, 16, steps=200, lr=0.1))[-1].accuracy >= 0.98


def test_states_come_one_a_step_with_an_accuracy_every_fifth_and_at_the_end():
    states = list(train(Race(d_k=3, steps=12)))
    assert [state.step for state in states] == list(range(13))
    assert [state.step for state in states if state.accuracy is not None] == [0, 5, 10, 12]


def test_an_untrained_head_answers_by_chance_and_its_loss_is_that_of_the_batch():
    race = Race(d_k=7, seed=2)
    first = next(train(race))
    assert abs(first.accuracy - 1 / SYMBOLS) < 0.06
    task, model = start(2, 7)
    queries, context, answers = task.batch(64, batches(2))
    logits = model(queries, context)[:, 0]
    assert first.loss == pytest.approx(F.cross_entropy(logits, answers).item())


def test_runs_that_take_turns_are_the_runs_by_themselves():
    races = [Race(scale, 5, steps=7) for scale in BY_D_K]
    together = list(zip(*map(train, races), strict=True))
    assert [list(run) for run in zip(*together, strict=True)] == [list(train(race)) for race in races]


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_run_may_be_stopped_and_trained_in_inference_mode_and_leaves_no_mode_behind(optimiser):
    race = Race(d_k=5, steps=7, optimiser=optimiser, lr=0.1, small_weights=True)
    outside = list(train(race))
    with torch.inference_mode():
        run = train(race)
        assert list(islice(run, 3)) == outside[:3]
        assert torch.is_inference_mode_enabled()
        run.close()
        assert list(train(race)) == outside
    assert torch.is_grad_enabled()


def test_the_draws_are_in_the_published_order():
    generator = seeded(3)
    positions, symbols = (torch.randn(16, 64, generator=generator) for _ in range(2))
    weights = [torch.randn(64, n, generator=generator) / 8 for n in (7, 7, 64, 16)]
    task, model = start(3, 7)
    drawn = [task.positions, task.symbols, model.w_q, model.w_k, model.w_v, model.w_o]
    torch.testing.assert_close([tensor.detach() for tensor in drawn], [positions, symbols, *weights], **EXACT)
    contents = torch.randint(16, (5, 16), generator=seeded(10_003))
    _, context, _ = task.batch(5, batches(3))
    torch.testing.assert_close(context, (positions + symbols[contents]) / math.sqrt(2), **EXACT)


def test_the_answer_is_the_symbol_in_the_slot_that_is_asked_for():
    task = Task(torch.eye(SLOTS, 64), torch.eye(64)[SLOTS : SLOTS + SYMBOLS])
    queries, context, answers = task.batch(11, seeded())
    assert (queries.shape, context.shape, answers.shape) == ((11, 1, 64), (11, SLOTS, 64), (11,))
    slots = queries.squeeze(1).argmax(-1)
    shown = context[torch.arange(11), slots]
    assert (shown.count_nonzero(-1) == 2).all()
    assert shown[:, SLOTS:].argmax(-1).tolist() == answers.tolist()
    assert len(set(slots.tolist())) > 1


def test_curves_have_a_row_for_each_state_and_the_settings_beside_it():
    races = [Race("none", 3, seed, steps=2) for seed in (0, 1)]
    table = curves({race: train(race) for race in races})
    assert len(table) == 6
    assert table["seed"].tolist() == [0, 0, 0, 1, 1, 1]
    assert table["accuracy"].isna().tolist() == [False, True, False] * 2
    assert {"scale", "d_k", "optimiser", "lr", "small_weights", "small_step", "step", "loss"} <= set(table.columns)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"scale": "sqrt_heads"}, "unknown scale 'sqrt_heads'; one of none, sqrt_d_k, d_k"),
        ({"optimiser": "lion"}, "unknown optimiser 'lion'; one of sgd, adam"),
        ({"d_k": 0}, "d_k must be at least 1, got 0"),
        ({"steps": 0}, "steps must be at least 1, got 0"),
        ({"lr": 0.0}, "lr must be a finite number above 0, got 0.0"),
        ({"lr": math.nan}, "lr must be a finite number above 0, got nan"),
    ],
)
def test_a_race_that_cannot_be_run_is_refused(arguments, text):
    with refused(text):
        Race(**arguments)


@pytest.mark.parametrize("steps", [5, 12, 10])
def test_a_shorter_race_is_the_start_of_a_longer_one(steps):
    """So several tests can use one trained race."""
    race = Race(d_k=3, seed=7, steps=steps)
    assert trained(race) == tuple(train(race))
