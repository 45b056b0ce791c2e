"""The effect of each head, computed as batches, is that of the model with this head switched off."""

from dataclasses import replace

import pytest

from attention.experiments.head_effects import head_effects
from attention.inputs.trained import TrainedModel
from tests.support.trained import model
from tests.support.untrained import Untrained

# The (layer, head) pairs that are run one by one.
SOME = {"minilm": ((0, 2), (3, 7), (5, 11)), "smollm2": ((0, 2), (17, 5), (29, 8))}


@pytest.mark.models
@pytest.mark.parametrize("name", SOME)
def test_it_is_the_model_without_the_head(name):
    switched_off(model(name), SOME[name])


@pytest.mark.parametrize("name", SOME)
def test_it_is_so_with_any_weights(name):
    """The models are untrained, with three layers of each kind."""
    untrained = Untrained(name)
    untrained.sizes = replace(untrained.sizes, layers=3)
    switched_off(untrained, [(layer, head) for layer in range(3) for head in range(1, untrained.sizes.heads, 3)])


def switched_off(trained: TrainedModel, some):
    text, done = "Once upon a time", []
    table = head_effects(trained, text, done.append, scale={1: 0.1}).set_index(["layer", "head"])
    assert len(table) == trained.sizes.layers * trained.sizes.heads
    assert done == sorted(done)
    assert done[-1] == 1
    whole = trained.output(text, scale={1: 0.1})
    for layer, head in some:
        other = trained.output(text, scale={1: 0.1}, off={layer: (head,)})
        if trained.sizes.causal:
            expected = float((whole - other).abs().sum()) / 2
            assert table.loc[(layer, head), "probability"] == pytest.approx(float(other[whole.argmax()]), abs=1e-5)
        else:
            expected = 1 - float(whole @ other)
        assert table.loc[(layer, head), "effect"] == pytest.approx(expected, abs=1e-5)
