"""One token per column: W_q X is our X W_Q, transposed."""

import pytest
import torch

from attention import MultiHeadAttention, Trace
from attention.analysis.columns import across, as_columns
from tests.support import drawn, seeded


@pytest.mark.parametrize("bias", [False, True])
def test_a_projection_on_the_left_is_the_transpose(bias):
    layer, trace = MultiHeadAttention(11, 2, d_k=3, bias=bias, generator=seeded(1)), Trace()
    (x,) = drawn((5, 7, 11), dtype=torch.float32)
    layer(x, trace=trace)
    made = as_columns(trace)
    assert made.queries.sizes == {"batch": 5, "head": 2, "feature": 3, "query": 7}
    assert made.w_q.sizes == {"head": 2, "feature": 3, "model": 11}
    assert made.by < 1e-5
    left = torch.einsum("hfm,bmn->bhfn", made.w_q.value, made.x.value)
    if bias:
        left = left + layer.b_q.detach().unflatten(-1, (2, 3))[..., None]
    torch.testing.assert_close(left, made.queries.value)


def test_a_step_turned_twice_is_itself():
    trace = Trace()
    MultiHeadAttention(5, generator=seeded(1))(drawn((3, 5), dtype=torch.float32)[0], trace=trace)
    step = trace["queries"]
    turned = across(across(step))
    assert turned.axes == step.axes
    torch.testing.assert_close(turned.value, step.value)
