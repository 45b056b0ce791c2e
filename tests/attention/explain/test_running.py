"""The arithmetic of a tile gives the numbers that the online softmax has recorded for it."""

import math
import re

import pytest
import torch
from latex2mathml.converter import convert

from attention import grid
from attention.analysis.online_softmax import Tile, online_softmax
from attention.explain import running
from attention.explain.explanation import Explanation
from attention.explain.latex import shown
from tests.support import drawn

# A tile has seven keys, more than a formula writes out; the first query sees nothing.
SCORES, VALUES = drawn((5, 13), (13, 3))
MASK = grid("causal", 5, 13, corner="lower_right") & (torch.arange(5) > 0)[:, None]
TILES = online_softmax(SCORES.masked_fill(~MASK, -math.inf), VALUES, queries=2, keys=7, skip=False).tiles
each_tile = pytest.mark.parametrize("tile", TILES, ids=range(len(TILES)))


def told(tile: Tile, row: int) -> dict[str, tuple[Explanation, float]]:
    """Each explanation of a row of a tile, with its recorded number."""
    at = tile.queries.start + row
    before, after, r = (float(getattr(tile, name)[row]) for name in ("maximum_before", "maximum", "factor"))
    return {
        "carried": (running.carried("m", at, before), before),
        "maximum": (running.maximum(at, before, tile.scores[row]), after),
        "factor": (running.factor(at, before, after), r),
        "total": (running.total(at, r, float(tile.sum_before[row]), tile.powers[row]), float(tile.sum[row])),
    }


def is_formula(explanation: Explanation, *indices: str) -> None:
    assert {*re.findall(r"[A-Za-z)]'?_\{([\d,]+)", explanation.latex)} == {*indices}, explanation.latex
    assert explanation.latex.endswith(f"= {shown(explanation.result)}")
    assert explanation.latex.count("{") == explanation.latex.count("}")
    assert "merror" not in convert(explanation.latex)


@each_tile
def test_the_running_numbers_follow_from_their_operands(tile):
    for row in range(len(tile.queries)):
        for explanation, recorded in told(tile, row).values():
            assert explanation.result == pytest.approx(recorded, abs=1e-12)
            is_formula(explanation, f"{tile.queries.start + row + 1}")


@each_tile
def test_powers_and_outputs_follow_from_their_operands(tile):
    V = VALUES[tile.keys.start : tile.keys.stop]
    for row in range(len(tile.queries)):
        for column in range(len(tile.keys)):
            own = running.power(row, column, float(tile.scores[row, column]), float(tile.maximum[row]))
            assert own.result == pytest.approx(float(tile.powers[row, column]), abs=1e-12)
            pair = f"{row + 1},{column + 1}"
            is_formula(own, pair) if own.result == 0 else is_formula(own, pair, f"{row + 1}")
        for column in range(3):
            own = running.output(
                row,
                column,
                float(tile.factor[row]),
                float(tile.output_before[row, column]),
                tile.powers[row],
                V[:, column],
                float(tile.sum[row]),
            )
            expected = tile.output[row, column] / tile.sum[row] if tile.sum[row] else 0
            assert own.result == pytest.approx(float(expected), abs=1e-12)
            is_formula(own, f"{row + 1},{column + 1}")
