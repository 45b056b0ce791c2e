"""The classes of the four notes that this project began from, in words of our own, are cases of the one layer.

Each note writes its layer with `nn.Linear`, whose weight is the transpose of ours, and its dropout with `nn.Dropout`,
which draws from the generator that everybody shares; here it drops what the generator drops that our layer is given.
"""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from attention import MultiHeadAttention, Trace, grid, scaled_dot_product_attention
from attention.masks import padding
from tests.support import CLOSE, drawn, qkv, seeded, with_gradients

EXACTLY = CLOSE[torch.float64]
P = 0.3


def dropped(weights: Tensor) -> Tensor:
    """Inverted dropout, as in notes 0, 3 and 4, with the keep-mask that a fresh generator draws."""
    keep = torch.rand(weights.shape, generator=seeded(9)) >= P
    return torch.where(keep, weights / (1 - P), torch.zeros_like(weights))


class Projections(nn.Module):
    """Four linear maps with the parameters of our layer, and dropout as our layer has it."""

    def __init__(self, layer: MultiHeadAttention) -> None:
        super().__init__()
        self.dropout = dropped if layer.dropout else nn.Identity()
        for letter in "qkvo":
            weight, bias = getattr(layer, f"w_{letter}"), getattr(layer, f"b_{letter}")
            linear = nn.Linear(*weight.shape, bias=bias is not None, dtype=weight.dtype)
            linear.weight = nn.Parameter(weight.detach().T.clone())
            if bias is not None:
                linear.bias = nn.Parameter(bias.detach().clone())
            setattr(self, letter, linear)


class OneHead(Projections):
    """Notes 0 and 2: a single head, with the biases and sizes of the maps; mask 0 hides."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        queries, keys, values = self.q(x), self.k(x), self.v(x)
        scores = torch.matmul(queries, keys.transpose(-2, -1)) / torch.sqrt(torch.tensor(queries.size(-1)).to(x))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.o(torch.matmul(self.dropout(torch.softmax(scores, dim=-1)), values))


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
        # Note 3 scales before the product, note 0 after it.
        scores = torch.matmul(q * q.size(-1) ** -0.5, k.transpose(2, 3))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        heads = torch.matmul(self.dropout(scores.softmax(dim=-1)), v).transpose(1, 2).contiguous()
        return self.o(heads.view(query.size(0), query.size(1), -1))


def compare(ours: nn.Module, run: Callable, theirs: nn.Module, run_theirs: Callable, inputs: list[Tensor]) -> None:
    """Compare outputs, gradients of the inputs and, by one backward pass, gradients of the parameters."""
    torch.testing.assert_close(with_gradients(run, inputs), with_gradients(run_theirs, inputs), **EXACTLY)
    for forward in (run, run_theirs):
        output = forward(*inputs)
        output.backward(*drawn(output.shape, seed=1))
    for letter in "qkvo":
        linear = getattr(theirs, letter)
        torch.testing.assert_close(getattr(ours, f"w_{letter}").grad, linear.weight.grad.T, **EXACTLY)
        if linear.bias is not None:
            torch.testing.assert_close(getattr(ours, f"b_{letter}").grad, linear.bias.grad, **EXACTLY)


def test_what_is_dropped_here_is_what_the_dropout_of_torch_would_leave():
    """Both dropouts give the same two values, equally often; only the draws themselves differ."""
    ones = torch.ones(200, 200)
    with torch.random.fork_rng():
        torch.manual_seed(4)
        theirs = nn.Dropout(P)(ones)
    assert set(dropped(ones).unique().tolist()) == set(theirs.unique().tolist())
    assert dropped(ones).mean().item() == pytest.approx(theirs.mean().item(), abs=0.02)


@pytest.mark.parametrize("dropout", [0.0, P])
@pytest.mark.parametrize("masked", [False, True])
def test_one_head_with_bias_and_values_of_another_size(masked, dropout):
    layer = MultiHeadAttention(7, d_k=5, d_v=3, bias=True, dropout=dropout, generator=seeded()).double()
    theirs = OneHead(layer)
    may = padding([5, 3], 5)[:, 0] if masked else None
    as_numbers = may.long().expand(2, 5, 5) if masked else None
    ours = None if may is None else may[:, None]
    compare(
        layer,
        lambda x: layer(x, mask=ours, generator=seeded(9)),
        theirs,
        lambda x: theirs(x, as_numbers),
        drawn((2, 5, 7)),
    )


def test_one_head_without_bias_and_an_output_of_its_own_size():
    layer = MultiHeadAttention(11, d_k=7, d_out=13, generator=seeded()).double()
    theirs = OneHead(layer)
    compare(layer, layer, theirs, theirs, drawn((2, 5, 11)))


@pytest.mark.parametrize("dropout", [0.0, P])
@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_several_heads_without_bias(heads, dropout):
    layer = MultiHeadAttention(6, heads, dropout=dropout, generator=seeded()).double()
    theirs = SeveralHeads(layer, heads)
    compare(layer, lambda x: layer(x, generator=seeded(9)), theirs, theirs, drawn((2, 5, 6)))


@pytest.mark.parametrize("dropout", [0.0, P])
@pytest.mark.parametrize("shape", ["batch 1 1 keys", "batch 1 queries keys", "batch heads queries keys"])
def test_cross_attention_with_bias_and_masks_of_four_axes(shape, dropout):
    layer = MultiHeadAttention(6, 3, bias=True, dropout=dropout, generator=seeded()).double()
    theirs = SeveralHeads(layer, 3)
    mask = padding([7, 3], 7)
    if "queries" in shape:
        mask = mask & grid("prefix", 5, 7, length=2)
    if "heads" in shape:
        mask = mask.expand(2, 3, 5, 7)
    compare(
        layer,
        lambda x, context: layer(x, context, mask=mask, generator=seeded(9)),
        theirs,
        lambda x, context: theirs(x, context, mask.long()),
        drawn((2, 5, 6), (2, 7, 6)),
    )


def test_a_sentence_in_which_all_is_masked_is_not_a_number_there_and_the_last_bias_here():
    """The last cell of note 0: three sentences of two tokens, 128 features, 8 heads, and the second sees nothing."""
    layer = MultiHeadAttention(128, 8, bias=True, generator=seeded()).double()
    theirs = SeveralHeads(layer, 8)
    (x,) = drawn((3, 2, 128))
    mask = torch.tensor([[0, 1], [0, 0], [1, 0]])[:, None, None, :].expand(3, 8, 2, 2)
    ours, noted = layer(x, mask=mask.bool()), theirs(x, mask=mask)
    assert noted[1].isnan().all()
    torch.testing.assert_close(ours[1], layer.b_o.expand(2, 128), **EXACTLY)
    torch.testing.assert_close(ours[[0, 2]], noted[[0, 2]], **EXACTLY)


def note_4(query, key, value, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


def ours_as_in_note_4(query, key, value, dropout=None):
    """The output and the weights that made it: with dropout, those after it."""
    trace, p = Trace(), P if dropout else 0.0
    output = scaled_dot_product_attention(query, key, value, dropout=p, generator=seeded(9), trace=trace)
    return output, trace["dropped" if dropout else "weights"].value


@pytest.mark.parametrize("dropout", [None, dropped])
def test_the_function_of_three_matrices(dropout):
    """attention(query, key, value, dropout), which returns the output and the weights."""
    found = ours_as_in_note_4(*qkv(), dropout)
    torch.testing.assert_close(found, note_4(*qkv(), dropout), **EXACTLY)
    gradients = [
        with_gradients(lambda q, k, v, of=of: of(q, k, v, dropout)[0], qkv()) for of in (ours_as_in_note_4, note_4)
    ]
    torch.testing.assert_close(*gradients, **EXACTLY)


@pytest.mark.parametrize("dropout", [None, dropped])
def test_the_function_of_one_matrix_three_times(dropout):
    """attention(x, x, x): the gradient of x comes through all three arguments."""
    x = drawn((2, 5, 11))
    of_x = [with_gradients(lambda x, of=of: of(x, x, x, dropout)[0], x) for of in (ours_as_in_note_4, note_4)]
    torch.testing.assert_close(*of_x, **EXACTLY)
    torch.testing.assert_close(ours_as_in_note_4(*x * 3, dropout)[1], note_4(*x * 3, dropout)[1], **EXACTLY)


def test_each_sentence_of_a_batch_is_what_it_is_alone():
    """S[b] = Q[b] K[b]^T / sqrt(d_k), and O[b] from it."""
    batch = Trace()
    q, k, v = qkv()
    scaled_dot_product_attention(q, k, v, trace=batch)
    for b in range(len(q)):
        alone = Trace()
        scaled_dot_product_attention(q[b], k[b], v[b], trace=alone)
        torch.testing.assert_close(batch["scaled"].value[b], q[b] @ k[b].mT / math.sqrt(q.shape[-1]), **EXACTLY)
        for id in ("scaled", "weights", "output"):
            torch.testing.assert_close(batch[id].value[b], alone[id].value, **EXACTLY)


def test_the_weights_are_exponentials_over_their_sum():
    """Softmax(x_i) = e^x_i / sum_j e^x_j."""
    trace = Trace()
    scaled_dot_product_attention(*qkv(), trace=trace)
    powers = trace["scaled"].value.exp()
    torch.testing.assert_close(trace["weights"].value, powers / powers.sum(-1, keepdim=True), **EXACTLY)


def test_a_token_a_column_is_the_transpose():
    """Note 3 writes Q = W_q X for X (D, N): Q is (D_k, N) then, and a column of the scores belongs to a query."""
    layer, trace = MultiHeadAttention(11, d_k=7, generator=seeded()).double(), Trace()
    (x,) = drawn((5, 11))
    layer(x, trace=trace)
    columns = {id: getattr(layer, f"w_{id[0]}").T @ x.T for id in ("queries", "keys", "values")}
    assert columns["queries"].shape == (7, 5)
    for id, value in columns.items():
        torch.testing.assert_close(trace[id].value[0], value.T, **EXACTLY)
    weights = (columns["keys"].T @ columns["queries"] / math.sqrt(7)).softmax(0)
    torch.testing.assert_close(trace["weights"].value[0], weights.T, **EXACTLY)
    torch.testing.assert_close(trace["output"].value[0], (columns["values"] @ weights).T, **EXACTLY)
