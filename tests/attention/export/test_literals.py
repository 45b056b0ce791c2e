"""A tensor written as Python is the same tensor: every bit of it, in every dtype, small and large."""

import base64
import math
import zlib

import numpy as np
import pytest
import torch

from attention.export import literals
from attention.export.literals import READABLE, UNPACK, literal
from tests.support import drawn, refused, seeded

FLOATS = (torch.float64, torch.float32, torch.bfloat16, torch.float16)
HARD = [0.0, -0.0, 0.1, 1 / 3, -2.5, 1e-7, 16777216.0, 3.4028234663852886e38, 1.401298464324817e-45, 5e-324, 1e308]
SHAPES = [(1,), (7,), (1, 1), (2, 3), (3, 1, 5), (2, 3, 5, 7)]


def restored(text: str) -> torch.Tensor:
    namespace = {"torch": torch, "math": math, "base64": base64, "zlib": zlib}
    exec(UNPACK, namespace)
    return eval(text, namespace)


def assert_same(value: torch.Tensor, back: torch.Tensor) -> None:
    assert back.dtype == value.dtype
    assert back.shape == value.shape
    nan = value.isnan()
    assert torch.equal(back.isnan(), nan)
    # Bits are compared, since 0.0 == -0.0.
    bits, wanted = back.clone(), value.clone()
    bits[nan], wanted[nan] = 0, 0
    assert torch.equal(bits.contiguous().view(torch.uint8), wanted.contiguous().view(torch.uint8))


@pytest.fixture(params=["readable", "packed"])
def form(request, monkeypatch):
    monkeypatch.setattr(literals, "READABLE", {"readable": math.inf, "packed": 0}[request.param])
    return request.param


@pytest.mark.parametrize("dtype", FLOATS)
def test_numbers_that_are_hard_to_write_come_back(form, dtype):
    value = torch.tensor([*HARD, math.inf, -math.inf, math.nan], dtype=torch.float64).to(dtype)
    text = literal(value)
    assert ("unpacked(" in text) == (form == "packed")
    assert_same(value, restored(text))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_every_shape_comes_back(form, dtype, shape):
    (value,) = drawn(shape, dtype=dtype)
    assert_same(value, restored(literal(value)))


@pytest.mark.parametrize("shape", SHAPES)
def test_booleans_come_back_as_booleans(form, shape):
    value = torch.rand(shape, generator=seeded()) < 0.5
    assert_same(value, restored(literal(value)))


@pytest.mark.parametrize(("dtype", "whole"), [(torch.float32, torch.int32), (torch.float16, torch.int16)])
def test_any_bits_come_back_from_decimals(monkeypatch, dtype, whole):
    monkeypatch.setattr(literals, "READABLE", math.inf)
    limits = torch.iinfo(whole)
    value = torch.randint(limits.min, limits.max, (100, 500), generator=seeded(), dtype=whole).view(dtype)
    assert_same(value, restored(literal(value)))


def test_a_decimal_that_would_be_read_as_a_neighbour_is_written_in_full():
    class Misread(np.float32):
        def __str__(self):
            return "1.0"

    assert literals._float32(np.float32(1 + 2**-23)) == "1.0000001"
    assert literals._float32(Misread(1 + 2**-23)) == "1.0000001192092896"


def test_the_number_of_numbers_decides():
    small, large = drawn((1, READABLE), (1, READABLE + 1))
    assert "unpacked(" not in literal(small)
    assert "unpacked(" in literal(large)


def test_a_row_is_a_line():
    assert literal(torch.tensor([[0.1, 2], [-3, 4]])) == (
        "torch.tensor([\n    [0.1, 2.0],\n    [-3.0, 4.0],\n], dtype=torch.float32)"
    )


def test_what_repeats_along_a_leading_axis_is_written_once(form):
    value = (torch.rand(1, 1, 5, 7, generator=seeded()) < 0.5).expand(2, 3, 5, 7)
    text = literal(value)
    assert text.endswith(".expand(2, 3, 5, 7)")
    assert ("1, 1, 5, 7" in text) == ("35" not in text)
    assert_same(value, restored(text))


def test_a_sign_of_zero_is_no_repetition(form):
    value = torch.zeros(2, 3, 5)
    value[1, 2, 4] = -0.0
    assert "expand" not in literal(value)
    assert_same(value, restored(literal(value)))


def test_the_strides_do_not_matter(form):
    value = drawn((5, 3, 2))[0].transpose(0, 2)
    assert_same(value, restored(literal(value)))


def test_nothing_comes_back_as_nothing():
    assert_same(torch.empty(2, 0, 3), restored(literal(torch.empty(2, 0, 3))))


@pytest.mark.parametrize("number", [0.1, 1 / 3, -2.0, 1e-9])
def test_a_tensor_without_axes_is_its_number(number):
    assert restored(literal(torch.tensor(number, dtype=torch.float64))) == number


def test_other_numbers_are_refused():
    with refused("dtype torch.int64 has no literal; bool or floating"):
        literal(torch.arange(3))
