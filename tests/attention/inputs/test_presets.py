"""Every preset has a module that fits its input, names for its features, and no randomness of its own."""

import pytest
import torch

from attention import MultiHeadAttention
from attention.inputs.names import Name, along
from attention.inputs.plane import PLANE
from attention.inputs.presets import PRESETS
from tests.support.presets import traced


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_fits_together(preset):
    prepared = preset()
    assert isinstance(prepared.module, MultiHeadAttention)
    assert prepared.inputs.x.shape == (1, len(prepared.inputs.tokens[0]), prepared.module.d_model)
    assert prepared.inputs.lengths == (len(prepared.inputs.tokens[0]),)
    assert prepared.module.heads == 1
    assert -prepared.inputs.x.shape[1] <= prepared.focus < prepared.inputs.x.shape[1]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_leaves_the_shared_generator_alone(preset):
    before = torch.get_rng_state()
    preset()
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_names_are_as_many_as_their_axis_is_long(preset):
    prepared = preset()
    trace = traced(prepared)
    for key, names in prepared.names.items():
        step, _, axis = key.rpartition(".")
        assert len(names) == trace.sizes[axis], key
        assert not step or axis in trace[step].axes


def test_an_axis_has_the_names_of_its_step_before_those_that_it_has_everywhere():
    own, shared = (Name("mark"),), (Name("word"), Name("word"))
    names = {"queries.feature": own, "feature": shared}
    assert along(names, "queries", "feature") == own
    assert along(names, "keys", "feature") == shared
    assert along(names, "queries", "model") == ()


def test_in_the_plane_animals_stand_to_the_right_fruit_to_the_upper_left_and_vehicles_below():
    for word, (x, y) in PLANE.items():
        kind = {"cat": "animal", "dog": "animal", "apple": "fruit", "pear": "fruit", "car": "vehicle", "bus": "vehicle"}
        expected = {"animal": x > abs(y) / 2, "fruit": x < 0 < y, "vehicle": y < -2 * abs(x) + 0.1}
        assert [name for name, is_there in expected.items() if is_there] == [kind[word]], word
