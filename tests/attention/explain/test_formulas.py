"""The texts around a number: its formula gives it, its name has its place, and a line has the numbers of its name."""

import re

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from attention import Trace
from attention.analysis.backward import Backward, Total, backward
from attention.explain import gradient
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.explain.latex import MOST
from tests.attention.explain.test_cell import CONFIGURATIONS, run
from tests.attention.explain.test_gradient import found
from tests.support.backward import VARIANTS, of_variant
from tests.support.formulas import NoNumbersError, computed
from tests.support.indexes import INDEX_RUNS, traced_index
from tests.support.runs import RUNS, traced
from tests.support.states import STATE_RUNS, traced_state

BATCH, HEAD = 1, 2
# For each family: its runs, and the rules that have a formula of numbers.
FAMILIES = {
    "attention": (
        lambda: [run(**one.values[0]) for one in CONFIGURATIONS],
        "product scale softcap slope biased added angle rotated normed dropped softmax sink",
    ),
    "states": (
        lambda: [traced_state(one) for one in STATE_RUNS],
        "product scaled_query unit retained overlap taken_off value to_write faded written",
    ),
    "indexes": (lambda: [traced_index(one) for one in INDEX_RUNS], "rectified index_score both scale product softmax"),
    "gates": (
        lambda: [traced(one) for one in RUNS if one.gate != "no" or one.difference != "no"],
        "product softmax taken_off_head gated",
    ),
}
# The number of cells of each rule whose formula is checked; each row and column of a matrix is named.
CELLS = 3
OTHERS = r"\cdots"
# The sum of these rules is over all sentences, but their line shows one.
OF_EVERY_SENTENCE = ("gradient_bias", "gradient_gain", "gradient_sink", "gradient_slope", "gradient_gate_weights")


def formula(told: Explanation) -> str:
    """The numbers before the result, with the dots replaced by the sum of the smaller products."""
    latex = re.split(r"=|\\leftarrow", told.equation.removesuffix("="))[-1]
    if OTHERS not in latex or not told.lines or told.rule in OF_EVERY_SENTENCE:
        return latex
    lines = [line.values for line in told.lines]
    values = torch.stack(lines).prod(0) if told.rule == "overlap" else lines[-1]
    written = MOST - 1 if r"\cdot " in latex else 4
    smaller = values[values.abs().argsort()[: len(values) - written]]
    return latex.replace(OTHERS, f"({float(smaller.sum()):.9f})", 1)


def gives_its_number(told: Explanation) -> bool:
    """Assert that the formula gives its number; False if there is no formula of numbers."""
    try:
        result, bound = computed(formula(told))
    except NoNumbersError:
        return False
    assert result == pytest.approx(told.computed, rel=0, abs=bound), told.latex
    return True


def is_named(told: Explanation, row: int, column: int) -> None:
    """Assert that the indices left of the equals sign count from 1, for a cell, a vector, or a number of a head."""
    index = f"{row + 1},{column + 1}" if max(row, column) >= 9 else f"{row + 1}{column + 1}"
    indices = [index] if row else [index, f"{column + 1}", f"{HEAD + 1}"]
    left = re.split(r"=|\\leftarrow", told.equation)[0].strip()
    assert any(left.endswith(f"_{{{each}}}") for each in indices), told.latex


def multiplies(told: Explanation) -> None:
    """Assert that a line `Q 4 ⊙ K 2` has the products of the two lines in the formula, and `Q 4²` the squares."""
    lines = {line.name: line.values for line in told.lines}
    for name, values in lines.items():
        first, _, second = name.partition(" ⊙ ")
        if {first, second} <= {*lines}:
            assert_close(values, lines[first] * lines[second], msg=lambda text: f"{told!r}: {text}")
        if name.endswith("²"):
            assert_close(values, lines[name[:-1]].square())
    if told.rule in ("product", "gradient_product", "rectified", "taken_off"):
        first, second, both = lines
        assert both == f"{first} ⊙ {second}"
    if told.rule in ("product", "gradient_product"):
        named = re.sub(r"[{}()]", "", told.equation.split(" = ")[1])
        letters = [re.sub(r" (·,)?", lambda found: "_:," if found[1] else "_", each) for each in (first, second)]
        assert named.startswith(r" \cdot ".join(letters)), told.latex


def holds(line: str, values: Tensor, matrix: Tensor) -> None:
    """Assert that a line `Q 4` has row 4, and a line `V ·,2` column 2, or the part of it that a sum is over."""
    _, by_column, place = named(line)
    whole = (matrix.mT if by_column else matrix)[int(place) - 1]
    windows = whole.unfold(0, len(values), 1)
    assert (windows - values).abs().sum(-1).min() <= 1e-12 * len(values), line


def named(line: str) -> tuple[str, str, str]:
    """The letter, the mark of a column, and the number of a line; empty texts if the line is no row or column."""
    parts = re.fullmatch(r"(d?[A-Z](?:_[A-Z])?) (·,)?(\d+)", line)
    return parts.groups("") if parts else ("", "", "")


def last(trace: Trace, steps: list[str], letter: str) -> Tensor:
    """The matrix of the last of these steps with this letter."""
    step = next(trace[id] for id in reversed(steps) if trace[id].quantity.letter == letter)
    return torch.atleast_2d(step.of(batch=BATCH, head=HEAD).double())


def places(matrix: Tensor) -> set[tuple[int, int]]:
    """The places of two cells: one below the diagonal, and one at the upper right."""
    rows, columns = torch.atleast_2d(matrix).shape
    return {(rows - 1, min(1, columns - 1)), (0, columns - 1)}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_formula_gives_its_number_and_its_names_say_what_they_hold(family):
    runs, rules = FAMILIES[family]
    seen: dict[tuple[str, str], int] = {}
    with_numbers = set()
    for trace in runs():
        for id, step in trace.items():
            for row, column in places(step.of(batch=BATCH, head=HEAD)) if step.axes else ():
                told = cell(trace, id, row, column, batch=BATCH, head=HEAD)
                seen[id, told.rule] = seen.get((id, told.rule), 0) + 1
                if seen[id, told.rule] > CELLS:
                    continue
                is_named(told, row, column)
                multiplies(told)
                if gives_its_number(told):
                    with_numbers.add(told.rule)
                before = [*trace][: [*trace].index(id)]
                for line in told.lines:
                    letter = named(line.name)[0]
                    if letter:
                        own = letter == step.quantity.letter == "T"
                        holds(line.name, line.values, last(trace, [id] if own else before, letter))
    assert {*rules.split()} <= with_numbers


def gradients() -> list[Backward]:
    made = [found(cross=True, bias=True, mask="bool", scale=0.31, dropout=0.3), found()]
    return made + [backward(trace, Total("projected"), module) for trace, module in map(of_variant, VARIANTS)]


def test_the_formula_of_a_gradient_gives_its_number_and_its_names_say_what_they_hold():
    for made in gradients():
        for id, step in made.gradients.items():
            matrix = torch.atleast_2d(step.of(batch=BATCH, head=HEAD))
            for row, column in places(matrix):
                by = made.read_by(id)
                told = gradient.cell(made.forward, made.gradients, id, row, column, by=by, batch=BATCH, head=HEAD)
                assert told.recorded == float(matrix[row, column])
                is_named(told, row, column)
                multiplies(told)
                gives_its_number(told)
                if told.rule == "gradient_product":
                    ids = [*made.forward]
                    known = ids[: ids.index(by[0]) + 1]
                    for line in told.lines[:2]:
                        letter = named(line.name)[0]
                        of = (made.gradients, [by[0]]) if letter.startswith("d") else (made.forward, known)
                        holds(line.name, line.values, last(*of, letter))


def test_a_weight_that_dropout_kept_hands_on_what_comes_and_another_nothing():
    made = found(dropout=0.3)
    kept = made.forward["kept"].of(batch=BATCH, head=HEAD)
    rules = [
        [
            gradient.cell(
                made.forward, made.gradients, "weights", row, column, by=["dropped"], batch=BATCH, head=HEAD
            ).rule
            for column in range(kept.shape[1])
        ]
        for row in range(kept.shape[0])
    ]
    assert {0, 1} == {*kept.flatten().tolist()}
    assert rules == [["gradient_kept" if each else "gradient_lost" for each in row] for row in kept.tolist()]
