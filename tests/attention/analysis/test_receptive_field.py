"""A position depends on another if the gradient of the stacked layers is not zero there."""

import pytest
import torch

from attention import MultiHeadAttention
from attention.analysis.receptive_field import reach, receptive_field, sliding
from tests.support import drawn, refused, seeded

N = 13


@pytest.mark.parametrize(("width", "full"), [(1, ()), (2, ()), (5, ()), (3, (1,)), (3, (0,)), (3, (2,))], ids=str)
def test_it_is_where_the_gradient_of_stacked_layers_is_not_zero(width, full):
    masks = sliding(N, width, 3, full=full)
    layer = MultiHeadAttention(7, generator=seeded()).double()
    (x,) = drawn((N, 7))
    x.requires_grad_()
    y = x
    for mask, field in zip(masks, receptive_field(masks), strict=True):
        y = y + layer(y, mask=mask)
        for position in (0, 6, N - 1):
            (gradient,) = torch.autograd.grad(y[position].sum(), x, retain_graph=True)
            assert torch.equal(gradient.abs().sum(-1) > 0, field[position])


@pytest.mark.parametrize(("width", "layers"), [(4, 1), (4, 2), (4, 3), (1, 5), (3, 7)])
def test_windows_reach_as_far_as_the_formula_says(width, layers):
    field = receptive_field(sliding(N, width, layers))
    assert int(field[-1, -1].sum()) == min(N, reach(width, layers))


def test_the_reach_of_mistral():
    """Window 4,096, 32 layers: not 32 times 4,096 = 131,072."""
    assert reach(4096, 32) == 131_041


def test_one_global_layer_anywhere_reaches_all():
    assert not receptive_field(sliding(N, 2, 4))[-1, -1].all()
    for layer in range(4):
        assert receptive_field(sliding(N, 2, 4, full=[layer]))[-1, -1].all()


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        ([], "masks needs at least one layer, got 0"),
        ([torch.ones(2, 3, dtype=torch.bool)], "all masks must be (3, 3), got (2, 3)"),
    ],
)
def test_masks_that_do_not_fit_are_refused(masks, message):
    with refused(message):
        receptive_field(masks)


@pytest.mark.parametrize("sizes", [{"width": 0, "layers": 3}, {"width": 3, "layers": 0}])
def test_a_window_and_its_layers_are_at_least_one(sizes):
    (name,) = (name for name, size in sizes.items() if size == 0)
    with refused(f"{name} must be at least 1, got 0"):
        reach(**sizes)
