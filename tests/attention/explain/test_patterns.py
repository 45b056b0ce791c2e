"""The arithmetic of a composed mask and of its blocks gives the drawn numbers."""

import pytest

from attention import grid
from attention.block_masks import blocks_of
from attention.explain.patterns import block_kind, composed
from attention.masks import verdicts
from tests.support.patterns import EVERY_MASK, parameters_of


@pytest.mark.parametrize("side", [2, 3, 128])
@pytest.mark.parametrize("name", EVERY_MASK)
def test_the_number_of_a_block_is_half_its_kind(name, side):
    cells = grid(name, 5, 7, **parameters_of(name))
    kinds = blocks_of(cells, side).kinds
    for row, kind_of_row in enumerate(kinds.tolist()):
        for column, kind in enumerate(kind_of_row):
            assert block_kind(cells, row, column, side).computed == kind / 2


def test_a_cell_tells_what_each_part_says():
    mask = EVERY_MASK["block_causal"] & ~EVERY_MASK["causal"]
    parts = verdicts(mask, 0, 2, chunk=3)
    told = composed(bool(grid(mask, 5, 7, chunk=3)[0, 2]), parts, 0, 2)
    assert told.latex == r"M_{13} = 1, \quad \text{block causal} = 1, \quad \text{causal} = 0"


def test_a_mask_of_one_part_tells_its_number_alone():
    assert composed(True, {"causal": True}, 3, 1).latex == "M_{42} = 1"
