"""Masks as FlexAttention takes them, and the picture of any of its block masks.

Importing FlexAttention takes most of the time of this file.
"""

import numpy as np
import pytest
import torch
from torch.nn.attention.flex_attention import and_masks, create_block_mask, create_mask, flex_attention, or_masks

from attention import MASKS, grid, scaled_dot_product_attention
from attention.block_masks import KINDS, block_mask, blocks, blocks_of
from attention.figures import COLOURS, block_figure
from attention.masks import CORNERS, position
from tests.support import CLOSE, EXACT, KEYS, QUERIES, qkv, refused
from tests.support.patterns import EVERY_MASK, parameters_of

SIZES = [(QUERIES, KEYS), (KEYS, QUERIES)]


@pytest.mark.parametrize("name", EVERY_MASK)
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_a_mask_is_the_same_for_flex_attention(name, corner, queries, keys):
    mod = EVERY_MASK[name].mask_mod(offset=position(0, queries, keys, corner), **parameters_of(name))
    made = create_mask(mod, None, None, queries, keys, device="cpu")[0, 0]
    torch.testing.assert_close(made, grid(name, queries, keys, corner=corner, **parameters_of(name)), **EXACT)


def test_flex_attention_computes_with_it_what_ours_does():
    q, k, v = (each.float() for each in qkv())
    mask = block_mask("causal & window", QUERIES, KEYS, corner="lower_right", width=2, block=2)
    dense = grid("causal & window", QUERIES, KEYS, corner="lower_right", width=2)
    ours = scaled_dot_product_attention(q, k, v, mask=dense)
    torch.testing.assert_close(flex_attention(q, k, v, block_mask=mask), ours, **CLOSE[torch.float32])


def test_it_combines_with_the_masks_of_others():
    told = torch.tensor([5, 3])
    mod = and_masks(MASKS["causal"].mask_mod(), lambda b, h, q, k: k < told[b])
    made = create_mask(mod, 2, None, QUERIES, KEYS, device="cpu")
    expected = grid("causal", QUERIES, KEYS) & (torch.arange(KEYS) < told[:, None])[:, None, None]
    torch.testing.assert_close(made, expected, **EXACT)


# Of 16 × 16 in blocks of 4: full, partial, empty, counted by hand.
COUNTED = {
    "full": ({}, 16, 0, 0),
    "causal": ({}, 6, 4, 6),
    "causal & window": ({"width": 4}, 0, 7, 9),
    "prefix": ({"length": 5}, 7, 4, 5),
}


@pytest.mark.parametrize("name", COUNTED)
def test_blocks_are_counted_as_by_hand(name):
    parameters, full, partial, empty = COUNTED[name]
    found = blocks(block_mask(name, 16, 16, block=4, **parameters))
    assert found.counts == {"empty": empty, "partial": partial, "full": full}
    assert found.sparsity == empty / 16


@pytest.mark.parametrize("name", EVERY_MASK)
@pytest.mark.parametrize(("block", "queries", "keys"), [((2, 3), 5, 7), ((4, 2), 7, 11), ((128, 128), 13, 5)])
def test_the_kind_of_a_block_is_that_of_its_cells(name, block, queries, keys):
    """A block that reaches beyond the mask has cells that are not there, and is partial at most."""
    found = blocks(block_mask(name, queries, keys, block=block, **parameters_of(name)))
    cells = grid(name, queries, keys, **parameters_of(name))
    for row, column in np.ndindex(*found.kinds.shape):
        part = cells[row * block[0] :, column * block[1] :][: block[0], : block[1]]
        whole = part.numel() == block[0] * block[1]
        kind = "empty" if not part.any() else "full" if part.all() and whole else "partial"
        assert KINDS[found.kinds[row, column]] == kind
    assert (found.block, found.size) == (block, (queries, keys))
    same = blocks_of(cells, block)
    torch.testing.assert_close(same.kinds, found.kinds, **EXACT)
    assert (same.block, same.size) == (found.block, found.size)


def test_blocks_of_cells_that_are_none_are_refused():
    with refused("block must be at least 1, got 0"):
        blocks_of(grid("causal", 5, 7), (2, 0))
    with refused("cells need 2 axes (queries, keys), got shape (1, 5, 7)"):
        blocks_of(grid("causal", 5, 7)[None], 2)


def test_masks_that_are_composed_are_those_of_flex_attention():
    """FlexAttention's own functions combine the parts, and nest."""
    causal, documents, window, sinks = (EVERY_MASK[name] for name in ("causal", "documents", "window", "sinks"))
    composed = causal & documents & (window | ~sinks)
    given = {"lengths": (2, 3), "width": 2, "length": 3}
    parts = [mask.mask_mod(**{each: given[each] for each in mask.parameters}) for mask in (causal, documents, window)]

    def after_sinks(b, h, q, k):
        return k >= 3

    theirs = and_masks(parts[0], parts[1], or_masks(parts[2], after_sinks))
    for mod in (theirs, composed.mask_mod(**given)):
        made = create_mask(mod, None, None, QUERIES, KEYS, device="cpu")[0, 0]
        torch.testing.assert_close(made, grid(composed, QUERIES, KEYS, **given), **EXACT)


def per_head(b, h, q, k):
    return (k <= q) & (q - k < 2 ** (h + 1))


def test_each_head_has_its_own_blocks():
    mask = create_block_mask(per_head, None, 3, 16, 16, device="cpu", BLOCK_SIZE=4)
    cells = create_mask(per_head, None, 3, 16, 16, device="cpu")[0]
    for head in range(3):
        tiles = cells[head].unflatten(0, (4, 4)).unflatten(2, (4, 4)).any(3).any(1)
        assert torch.equal(blocks(mask, batch=1, head=head).kinds > 0, tiles)
    with refused("head 3 is not in this mask; 0 to 2"):
        blocks(mask, head=3)


def test_a_block_mask_without_full_blocks_has_none():
    mod = MASKS["causal"].mask_mod()
    mask = create_block_mask(mod, None, None, 16, 16, device="cpu", BLOCK_SIZE=4, separate_full_blocks=False)
    assert blocks(mask).counts == {"empty": 6, "partial": 10, "full": 0}


def test_the_picture_has_each_block_in_its_place_and_says_how_many_there_are():
    figure = block_figure(block_mask("prefix", 14, 18, block=(4, 8), length=3))
    (drawing,) = figure.data
    found = blocks(block_mask("prefix", 14, 18, block=(4, 8), length=3))
    np.testing.assert_array_equal(drawing.z, found.kinds.numpy())
    assert list(drawing.x) == [0, 8, 16, 18]
    assert list(drawing.y) == [0, 4, 8, 12, 14]
    counts = found.counts
    said = f"{counts['empty']} empty, {counts['partial']} partial, {counts['full']} full"
    assert figure.layout.title.text == f"{said}: {found.sparsity:.0%} of the blocks are skipped"
    assert drawing.colorbar.ticktext == KINDS
    empty, partial, full = COLOURS["binary"][0], COLOURS["probability"][3], COLOURS["binary"][1]
    assert [colour for _, colour in drawing.colorscale] == [empty, empty, partial, partial, full, full]
    assert figure.layout.yaxis.autorange == "reversed"
    assert drawing.xgap == drawing.ygap > 0


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"mask": "casual"}, f"unknown mask 'casual'; one of {', '.join(EVERY_MASK)}"),
        ({"mask": "window"}, "mask 'window' takes width; got none"),
        ({"mask": "causal", "width": 2}, "mask 'causal' takes no parameter; got width"),
        ({"mask": "causal", "corner": "upper_right"}, "unknown corner 'upper_right'; one of upper_left, lower_right"),
        ({"mask": "causal", "queries": 0}, "queries must be at least 1, got 0"),
    ],
)
def test_what_makes_no_mask_is_refused(given, text):
    with refused(text):
        block_mask(**{"queries": 5, "keys": 7} | given)
