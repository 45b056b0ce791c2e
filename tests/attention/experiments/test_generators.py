"""A rule for all experiments: they draw from the generator that they are given, and from no other."""

import pandas as pd
import pytest
import torch

from attention.experiments.dot_products import Pairs
from attention.experiments.initializations import initialisations
from attention.experiments.race import Race, curves, train
from attention.experiments.saturation import saturation
from attention.experiments.score_gradients import gradients
from attention.experiments.score_matrices import error_bars, matrices, two_by_two
from attention.experiments.variance import histograms, sweep, variances
from attention.experiments.wrong_scale import which_d
from tests.support import seeded

EXPERIMENTS = {
    "variances": lambda g: variances(sweep(Pairs("t5"), (1, 7), 99, generator=g)),
    "histograms": lambda g: histograms(sweep(Pairs("laplace"), (1, 7), 99, generator=g), 7),
    "error_bars": lambda g: error_bars(matrices(Pairs("uniform"), (1, 7), 3, 5, 11, generator=g)),
    "two_by_two": lambda g: two_by_two(11, generator=g),
    "saturation": lambda g: saturation((1, 7), 5, 99, generator=g),
    "initialisations": lambda g: initialisations(7, 5, 3, 11, generator=g),
    "which_d": lambda g: which_d(6, 2, 5, 3, generator=g),
    "gradients": lambda g: gradients((3,), seeds=[g.initial_seed()], number=2),
    "race": lambda g: curves({race: train(race) for race in [Race(d_k=3, seed=g.initial_seed(), steps=2)]}),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_seed_gives_one_table_and_another_seed_another(name):
    first, again, other = (EXPERIMENTS[name](seeded(seed)) for seed in (0, 0, 1))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_generator_that_everybody_shares_is_left_alone(name):
    before = torch.get_rng_state()
    EXPERIMENTS[name](seeded())
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_runs_in_inference_mode_with_the_same_result(name):
    with torch.inference_mode():
        inside = EXPERIMENTS[name](seeded())
    pd.testing.assert_frame_equal(inside, EXPERIMENTS[name](seeded()))
