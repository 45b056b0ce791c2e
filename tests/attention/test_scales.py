"""The factors of the scores, by name."""

import pytest

from attention.scales import BY_D_K, SCALES, factor
from tests.support import refused


@pytest.mark.parametrize("scale", BY_D_K)
def test_a_factor_of_d_k_is_that_of_its_name(scale):
    assert factor(scale, 49) == {"none": 1, "sqrt_d_k": 1 / 7, "d_k": 1 / 49}[scale]


def test_each_size_has_its_own_scale():
    found = {scale: SCALES[scale](4, 25, 9) for scale in SCALES}
    roots = {"sqrt_d_k": 1 / 2, "sqrt_d_model": 1 / 5, "sqrt_heads": 1 / 3}
    assert found == roots | {"none": 1, "d_k": 1 / 4, "after_softmax": 1}


@pytest.mark.parametrize(
    ("scale", "d_k", "text"),
    [
        ("after_softmax", 5, "unknown scale 'after_softmax'; one of none, sqrt_d_k, d_k"),
        ("none", 0, "d_k must be at least 1, got 0"),
    ],
)
def test_what_is_no_scale_is_refused(scale, d_k, text):
    with refused(text):
        factor(scale, d_k)
