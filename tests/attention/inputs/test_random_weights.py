"""A larger random layer begins with the numbers of a smaller one, whichever of its sizes grows."""

import math

import pytest
import torch
from torch import Tensor

from attention import MultiHeadAttention, Trace
from attention.inputs.nested_normal import normal
from attention.inputs.random_weights import random_layer
from tests.support import EXACT, drawn, refused, seeded

SMALL = {"d_model": 5, "heads": 2, "d_k": 3, "d_v": 7}
# Sizes beyond a block of torch's draws (16), and beyond the part of a row that one generator draws (64).
LARGER = {"heads": (3, 11), "d_k": (5, 17, 67), "d_v": (11, 19, 71), "d_model": (13, 23, 67, 131), "d_out": (29, 73)}
GROWN = [(name, size) for name, sizes in LARGER.items() for size in sizes]


def layer(**sizes: int) -> MultiHeadAttention:
    return random_layer(**SMALL | sizes, bias=True, generator=seeded(3))


def by_head(made: MultiHeadAttention) -> dict[str, Tensor]:
    """The parameters split by head; the first axes are those of which a larger layer has more."""
    heads = made.heads
    found = {name: parameter.detach() for name, parameter in made.named_parameters()}
    apart = {f"w_{one}": found[f"w_{one}"].unflatten(-1, (heads, -1)) for one in "qkv"}
    apart |= {f"b_{one}": found[f"b_{one}"].unflatten(-1, (heads, -1)) for one in "qkv"}
    return apart | {"w_o": found["w_o"].reshape(heads, -1, made.d_out), "b_o": found["b_o"]}


def factor(made: MultiHeadAttention, name: str) -> float:
    return math.sqrt(made.heads * made.d_v if name.endswith("o") else made.d_model)


@pytest.mark.parametrize(("size", "to"), GROWN)
def test_what_was_there_stays_bit_for_bit_but_for_the_fan_in(size, to):
    small, large = layer(), layer(**{size: to})
    for name, before in by_head(small).items():
        after = by_head(large)[name][tuple(slice(end) for end in before.shape)]
        if factor(small, name) == factor(large, name):
            torch.testing.assert_close(after, before, **EXACT)
        else:
            expected = before.double() * factor(small, name) / factor(large, name)
            torch.testing.assert_close(after.double(), expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize(("size", "to"), [("heads", 11), ("d_k", 67), ("d_v", 71)])
def test_queries_keys_and_values_that_were_there_do_not_move(size, to):
    """All is in float64: the sums of a larger product may differ in the last bit."""
    (x,) = drawn((2, 13, SMALL["d_model"]))
    traces = []
    for made in (layer(), layer(**{size: to})):
        traces.append(Trace())
        made.double()(x, trace=traces[-1])
    for id in ("queries", "keys", "values"):
        before, after = (trace[id].value for trace in traces)
        kept = after[tuple(slice(end) for end in before.shape)]
        torch.testing.assert_close(kept, before, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"])
def test_parameters_have_the_variance_of_the_layer_of_the_package(name):
    made = random_layer(257, 11, d_k=23, d_v=29, bias=True, generator=seeded())
    theirs = MultiHeadAttention(257, 11, d_k=23, d_v=29, bias=True, generator=seeded())
    ours, expected = made.get_parameter(name), theirs.get_parameter(name)
    assert ours.shape == expected.shape
    assert ours.is_contiguous()
    scaled = ours.detach() * factor(made, name)
    assert abs(scaled.mean().item()) < 4 / math.sqrt(ours.numel())
    assert scaled.var().item() == pytest.approx(1, abs=4 * math.sqrt(2 / ours.numel()))


def test_no_number_is_drawn_twice():
    made = layer(heads=11, d_model=131)
    numbers = torch.cat([(p.detach() * factor(made, name)).flatten() for name, p in made.named_parameters()])
    assert len(numbers.unique()) > 0.999 * len(numbers)


def test_biases_leave_the_weights_as_they_are():
    without, with_them = (random_layer(**SMALL, bias=bias, generator=seeded(3)) for bias in (False, True))
    assert without.b_q is None
    for name in ("w_q", "w_k", "w_v", "w_o"):
        torch.testing.assert_close(without.get_parameter(name), with_them.get_parameter(name), **EXACT)


def test_norms_and_a_sink_leave_all_that_is_drawn_as_it_is():
    plain = random_layer(**SMALL, bias=True, generator=seeded(3))
    more = random_layer(**SMALL, bias=True, qk_norm=True, sink=True, generator=seeded(3))
    for name, parameter in plain.named_parameters():
        torch.testing.assert_close(more.get_parameter(name), parameter, **EXACT)


def test_the_generator_alone_decides():
    before = torch.get_rng_state()
    first, again, other = (random_layer(**SMALL, generator=seeded(seed)) for seed in (3, 3, 4))
    torch.testing.assert_close(again.w_o, first.w_o, **EXACT)
    assert not torch.isclose(other.w_o, first.w_o).any()
    torch.testing.assert_close(torch.get_rng_state(), before, **EXACT)


def test_two_layers_of_one_generator_are_different():
    generator = seeded(3)
    first, second = (random_layer(**SMALL, generator=generator) for _ in range(2))
    assert not torch.isclose(second.w_q, first.w_q).any()


def test_sizes_are_checked_as_by_the_layer():
    with refused("heads must be at least 1, got 0"):
        random_layer(5, 0, generator=seeded())


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 31, 33, 97])
def test_a_sequence_begins_with_a_shorter_one(count):
    torch.testing.assert_close(normal("fox", count), normal("fox", 101)[:count], **EXACT)


def test_a_link_shows_the_numbers_that_it_showed():
    """The first and the last number of a stretch of 64, and the first of the next one, which has another generator."""
    made = random_layer(5, 1, d_k=67, generator=seeded(4))
    found = torch.stack([*made.w_q[2, [0, 63, 64]], made.w_o[1, 3]])
    torch.testing.assert_close(found, torch.tensor([0.531895, -0.076103, -0.457706, 0.091893]), rtol=0, atol=1e-6)
