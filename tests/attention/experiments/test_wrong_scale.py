"""The common mistakes about which d is under the root, on the same numbers."""

import math

import pytest

from attention.experiments.wrong_scale import which_d
from attention.scales import SCALES
from tests.support import refused, seeded


@pytest.fixture(scope="module")
def table():
    return which_d(generator=seeded()).set_index("scale")


def test_every_scale_has_a_row_and_its_factor(table):
    assert list(table.index) == list(SCALES)
    expected = [1 / 8, 1, 1 / 64, 1 / math.sqrt(512), 1 / math.sqrt(8), 1]
    assert table["factor"].tolist() == pytest.approx(expected)


def test_the_spread_is_the_factor_times_the_root_of_d_k(table):
    assert table["spread_theory"].tolist() == pytest.approx([1, 8, 1 / 8, 1 / math.sqrt(8), math.sqrt(8), 8])
    assert table["spread"].tolist() == pytest.approx(table["spread_theory"].tolist(), rel=0.03)


def test_a_root_of_d_model_divides_too_much_and_of_the_heads_too_little(table):
    entropy, largest = table["entropy"], table["largest"]
    assert entropy["none"] < entropy["sqrt_heads"] < entropy["sqrt_d_k"] < entropy["sqrt_d_model"] < entropy["d_k"]
    assert entropy["d_k"] == pytest.approx(math.log(64), rel=0.01)
    assert largest["none"] > largest["sqrt_heads"] > largest["sqrt_d_k"] > largest["sqrt_d_model"] > largest["d_k"]


def test_scaling_after_softmax_leaves_it_saturated_and_its_rows_short(table):
    assert table["entropy"]["after_softmax"] == table["entropy"]["none"]
    assert table["row_sum"]["after_softmax"] == pytest.approx(1 / 8)
    assert table["row_sum"].drop("after_softmax").tolist() == pytest.approx([1] * 5)


def test_with_one_head_the_root_of_d_model_is_the_right_one():
    table = which_d(64, 1, generator=seeded()).set_index("scale")
    assert table.loc["sqrt_d_model"].tolist() == table.loc["sqrt_d_k"].tolist()
    assert table["factor"]["sqrt_heads"] == 1


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (
            lambda: which_d(10, 3, generator=seeded()),
            "d_model 10 is not divisible by heads 3; heads may be 1, 2, 5, 10, or give d_k",
        ),
        (lambda: which_d(tokens=0, generator=seeded()), "tokens must be at least 1, got 0"),
        (lambda: which_d(sentences=0, generator=seeded()), "sentences must be at least 1, got 0"),
    ],
)
def test_what_does_not_fit_is_refused(work, text):
    with refused(text):
        work()
