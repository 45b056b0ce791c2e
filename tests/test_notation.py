"""Every row of the notation is reached by a run, and its line of Python computes the value beside it."""

import itertools
import math
import re
from typing import NamedTuple

import pytest
import torch

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.masks import grid, padding
from attention.notation import IDS, QUANTITIES
from attention.trace import KINDS
from tests.support import BATCH, CLOSE, HEADS, KEYS, QUERIES, as_float, drawn, qkv, seeded


class Run(NamedTuple):
    kind: str
    bias: bool
    mask: str
    scale: float | None
    dropout: float
    batched: bool

    def __str__(self):
        return "-".join(map(str, self))


RUNS = [
    run
    for run in itertools.starmap(
        Run,
        itertools.product(
            ("self", "cross", "function"),
            (False, True),
            ("no", "bool", "float"),
            (None, 0.3),
            (0.0, 0.5, 1.0),
            (True, False),
        ),
    )
    if not (run.kind == "function" and run.bias)
]


def traced(run: Run) -> Trace:
    trace = Trace()
    keys = QUERIES if run.kind == "self" else KEYS
    # The first query may attend to nothing, and the second sentence has padding.
    lengths = [keys, 3] if run.batched else [4]
    mask = grid("causal", QUERIES, keys) & padding(lengths, keys)
    mask[..., 0, :] = False
    if not run.batched:
        mask = mask[0]
    arguments = {
        "mask": {"no": None, "bool": mask, "float": as_float(mask)}[run.mask],
        "scale": run.scale,
        "generator": seeded(),
        "trace": trace,
    }
    if run.kind == "function":
        q, k, v = qkv() if run.batched else (tensor[0] for tensor in qkv())
        scaled_dot_product_attention(q, k, v, dropout=run.dropout, **arguments)
        return trace
    lead = (BATCH,) if run.batched else ()
    x, context = drawn((*lead, QUERIES, 17), (*lead, KEYS, 19))
    cross = run.kind == "cross"
    layer = MultiHeadAttention(
        17,
        HEADS,
        d_k=11,
        d_v=13,
        d_context=19 if cross else None,
        d_out=23,
        bias=run.bias,
        dropout=run.dropout,
        generator=seeded(1),
    ).double()
    layer(x, context if cross else None, **arguments)
    return trace


def letter(quantity) -> str:
    if quantity.given:
        return re.split(r"_\{|\\sim", quantity.formula)[0].strip()
    return quantity.code.rpartition(";")[2].partition("=")[0].strip()


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_the_recorded_lines_reproduce_every_value(run):
    namespace = {"math": math, "torch": torch}
    for step in traced(run).values():
        name = letter(step.quantity)
        if step.quantity.given:
            namespace[name] = step.value
        else:
            exec(step.quantity.code, namespace)
        torch.testing.assert_close(namespace[name], step.value, **CLOSE[torch.float64])


def test_the_rows_are_exactly_those_that_some_run_reaches():
    reached = {step.quantity for run in RUNS for step in traced(run).values()}
    assert reached == set(QUANTITIES)


def test_rows_are_pairwise_distinct():
    assert len(set(QUANTITIES)) == len(QUANTITIES)


def test_the_ids_are_listed_once_each():
    assert set(IDS) == {row.id for row in QUANTITIES}
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("id", IDS)
def test_variants_of_a_row_share_the_letter(id):
    assert len({letter(row) for row in QUANTITIES if row.id == id}) == 1


@pytest.mark.parametrize("id", IDS)
def test_variants_of_a_row_with_one_formula_have_one_rank(id):
    # A float mask is another kind than a boolean one and cross-attention renames an axis, so more is not shared.
    variants = [row for row in QUANTITIES if row.id == id]
    assert len({(row.formula, len(row.axes)) for row in variants}) == len({row.formula for row in variants})


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: f"{row.id}: {row.formula}")
def test_a_row_has_a_known_kind(row):
    assert row.kind in KINDS


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: f"{row.id}: {row.formula}")
def test_a_row_without_an_equals_sign_or_arrow_is_a_given(row):
    computed = re.search(r"=|\\leftarrow", row.formula) is not None
    assert row.given == (not computed)


@pytest.mark.parametrize(
    "row", [row for row in QUANTITIES if not row.given], ids=lambda row: f"{row.id}: {row.formula}"
)
def test_the_formula_and_the_line_of_python_define_the_same_letter(row):
    left = re.split(r"=|\\leftarrow", row.formula)[0]
    assert re.split(r"_\{", left)[0].strip() == letter(row)
