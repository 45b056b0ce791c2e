"""Numbers typed by hand: each at its place and nowhere else, in a copy, and torch gives the same results with them."""

import copy
from dataclasses import replace

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention import MultiHeadAttention, Trace
from attention.inputs.edits import MATRICES, Typed, matrices, typed_over
from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs
from tests.support import drawn, seeded

# Pairwise distinct primes: sentences, tokens, heads, and features of x, q and k, v and the output.
B, N, H, M, K, V, O = 2, 7, 3, 11, 5, 13, 17
SHAPES = {
    "x": (B, N, M),
    "w_q": (H, M, K),
    "w_k": (H, M, K),
    "w_v": (H, M, V),
    "w_o": (1, H * V, O),
    "b_q": (H, 1, K),
    "b_k": (H, 1, K),
    "b_v": (H, 1, V),
    "b_o": (1, 1, O),
}


def ready(bias: bool = True) -> Prepared:
    module = MultiHeadAttention(M, H, d_k=K, d_v=V, d_out=O, bias=bias, generator=seeded(1)).requires_grad_(False)
    tokens = tuple(tuple(f"{b}{i}" for i in range(N)) for b in range(B))
    return Prepared(Inputs(tokens, (N, N), drawn((B, N, M), seed=2)[0].float()), module, 3)


def record(given: Prepared) -> Trace:
    trace = Trace()
    given.module(given.inputs.x, trace=trace)
    return trace


def test_every_matrix_is_there_in_the_blocks_that_the_record_has():
    given = ready()
    assert {name: tuple(values.shape) for name, values in matrices(given).items()} == SHAPES
    trace = record(given)
    for name, values in matrices(given).items():
        torch.testing.assert_close(values.reshape(-1), trace[name].value.reshape(-1), rtol=0, atol=0)
    assert set(matrices(ready(bias=False))) == {name for name in MATRICES if not name.startswith("b_")}


@pytest.mark.parametrize("name", MATRICES)
def test_a_number_stands_at_its_place_and_nothing_else_has_changed(name):
    given, before = ready(), {name: values.clone() for name, values in matrices(ready()).items()}
    last = tuple(size - 1 for size in SHAPES[name])
    changed, homeless = typed_over(given, [Typed(name, *last, 41.5), Typed(name, 0, 0, 0, -0.25)])
    assert homeless == ()
    for id, values in matrices(changed).items():
        expected = before[id].clone()
        if id == name:
            expected[last], expected[0, 0, 0] = 41.5, -0.25
        torch.testing.assert_close(values, expected, rtol=0, atol=0)
        torch.testing.assert_close(matrices(given)[id], before[id], rtol=0, atol=0)
    recorded = record(changed)[name].value
    torch.testing.assert_close(recorded.reshape(SHAPES[name])[last], torch.tensor(41.5))


def test_torch_computes_the_same_with_what_was_typed():
    typed = [Typed("x", 1, 2, 3, 4.0), Typed("w_q", 2, 10, 4, -3.0), Typed("w_v", 1, 0, 12, 2.0)]
    changed, _ = typed_over(ready(bias=False), typed)
    x, parameters = changed.inputs.x, dict(changed.module.named_parameters())
    q, k, v = ((x @ parameters[f"w_{letter}"]).unflatten(-1, (H, -1)).transpose(1, 2) for letter in "qkv")
    output = scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2) @ parameters["w_o"]
    torch.testing.assert_close(record(changed)["projected"].value, output)


def test_only_what_changes_is_copied():
    given = ready()
    changed, _ = typed_over(given, [Typed("w_k", 0, 0, 0, 1.0)])
    same = {name for name, p in changed.module.named_parameters() if p is given.module.get_parameter(name)}
    assert same == set(SHAPES) - {"x", "w_k"}
    assert changed.focus == given.focus
    assert not changed.module.w_k.requires_grad


@pytest.mark.parametrize(
    "typed",
    [
        Typed("x", B, 0, 0, 1.0),
        Typed("x", 0, N, 0, 1.0),
        Typed("w_q", 0, 0, K, 1.0),
        Typed("w_o", 1, 0, 0, 1.0),
        Typed("b_k", 0, 1, 0, 1.0),
        Typed("w_q", -1, 0, 0, 1.0),
        Typed("other", 0, 0, 0, 1.0),
    ],
    ids=str,
)
def test_what_has_no_place_is_told_and_changes_nothing(typed):
    given = ready()
    assert typed_over(given, [typed]) == (given, (typed,))
    here = Typed("w_v", 2, 10, 12, 9.0)
    changed, homeless = typed_over(given, [typed, here])
    assert homeless == (typed,)
    assert matrices(changed)["w_v"][2, 10, 12] == 9.0


def test_a_number_keeps_the_digits_of_the_format_that_it_is_typed_into():
    given = ready()
    given = replace(given, module=copy.deepcopy(given.module).double())
    changed, _ = typed_over(given, [Typed("w_q", 0, 0, 0, 0.1)])
    assert matrices(changed)["w_q"][0, 0, 0].item() == 0.1


def test_without_biases_a_bias_has_no_place():
    assert typed_over(ready(bias=False), [Typed("b_q", 0, 0, 0, 1.0)])[1] == (Typed("b_q", 0, 0, 0, 1.0),)


@pytest.mark.parametrize("name", ["w_k", "b_v"])
def test_a_block_of_keys_and_values_is_a_key_head_where_heads_share_them(name):
    given = ready()
    shared = MultiHeadAttention(M, 6, kv_heads=H, d_k=K, d_v=V, bias=True, generator=seeded(1)).requires_grad_(False)
    changed, homeless = typed_over(replace(given, module=shared), [Typed(name, 1, 0, 2, 41.5), Typed(name, H, 0, 0, 1)])
    assert homeless == (Typed(name, H, 0, 0, 1),)
    expected = record(replace(given, module=shared))[name].value.clone()
    expected[(1, 0, 2) if name[0] == "w" else (1, 2)] = 41.5
    torch.testing.assert_close(record(changed)[name].value, expected, rtol=0, atol=0)
