"""The layer is `torch.nn.MultiheadAttention`, which keeps its weights transposed and stacked and hides what is True."""

import pytest
import torch
from torch import nn
from torch.func import functional_call

from attention import MultiHeadAttention, Trace, grid
from attention.masks import padding
from tests.support import CLOSE, drawn, rounding, seeded, with_gradients
from tests.support.covering import cases

BATCH, QUERIES, KEYS = 2, 5, 7
D_CONTEXT = 11


def in_the_names_of_torch(layer: MultiHeadAttention, parameters: dict, stacked: bool) -> dict:
    columns = {letter: parameters[f"w_{letter}"].T for letter in "qkvo"}
    theirs = {"out_proj.weight": columns["o"]}
    if stacked:
        theirs["in_proj_weight"] = torch.cat([columns[letter] for letter in "qkv"])
    else:
        theirs |= {f"{letter}_proj_weight": columns[letter] for letter in "qkv"}
    if layer.b_o is not None:
        theirs["in_proj_bias"] = torch.cat([parameters[f"b_{letter}"] for letter in "qkv"])
        theirs["out_proj.bias"] = parameters["b_o"]
    return theirs


@pytest.mark.parametrize(
    ("heads", "bias", "source", "mask", "padded", "dtype"),
    cases(
        [1, 2, 6],
        [False, True],
        ["self", "cross", "cross of the same size"],
        [None, "causal", "prefix"],
        [False, True],
        [torch.float64, torch.float32],
        strength=3,
    ),
    ids=str,
)
def test_output_and_gradients_are_those_of_torch(heads, bias, source, mask, padded, dtype):
    d_model, d_context = 12, D_CONTEXT if source == "cross" else 12
    keys = QUERIES if source == "self" else KEYS
    layer = MultiHeadAttention(d_model, heads, d_context=d_context, bias=bias, generator=seeded()).to(dtype)
    torchs = nn.MultiheadAttention(
        d_model, heads, bias=bias, kdim=d_context, vdim=d_context, batch_first=True, dtype=dtype
    )
    names = [name for name, _ in layer.named_parameters()]
    inputs = drawn((BATCH, QUERIES, d_model), *[(BATCH, keys, d_context)] * (source != "self"), dtype=dtype)
    seen = None if mask is None else grid(mask, QUERIES, keys, **({"length": 3} if mask == "prefix" else {}))
    real = padding([keys, 3], keys) if padded else None
    both = [part for part in (seen, real) if part is not None]

    def ours(*tensors):
        data, parameters = tensors[: len(inputs)], dict(zip(names, tensors[len(inputs) :], strict=True))
        together = torch.broadcast_tensors(*both) if both else ()
        may = torch.stack(together).all(0) if both else None
        return functional_call(layer, parameters, data, {"mask": may})

    def theirs(*tensors):
        data, parameters = tensors[: len(inputs)], dict(zip(names, tensors[len(inputs) :], strict=True))
        x, context = data[0], data[-1]
        hidden = {
            "attn_mask": None if seen is None else ~seen,
            "key_padding_mask": None if real is None else ~real[:, 0, 0],
            "need_weights": False,
        }
        stacked = torchs.in_proj_weight is not None
        return functional_call(
            torchs, in_the_names_of_torch(layer, parameters, stacked), (x, context, context), hidden
        )[0]

    leaves = [*inputs, *(parameter.detach() for parameter in layer.parameters())]
    mine, expected = with_gradients(ours, leaves), with_gradients(theirs, leaves)
    bound = CLOSE[dtype]
    if dtype == torch.float32:
        # The gradients of the parameters are sums over all positions, up to 17 in size.
        terms = d_model, d_model, keys, BATCH * QUERIES
        bound = {"rtol": 0, "atol": rounding(*terms, of=17, dtype=dtype)}
        torch.testing.assert_close(mine[0], expected[0], **CLOSE[dtype])
    torch.testing.assert_close(mine, expected, **bound)


@pytest.mark.parametrize("heads", [1, 2, 6])
def test_the_weights_are_those_that_torch_returns(heads):
    layer = MultiHeadAttention(12, heads, bias=True, generator=seeded()).double()
    torchs = nn.MultiheadAttention(12, heads, batch_first=True, dtype=torch.float64)
    torchs.load_state_dict(in_the_names_of_torch(layer, layer.state_dict(), stacked=True))
    (x,) = drawn((BATCH, QUERIES, 12))
    trace = Trace()
    mask = grid("causal", QUERIES, QUERIES)
    layer(x, mask=mask, trace=trace)
    _, weights = torchs(x, x, x, attn_mask=~mask, average_attn_weights=False)
    torch.testing.assert_close(trace["weights"].value, weights.detach(), **CLOSE[torch.float64])


def test_a_sentence_of_nothing_but_padding_is_what_torch_makes_of_it_without_weights():
    layer = MultiHeadAttention(12, 3, bias=True, generator=seeded()).double()
    torchs = nn.MultiheadAttention(12, 3, batch_first=True, dtype=torch.float64)
    torchs.load_state_dict(in_the_names_of_torch(layer, layer.state_dict(), stacked=True))
    mask = padding([QUERIES, 0], QUERIES)
    # If asked for its weights, torch answers NaN.
    hidden = {"key_padding_mask": ~mask[:, 0, 0], "need_weights": False}
    ours = with_gradients(lambda x: layer(x, mask=mask), drawn((BATCH, QUERIES, 12)))
    theirs = with_gradients(lambda x: torchs(x, x, x, **hidden)[0], drawn((BATCH, QUERIES, 12)))
    torch.testing.assert_close(ours, theirs, **CLOSE[torch.float64])
