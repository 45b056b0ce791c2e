"""Every row of the notation is reached by a run, and its line of Python computes the value beside it."""

import math
import re

import pytest
import torch

from attention import index_notation, notation, state_notation
from attention.trace import KINDS
from tests.support import CLOSE
from tests.support.indexes import INDEX_RUNS, IndexRun, traced_index
from tests.support.runs import RUNS, Run, traced
from tests.support.states import STATE_RUNS, StateRun, traced_state

QUANTITIES = (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)
IDS = (*notation.IDS, *state_notation.IDS, *index_notation.IDS)


MADE = {Run: traced, StateRun: traced_state, IndexRun: traced_index}


def record(run):
    return MADE[type(run)](run)


@pytest.mark.parametrize("run", [*RUNS, *STATE_RUNS, *INDEX_RUNS], ids=str)
def test_the_recorded_lines_reproduce_every_value(run):
    namespace = {"math": math, "torch": torch}
    for step in record(run).values():
        name = step.quantity.letter
        if step.quantity.given:
            namespace[name] = step.value
        else:
            exec(step.quantity.code, namespace)
        torch.testing.assert_close(namespace[name], step.value, **CLOSE[torch.float64])


def test_the_rows_are_exactly_those_that_some_run_reaches():
    reached = {step.quantity for run in (*RUNS, *STATE_RUNS, *INDEX_RUNS) for step in record(run).values()}
    assert reached == set(QUANTITIES)


def test_rows_are_pairwise_distinct():
    assert len(set(QUANTITIES)) == len(QUANTITIES)


def test_the_ids_are_listed_once_each():
    assert set(IDS) == {row.id for row in QUANTITIES}
    assert len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("id", IDS)
def test_variants_of_a_row_share_the_letter(id):
    assert len({row.letter for row in QUANTITIES if row.id == id}) == 1


# Parts of the code that the formula leaves out: rows without a key, the place of new keys, axes of 1.
MEANS = re.compile(r"E = [^;]*; |\.masked_fill\(E, 0\)|\[-K\.shape\[-2\]:, None\]|\[(?::|\.\.\.)(?:, None)+\]")


@pytest.mark.parametrize("id", IDS)
def test_rows_with_one_formula_compute_the_same(id):
    codes = {}
    for row in QUANTITIES:
        if row.id == id:
            codes.setdefault(row.formula, set()).add(MEANS.sub("", row.code))
    assert all(len(each) == 1 for each in codes.values()), codes


ROTATIONS = [row for row in QUANTITIES if row.id.endswith("_rotated")]


@pytest.mark.parametrize("row", ROTATIONS, ids=lambda row: row.code)
def test_the_formula_of_a_rotation_says_which_pairs_and_which_features_turn(row):
    assert (r"\text{interleaved}" in row.formula) == ("[..., ::2]" in row.code)
    assert ("_{:r}" in row.formula) == ("tensor_split" in row.code)


@pytest.mark.parametrize("id", IDS)
def test_variants_of_a_row_with_one_formula_have_one_rank(id):
    # A float mask is of another kind than a boolean one, and cross-attention renames an axis, so only these are shared.
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
    assert re.split(r"_\{", left)[0].strip().removeprefix("\\") == row.letter
