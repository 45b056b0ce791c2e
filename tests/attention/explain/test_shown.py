"""A number in the panel: it has the digits of the figure beside it, in the float32 of the app."""

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
import torch

from attention.explain import cell
from attention.explain.latex import products, shown, terms
from attention.figures import heatmap
from tests.attention.explain.test_cell import cells
from tests.support.app import computed


def in_a_figure(value: float) -> Decimal:
    """The number as a figure's table prints it: by JavaScript's `toPrecision(5)`, which rounds ties away from zero."""
    exact = Decimal(value)
    if value == int(value):
        return exact
    return exact.quantize(Decimal((0, (1,), exact.adjusted() - 4)), ROUND_HALF_UP)


def in_a_panel(latex: str) -> Decimal:
    """The last number of a formula, without the text after it."""
    text = re.split(r"=|\\leftarrow", latex.split(r", \quad")[0])[-1].strip()
    return Decimal(re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", text))


TODAY = {"preset": "random", "d_model": "33", "heads": 4, "d_k": "6", "kv_heads": "2", "head": 3}
TODAY |= {"softcap": "1", "sink": "2"}
APP = [
    {},
    {"preset": "random"},
    {"preset": "notebook", "mask": "full"},
    {"preset": "random", "d_model": "64", "heads": 8, "mask": "full"},
    {"preset": "random", "d_model": "33", "heads": 3, "d_k": "13", "d_v": "7", "bias": True, "dropout": 0.35},
    {"preset": "random", "d_model": "48", "heads": 1, "scale": "none", "last": 3, "corner": "lower_right"},
    {"preset": "random", "text": "one two three\nfour", "sentence": 2, "heads": 2, "head": 2, "scale": "d_k"},
    TODAY | {"positions": "rotary", "qk_norm": True, "mask": "causal", "dropout": 0.35},
    TODAY | {"positions": "alibi", "last": 2, "corner": "lower_right"},
]


@pytest.mark.parametrize("link", APP, ids=str)
def test_the_panel_ends_with_the_digits_that_the_figure_shows(link):
    """The test uses the float32 of the app, for every cell of every step; the operands agree with it up to rounding."""
    run = computed(**link)
    for id, step in run.trace.items():
        if not step.axes:
            continue
        drawn = heatmap(step, batch=run.sentence, head=run.head).z
        assert drawn.dtype == np.float32
        for row, column in cells(run.trace, id):
            told = cell.cell(run.trace, id, row, column, batch=run.sentence, head=run.head)
            value, where = float(drawn[row, column]), f"{id} at {row}, {column}: {told.latex}"
            if math.isinf(value):
                assert told.latex.endswith(r"-\infty"), where
                assert told.computed == value, where
                continue
            assert in_a_panel(told.latex) == in_a_figure(value), where
            terms = [line.values[line.values.isfinite()].abs().sum().item() for line in told.lines]
            assert abs(told.computed - value) <= 1e-6 * max(1.0, abs(value), *terms), where


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-123456.0, "-123456"),
        (0.1, "0.1"),
        (0.123456789, "0.12346"),
        # The number has six digits, the last of which is a 5.
        (2**-8, "0.0039063"),
        (-(2**-10), "-0.00097656"),
        (12344.5, "12345"),
        (0.999999, "1"),
        (99999.9, "100000"),
        (1.5e-7, r"1.5 \cdot 10^{-7}"),
        (1e30, r"1 \cdot 10^{30}"),
        (-math.inf, r"-\infty"),
        (1e300, r"\infty"),
    ],
)
def test_a_result_has_five_digits_and_whole_numbers_all(value, text):
    assert shown(value) == text


def test_of_many_terms_the_largest_stand_in_their_order():
    a, b = torch.tensor([[10, 2, 3, 4], [0.1, 2, -4, 5]])
    assert products(a, b, most=3) == r"3 \cdot (-4) + 4 \cdot 5 + \cdots"
    assert products(a, b, most=4) == r"10 \cdot 0.1 + 2 \cdot 2 + 3 \cdot (-4) + 4 \cdot 5"
    assert terms(torch.tensor([2.0, -7, 0.5, 3]), most=3) == r"-7 + 3 + \cdots"
    assert terms(torch.tensor([2.0, -7, 0.5])) == "2 - 7 + 0.5"
