"""The effect of each head, computed as batches, is that of the model with this head switched off."""

import pytest

from attention.experiments.head_effects import head_effects
from tests.support.trained import model

pytestmark = pytest.mark.models

# Of layers and heads, so many are run one by one.
SOME = {"minilm": ((0, 2), (3, 7), (5, 11)), "smollm2": ((0, 2), (17, 5), (29, 8))}


@pytest.mark.parametrize("name", SOME)
def test_it_is_the_model_without_the_head(name):
    trained, text, done = model(name), "Once upon a time", []
    table = head_effects(trained, text, done.append, scale={1: 0.1}).set_index(["layer", "head"])
    assert len(table) == trained.sizes.layers * trained.sizes.heads
    assert done == sorted(done)
    assert done[-1] == 1
    whole = trained.output(text, scale={1: 0.1})
    for layer, head in SOME[name]:
        other = trained.output(text, scale={1: 0.1}, off={layer: (head,)})
        if trained.sizes.causal:
            expected = float((whole - other).abs().sum()) / 2
            assert table.loc[(layer, head), "probability"] == pytest.approx(float(other[whole.argmax()]), abs=1e-5)
        else:
            expected = 1 - float(whole @ other)
        assert table.loc[(layer, head), "effect"] == pytest.approx(expected, abs=1e-5)
