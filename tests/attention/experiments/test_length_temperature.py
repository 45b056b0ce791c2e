"""One key drowns among many, and with a temperature of s ln n it does not: the digits of figure 1."""

import pytest
import torch

from attention.experiments.length_temperature import GOOD, OTHERS, S, top_weights
from tests.support import refused


def test_the_digits_of_the_reference():
    table = top_weights((10, 1000, 100_000))
    assert table["softmax"].tolist() == pytest.approx([0.942826, 0.129346, 0.001482], abs=5e-7)
    assert table["scaled"].tolist() == pytest.approx([0.940101, 0.999646, 0.999998], abs=5e-7)


@pytest.mark.parametrize("n", [1, 2, 17])
def test_the_weights_are_those_of_torch(n):
    z = torch.full((n,), OTHERS, dtype=torch.float64)
    z[-1] = GOOD
    row = top_weights([n], s=0.7).iloc[0]
    scaled = 0.7 * torch.tensor(float(n), dtype=torch.float64).log() * z
    assert [row["softmax"], row["scaled"]] == pytest.approx([z.softmax(0)[-1].item(), scaled.softmax(0)[-1].item()])
    assert S == 0.43


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lengths": [0]}, "n must be at least 1, got 0"),
        ({"lengths": [2], "s": 0.0}, "s must be a finite number above 0, got 0.0"),
    ],
)
def test_what_has_no_length_is_refused(options, message):
    with refused(message):
        top_weights(**options)
