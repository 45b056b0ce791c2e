"""The keys that an index chooses on the page Masks: the drawn choice is that of a loop, with the numbers of torch."""

import numpy as np
import pytest
import torch

from pages.shell.views import masks
from tests.support.app import cards, charts, computed, linked
from tests.support.screens import payloads

# The number of kept keys, and the other parameters of a link.
LINKS = (
    (3, {}),
    (1, {}),
    (64, {}),
    (2, {"mask": "window", "width": 3}),
    (3, {"preset": "random", "mask": "prefix", "last": 3, "head": 2, "scale": "none"}),
    (2, {"preset": "random", "d_model": "2", "heads": 1, "painted": "AA"}),
)


def permitted(link) -> np.ndarray:
    """The pairs that the screen's mask allows; if it hides nothing, those of the causal mask."""
    run = computed(**link)
    queries, keys = run.trace.sizes["query"], run.trace.sizes["key"]
    mask = run.matrix("mask").numpy() if "mask" in run.trace else np.ones((queries, keys), dtype=bool)
    return np.tri(queries, keys, dtype=bool) if mask.all() else mask


@pytest.mark.parametrize(("keep", "link"), LINKS, ids=str)
def test_each_query_keeps_the_keys_of_its_largest_index_scores(keep, link):
    drawn, seen = cards(linked("masks", index_keep=keep, **link))[""], permitted(link)
    scores, left = drawn["index-scores"].z, drawn["index-mask"].z.astype(bool)
    np.testing.assert_array_equal(np.isnan(scores), ~seen)
    np.testing.assert_array_equal(left.sum(-1), np.minimum(seen.sum(-1), keep))
    for row, kept in zip(scores, left, strict=True):
        out = ~kept & ~np.isnan(row)
        assert not out.any() or not kept.any() or row[out].max() <= row[kept].min()


@pytest.mark.parametrize(("keep", "link"), LINKS, ids=str)
def test_what_is_left_are_the_weights_of_torch_on_the_keys_that_are_kept(keep, link):
    drawn, run = cards(linked("masks", index_keep=keep, **link))[""], computed(**link)
    scores = run.matrix("scaled").double()
    left = torch.tensor(drawn["index-mask"].z.astype(bool))
    wanted = scores.masked_fill(~left, -torch.inf).softmax(-1).masked_fill(~left, torch.nan)
    np.testing.assert_allclose(drawn["index-weights"].z, wanted.numpy(), atol=1e-5)


def test_more_keys_keep_more_and_no_choice_more_than_that_of_the_weights():
    by_index, at_best = (np.array(line["y"]) for line in charts(linked("masks"))["index-share"]["series"].values())
    assert (np.diff(by_index) >= 0).all()
    assert (by_index <= at_best + 1e-6).all()
    assert by_index[-1] == pytest.approx(1)


def test_the_choice_leaves_out_keys_of_larger_weights():
    """Cells are dropped in the order of I, not of A: on the opening screen, some query misses its third key."""
    drawn, run = cards(linked("masks"))[""], computed()
    weights = run.trace["scaled"].of_heads(4).masked_fill(~torch.ones(11, 11).tril().bool(), -torch.inf).softmax(-1)
    best = weights.mean(0).topk(3, -1).values.sum(-1)
    kept = (weights.mean(0) * torch.tensor(drawn["index-mask"].z)).sum(-1)
    assert (kept < best - 0.01).any()


@pytest.mark.parametrize("cell", ["index-scores.4.3", "index-mask.4.1", "index-mask.4.9", "index-weights.4.3"])
def test_the_arithmetic_of_a_cell_gives_its_number(cell):
    at = linked("masks", cell=f"{cell}.chosen")
    panels = [block for block in masks.chosen.blocks(at) if block["kind"] == "panel"]
    assert len(panels) == 1


def test_a_mask_that_hides_everything_leaves_nothing_to_choose():
    link = {"preset": "random", "text": "one", "painted": "AA"}
    at = linked("masks", **link)
    assert not cards(at)[""]["index-mask"].z.any()
    assert "index-share" not in {card["id"] for sent in payloads(at) for card in sent.get("cards", ())}
