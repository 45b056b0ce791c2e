"""Masks of documents, blocks, canvases and trees: against plain Python and a table's counts, and their purpose."""

import pytest
import torch

from attention import MASKS, grid
from attention.masks import CORNERS, Mask
from attention.patterns import PATTERNS
from tests.support import EXACT, refused
from tests.support.covering import cases
from tests.support.patterns import PARAMETERS, REFERENCES, parameters_of

SIZES = [(5, 5), (3, 7), (11, 7)]


@pytest.mark.parametrize(("name", "size", "corner"), cases([*PATTERNS], SIZES, CORNERS), ids=str)
def test_a_pattern_is_what_plain_python_says_of_every_pair(name, size, corner):
    queries, keys = size
    shift, parameters = (keys - queries if corner == "lower_right" else 0), parameters_of(name)
    cells = [[bool(REFERENCES[name](i + shift, j, **parameters)) for j in range(keys)] for i in range(queries)]
    if shift < 0:
        # Queries before the first key are in no block, canvas or tree.
        cells, found = cells[-shift:], grid(name, queries, keys, corner=corner, **parameters)[-shift:]
    else:
        found = grid(name, queries, keys, corner=corner, **parameters)
    assert found.tolist() == cells


CAUSAL, WINDOW, PREFIX = MASKS["causal"], MASKS["window"], MASKS["prefix"]
DOCUMENTS, DILATED, CHUNKS, SINKS = (PATTERNS[name] for name in ("documents", "dilated", "chunks", "sinks"))
THREE = (5, 7, 4)
PARENTS = (-1, 0, 0, 0, 1, 1, 2, 2, 3, 3)
# Counted elsewhere with `create_mask`, of 16 × 16: the cells, the keys of a query from the fewest to the most, and of
# blocks of 4 × 4 the full, partial and skipped ones, None where they were not counted.
TABLE = {
    "full": (MASKS["full"], {}, 256, (16, 16), (16, 0, 0)),
    "causal": (CAUSAL, {}, 136, (1, 16), (6, 4, 6)),
    "sliding window": (CAUSAL & WINDOW, {"width": 4}, 58, (1, 4), (0, 7, 9)),
    "both sides": (WINDOW, {"width": 3}, 74, (3, 5), (0, 10, 6)),
    "prefix": (PREFIX, {"length": 5}, 146, (5, 16), (7, 4, 5)),
    "prefix by or": (CAUSAL | SINKS, {"length": 5}, 146, (5, 16), (7, 4, 5)),
    "documents": (DOCUMENTS, {"lengths": THREE}, 90, (4, 7), (3, 5, 8)),
    "documents, causal": (DOCUMENTS & CAUSAL, {"lengths": THREE}, 53, (1, 7), (0, 6, 10)),
    "dilated, causal": (DILATED & CAUSAL, {"step": 2, "reach": 8}, 52, (1, 4), (0, 9, 7)),
    "dilated": (DILATED, {"step": 2, "reach": 5}, 68, (3, 5), (0, 10, 6)),
    "strided": (CAUSAL & (WINDOW | DILATED), {"width": 4, "step": 4, "reach": 16}, 82, (1, 7), (0, 10, 6)),
    "chunks, causal": (CHUNKS & CAUSAL, {"chunk": 4}, 40, (1, 4), (0, 4, 12)),
    "sinks and a window": (CAUSAL & (WINDOW | SINKS), {"width": 4, "length": 2}, 81, (1, 6), (0, 9, 7)),
    "neighbourhood": (PATTERNS["neighbourhood"], {"kernel": 5, "size": 16}, 80, (5, 5), (0, 10, 6)),
    "2-D": (PATTERNS["neighbourhood_2d"], {"kernel": 3, "rows": 4, "columns": 4}, 144, (9, 9), (0, 12, 4)),
    "block diffusion": (PATTERNS["block_causal"], {"chunk": 4}, 160, (4, 16), (10, 0, 6)),
    "its training": (PATTERNS["block_diffusion"], {"chunk": 4, "noised": 8}, 96, (4, 8), (6, 0, 10)),
    "tree": (PATTERNS["tree"], {"length": 6, "parents": PARENTS}, 106, (1, 9), (3, 7, 6)),
    "all but documents": (CAUSAL & ~DOCUMENTS, {"lengths": THREE}, 136 - 53, (0, 12), None),
    "or in place of and": (CAUSAL | DOCUMENTS, {"lengths": THREE}, 173, (5, 16), None),
    "and in place of or": (CAUSAL & SINKS, {"length": 5}, 70, (1, 5), None),
}


@pytest.mark.parametrize("name", TABLE)
def test_cells_and_blocks_are_those_of_the_table(name):
    mask, parameters, count, keys, blocks = TABLE[name]
    cells = grid(mask, 16, 16, **parameters)
    seen = cells.sum(-1)
    assert (int(cells.sum()), (int(seen.min()), int(seen.max()))) == (count, keys)
    tiles = cells.unflatten(0, (4, 4)).unflatten(2, (4, 4))
    some, whole = tiles.any(3).any(1), tiles.all(3).all(1)
    assert blocks is None or (int(whole.sum()), int((some & ~whole).sum()), int((~some).sum())) == blocks


@pytest.mark.parametrize(("block", "training", "writing"), [(1, 72, 136), (2, 80, 144), (4, 96, 160), (8, 128, 192)])
def test_the_density_of_block_diffusion_by_its_block(block, training, writing):
    assert grid("block_diffusion", 16, 16, chunk=block, noised=8).sum() == training
    assert grid("block_causal", 16, 16, chunk=block).sum() == writing


def test_a_node_sees_the_prefix_and_its_own_branch():
    tree = grid("tree", 16, 16, length=6, parents=PARENTS)
    assert tree[6:, :6].all()
    assert tree[6:, 6:].sum() == 25
    assert tree[13, 6:].nonzero().flatten().tolist() == [0, 2, 7]


@pytest.mark.parametrize(("rows", "columns", "kernel"), [(4, 8, 3), (8, 4, 3), (3, 5, 3), (2, 7, 5)])
def test_on_a_canvas_that_is_not_square_every_query_sees_as_many_keys_and_itself(rows, columns, kernel):
    """The window shifts at an edge, and is cut where the canvas is smaller."""
    mask = grid("neighbourhood_2d", rows * columns, rows * columns, kernel=kernel, rows=rows, columns=columns)
    assert set(mask.sum(-1).tolist()) == {min(kernel, rows) * min(kernel, columns)}
    assert mask.diagonal().all()
    across = {(i // columns - j // columns, i % columns - j % columns) for i, j in mask.nonzero().tolist()}
    assert max(max(map(abs, each)) for each in across) <= kernel - 1


def test_with_rows_and_columns_exchanged_it_is_another_mask():
    """The mistake happens if a row is taken for x and clamped with the width."""
    right, wrong = (grid("neighbourhood_2d", 32, 32, kernel=3, rows=r, columns=c) for r, c in ((4, 8), (8, 4)))
    assert (right ^ wrong).any()


def test_a_canvas_of_one_row_is_one_dimension():
    flat = grid("neighbourhood", 7, 7, kernel=3, size=7)
    torch.testing.assert_close(grid("neighbourhood_2d", 7, 7, kernel=3, rows=1, columns=7), flat, **EXACT)


def test_not_turns_every_cell_round_and_has_a_name():
    turned = ~(CAUSAL & WINDOW)
    torch.testing.assert_close(grid(turned, 5, 7, width=2), ~grid("causal & window", 5, 7, width=2), **EXACT)
    assert turned.name == "~(causal & window)"
    assert (~CAUSAL).name == "~causal"
    assert (~CAUSAL & WINDOW).parameters == ("width",)
    assert turned.parts == (CAUSAL, WINDOW)
    torch.testing.assert_close(grid(~~CAUSAL, 5, 7), grid("causal", 5, 7), **EXACT)


def test_de_morgan():
    first, second = DOCUMENTS, Mask("first", lambda i, j: j < 1, ())
    one, other = ~(first & second), ~first | ~second
    torch.testing.assert_close(grid(one, 5, 7, lengths=(2, 3)), grid(other, 5, 7, lengths=(2, 3)), **EXACT)


@pytest.mark.parametrize(
    ("name", "changed", "text"),
    [
        ("documents", {"lengths": (2, 0)}, "lengths of mask 'documents' must be at least 1, got 0"),
        ("documents", {"lengths": ()}, "lengths of mask 'documents' must be at least one number, got none"),
        ("dilated", {"step": 0}, "step of mask 'dilated' must be at least 1, got 0"),
        ("tree", {"parents": (-2,)}, "parents of mask 'tree' must be at least -1, got -2"),
        ("tree", {"parents": (-1, 1)}, "parents of mask 'tree' must come before their nodes, got 1 for node 1"),
        ("neighbourhood", {"kernel": 0}, "kernel of mask 'neighbourhood' must be at least 1, got 0"),
        ("neighbourhood_2d", {"columns": 0}, "columns of mask 'neighbourhood_2d' must be at least 1, got 0"),
        ("block_diffusion", {"noised": 0}, "noised of mask 'block_diffusion' must be at least 1, got 0"),
    ],
)
def test_parameters_that_describe_no_mask_are_refused(name, changed, text):
    parameters = {each: PARAMETERS[each] for each in PATTERNS[name].parameters}
    with refused(text):
        grid(name, 3, 4, **parameters | changed)


def test_a_position_behind_the_last_node_of_a_tree_sees_the_first_keys_and_itself():
    found = grid("tree", 7, 7, length=2, parents=(-1, 0, 1))
    for row in (5, 6):
        assert found[row].nonzero().flatten().tolist() == [0, 1, row]
