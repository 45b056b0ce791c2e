"""The classes of the four notes that this project began from, in words of our own, are cases of the one layer.

Each note writes its layer with `nn.Linear`, whose weight is the transpose of ours.
"""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from attention import MultiHeadAttention, grid, scaled_dot_product_attention
from attention.masks import padding
from tests.support import CLOSE, drawn, qkv, seeded, with_gradients

EXACTLY = CLOSE[torch.float64]


class Projections(nn.Module):
    """Four linear maps that take their parameters over from our layer."""

    def __init__(self, layer: MultiHeadAttention) -> None:
        super().__init__()
        for letter in "qkvo":
            weight, bias = getattr(layer, f"w_{letter}"), getattr(layer, f"b_{letter}")
            linear = nn.Linear(*weight.shape, bias=bias is not None, dtype=weight.dtype)
            linear.weight = nn.Parameter(weight.detach().T.clone())
            if bias is not None:
                linear.bias = nn.Parameter(bias.detach().clone())
            setattr(self, letter, linear)


class OneHead(Projections):
    """Notes 0 and 2: a single head; biases and the sizes are those of the maps; mask 0 hides."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        queries, keys, values = self.q(x), self.k(x), self.v(x)
        scores = torch.matmul(queries, keys.transpose(-2, -1)) / torch.sqrt(torch.tensor(queries.size(-1)).to(x))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.o(torch.matmul(torch.softmax(scores, dim=-1), values))


class SeveralHeads(Projections):
    """Notes 0 and 3: heads by view and transpose; keys and values may come from another sentence."""

    def __init__(self, layer: MultiHeadAttention, heads: int) -> None:
        super().__init__(layer)
        self.heads = heads

    def by_head(self, columns: Tensor) -> Tensor:
        batch, positions, features = columns.shape
        return columns.view(batch, positions, self.heads, features // self.heads).transpose(1, 2)

    def forward(self, query: Tensor, key: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
        key = query if key is None else key
        q, k, v = self.by_head(self.q(query)), self.by_head(self.k(key)), self.by_head(self.v(key))
        # Scaled before the product, as in note 3; note 0 scales after it.
        scores = torch.matmul(q * q.size(-1) ** -0.5, k.transpose(2, 3))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        heads = torch.matmul(scores.softmax(dim=-1), v).transpose(1, 2).contiguous()
        return self.o(heads.view(query.size(0), query.size(1), -1))


def compare(ours: nn.Module, run: Callable, theirs: nn.Module, run_theirs: Callable, inputs: list[Tensor]) -> None:
    """Outputs, gradients of the inputs and, by way of one backward pass, gradients of the parameters."""
    torch.testing.assert_close(with_gradients(run, inputs), with_gradients(run_theirs, inputs), **EXACTLY)
    for forward in (run, run_theirs):
        output = forward(*inputs)
        output.backward(*drawn(output.shape, seed=1))
    for letter in "qkvo":
        linear = getattr(theirs, letter)
        torch.testing.assert_close(getattr(ours, f"w_{letter}").grad, linear.weight.grad.T, **EXACTLY)
        if linear.bias is not None:
            torch.testing.assert_close(getattr(ours, f"b_{letter}").grad, linear.bias.grad, **EXACTLY)


@pytest.mark.parametrize("masked", [False, True])
def test_one_head_with_bias_and_values_of_another_size(masked):
    layer = MultiHeadAttention(7, d_k=5, d_v=3, bias=True, generator=seeded()).double()
    theirs = OneHead(layer)
    may = padding([5, 3], 5)[:, 0] if masked else None
    as_numbers = may.long().expand(2, 5, 5) if masked else None
    ours = None if may is None else may[:, None]
    compare(layer, lambda x: layer(x, mask=ours), theirs, lambda x: theirs(x, as_numbers), drawn((2, 5, 7)))


def test_one_head_without_bias_and_an_output_of_its_own_size():
    layer = MultiHeadAttention(11, d_k=7, d_out=13, generator=seeded()).double()
    theirs = OneHead(layer)
    compare(layer, layer, theirs, theirs, drawn((2, 5, 11)))


@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_several_heads_without_bias(heads):
    layer = MultiHeadAttention(6, heads, generator=seeded()).double()
    theirs = SeveralHeads(layer, heads)
    compare(layer, layer, theirs, theirs, drawn((2, 5, 6)))


@pytest.mark.parametrize("shape", ["batch 1 1 keys", "batch 1 queries keys", "batch heads queries keys"])
def test_cross_attention_with_bias_and_masks_of_four_axes(shape):
    layer = MultiHeadAttention(6, 3, bias=True, generator=seeded()).double()
    theirs = SeveralHeads(layer, 3)
    mask = padding([7, 3], 7)
    if "queries" in shape:
        mask = mask & grid("prefix", 5, 7, length=2)
    if "heads" in shape:
        mask = mask.expand(2, 3, 5, 7)
    compare(
        layer,
        lambda x, context: layer(x, context, mask=mask),
        theirs,
        lambda x, context: theirs(x, context, mask.long()),
        drawn((2, 5, 6), (2, 7, 6)),
    )


def test_the_function_of_three_matrices():
    def note_4(query, key, value):
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
        return torch.matmul(scores.softmax(dim=-1), value)

    torch.testing.assert_close(
        with_gradients(scaled_dot_product_attention, qkv()), with_gradients(note_4, qkv()), **EXACTLY
    )
