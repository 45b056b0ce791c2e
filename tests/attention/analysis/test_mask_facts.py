"""Facts about masks, compared with counts of every cell in plain Python."""

import pytest
import torch

from attention import grid
from attention.analysis.mask_facts import mask_facts
from tests.support import refused
from tests.support.patterns import EVERY_MASK, parameters_of


@pytest.mark.parametrize("name", EVERY_MASK)
@pytest.mark.parametrize(("queries", "keys"), [(7, 7), (5, 7), (7, 5)])
def test_facts_are_those_of_the_cells(name, queries, keys):
    mask = grid(name, queries, keys, **parameters_of(name))
    cells, found = mask.tolist(), mask_facts(mask)
    rows = [sum(row) for row in cells]
    assert (found.cells, found.visible) == (queries * keys, sum(rows))
    assert (found.fewest, found.most, found.empty_rows) == (min(rows), max(rows), rows.count(0))
    assert found.density == sum(rows) / (queries * keys)
    assert found.hidden_diagonal == sum(not cells[at][at] for at in range(min(queries, keys)))
    assert found.ahead == sum(cells[i][j] for i in range(queries) for j in range(keys) if j > i)
    square = queries == keys
    assert found.symmetric == (all(cells[i][j] == cells[j][i] for i in range(7) for j in range(7)) if square else None)


def test_what_masks_are_known_for():
    causal = mask_facts(grid("causal", 7, 7))
    assert (causal.ahead, causal.symmetric, causal.hidden_diagonal) == (0, False, 0)
    documents = mask_facts(grid("documents", 7, 7, lengths=(2, 5)))
    assert documents.symmetric
    # At an edge the window shifts: the mask is not symmetric.
    assert mask_facts(grid("neighbourhood", 7, 7, kernel=3, size=7)).symmetric is False
    turned = mask_facts(grid(~EVERY_MASK["causal"], 7, 7))
    assert (turned.empty_rows, turned.hidden_diagonal) == (1, 7)


def test_what_is_no_mask_of_cells_is_refused():
    with refused("a mask of cells is bool (queries, keys), got float32 (2, 3)"):
        mask_facts(torch.zeros(2, 3))
    with refused("a mask of cells is bool (queries, keys), got bool (1, 2, 3)"):
        mask_facts(torch.zeros(1, 2, 3).bool())
    with refused("a mask of cells is bool (queries, keys), got bool (0, 3)"):
        mask_facts(torch.zeros(0, 3).bool())
