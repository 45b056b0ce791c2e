"""The exported backward pass, executed: every gradient is that of autograd."""

import json

import pytest
import torch

from attention import MultiHeadAttention, Trace
from attention.analysis.backward import Cell, Total, Weighted, backward
from attention.export.backward import backward_notebook, backward_script
from attention.export.literals import READABLE
from tests.attention.analysis.backward.test_gradients import CASES, inputs, layer
from tests.support import CLOSE, seeded
from tests.support.backward import of_variant
from tests.support.export import ROUNDING, assert_reproduces, executed, sources


def written(made, write, **more):
    return write(made.forward, made.gradients, {id: made.read_by(id) for id in made.gradients}, **more)


@pytest.mark.parametrize(("cross", "bias", "mask", "scale", "dropout", "batched"), CASES, ids=str)
def test_the_script_computes_every_gradient(cross, bias, mask, scale, dropout, batched):
    module, (x, context, may) = layer(cross, bias, dropout), inputs(cross, mask, batched)
    trace = Trace()
    module(x, context, mask=may, scale=scale, generator=seeded(2), trace=trace)
    made = backward(trace, Cell("projected", 3, 2, batch=1), module)
    namespace, printed = executed(written(made, backward_script))
    found = namespace["gradients"]
    assert list(found) == list(made.by_hand)
    for id, step in made.gradients.items():
        torch.testing.assert_close(found[id], step.value, **CLOSE[torch.float64])
    assert "d x" in printed


@pytest.mark.parametrize("name", ["norm", "all"])
def test_the_notebook_does_too_for_a_variant_and_a_target_on_the_way(name):
    trace, module = of_variant(name)
    made = backward(trace, Total("weights"), module)
    book = written(made, backward_notebook, titles={"d_weights": "Where it starts"})
    namespace, _ = executed(*sources(book))
    assert_reproduces(namespace["steps"], made.forward, ROUNDING[torch.float64])
    assert list(namespace["gradients"]) == list(made.gradients)[::-1]
    for id, value in namespace["gradients"].items():
        torch.testing.assert_close(value, made.gradients[id].value, **CLOSE[torch.float64])
    # Each gradient stands under its formula. A notebook tells cells apart by their ids.
    formulas = sources(book, "markdown")
    assert [text.strip("$") for text in formulas[-len(made.gradients) + 1 :]] == [
        step.quantity.formula for step in list(made.gradients.values())[-2::-1]
    ]
    assert formulas[-len(made.gradients)].startswith("### Where it starts\n\n$$")
    ids = [cell["id"] for cell in json.loads(book)["cells"]]
    assert len(ids) == len(set(ids))


def test_a_gradient_is_packed_where_no_step_is():
    """The run has two tokens of one feature, and an output that is wider than a script shows as digits."""
    module, trace = MultiHeadAttention(1, d_out=READABLE), Trace()
    module(torch.ones(2, 1), trace=trace)
    made = backward(trace, Weighted(torch.randn(2, READABLE, generator=seeded()), "projected"), module)
    namespace, _ = executed(written(made, backward_script))
    torch.testing.assert_close(namespace["gradients"]["x"], made.gradients["x"].value)
