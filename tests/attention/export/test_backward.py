"""The exported backward pass, executed: every gradient is that of autograd."""

import pytest
import torch

from attention import Trace
from attention.analysis.backward import Cell, Total, backward
from attention.export.backward import backward_script
from tests.attention.analysis.backward.test_gradients import CASES, inputs, layer
from tests.support import CLOSE, seeded
from tests.support.backward import of_variant


def executed(made):
    text = backward_script(made.forward, made.gradients, {id: made.read_by(id) for id in made.gradients})
    namespace = {}
    exec(text, namespace)
    return namespace["gradients"]


@pytest.mark.parametrize(("cross", "bias", "mask", "scale", "dropout", "batched"), CASES, ids=str)
def test_the_script_computes_every_gradient(cross, bias, mask, scale, dropout, batched, capsys):
    module, (x, context, may) = layer(cross, bias, dropout), inputs(cross, mask, batched)
    trace = Trace()
    module(x, context, mask=may, scale=scale, generator=seeded(2), trace=trace)
    made = backward(trace, Cell("projected", 3, 2, batch=1), module)
    found = executed(made)
    assert list(found) == list(made.by_hand)
    for id, step in made.gradients.items():
        torch.testing.assert_close(found[id], step.value, **CLOSE[torch.float64])
    assert "d x" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["norm", "all"])
def test_a_variant_and_a_target_on_the_way_too(name):
    trace, module = of_variant(name)
    made = backward(trace, Total("weights"), module)
    for id, value in executed(made).items():
        torch.testing.assert_close(value, made.gradients[id].value, **CLOSE[torch.float64])
