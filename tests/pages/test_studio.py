"""The mask that is composed on the page about masks: its cells, blocks, weights and code, in plain Python and torch."""

import numpy as np
import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, create_mask

from attention.block_masks import blocks
from pages.shell.runs.composing import composed, controls_of, lengths_of, parents_of
from pages.shell.state.fields import Choice
from pages.shell.state.page_controls import Masks
from pages.shell.state.registry import ALL_FIELDS
from pages.shell.views import masks
from tests.support.app import app, cards, linked, no_exception
from tests.support.patterns import EVERY_MASK, REFERENCES

HOW = {
    "alone": lambda one, other: one,
    "not": lambda one, other: not one,
    "and": lambda one, other: one and other,
    "or": lambda one, other: one or other,
    "and_not": lambda one, other: one and not other,
    "or_not": lambda one, other: one or not other,
}
WORDS = ("today", "the", "old", "fox", "brings", "the", "owl", "to", "the", "shy", "hen")
# For each mask, the other parameters of its link, and the numbers that it then has.
GIVEN = {
    "full": ({}, {}),
    "causal": ({}, {}),
    "window": ({"studio_width": 2}, {"width": 2}),
    "prefix": ({"studio_length": 3}, {"length": 3}),
    "documents": ({"studio_lengths": "2; 3 0"}, {"lengths": (2, 3)}),
    "sinks": ({}, {"length": 5}),
    "dilated": ({"studio_step": 3, "studio_reach": 7}, {"step": 3, "reach": 7}),
    "chunks": ({}, {"chunk": 4}),
    "block_causal": ({"studio_chunk": 5}, {"chunk": 5}),
    "block_diffusion": ({"studio_chunk": 3}, {"chunk": 3, "noised": 11}),
    "neighbourhood": ({"studio_kernel": 5}, {"kernel": 5, "size": 11}),
    "neighbourhood_2d": ({"studio_columns": 3}, {"kernel": 3, "rows": 4, "columns": 3}),
    "tree": ({"studio_parents": "0 1 9 2"}, {"length": 5, "parents": (-1, 0, -1, 1)}),
}


def code_of(screen) -> dict:
    """The names that the page's lines of Python define."""
    (text,) = (block["text"] for block in masks.checks.blocks(screen) if block["kind"] == "code")
    made: dict = {}
    exec(text, made)
    return made


@pytest.mark.parametrize("mask", GIVEN)
def test_a_mask_alone_has_the_cells_of_plain_python(mask):
    link, numbers = GIVEN[mask]
    drawn = cards(linked("masks", studio_mask=mask, studio_how="alone", **link))[""]
    n = 22 if mask == "block_diffusion" else 11
    wanted = [[bool(REFERENCES[mask](i, j, **numbers)) for j in range(n)] for i in range(n)]
    assert drawn["studio-cells"].z.astype(bool).tolist() == wanted


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("one", "other"), [("documents", "causal"), ("dilated", "window"), ("tree", "chunks")])
def test_two_masks_are_combined_as_the_words_say(one, other, how):
    link = {"studio_mask": one, "studio_how": how, "studio_second_mask": other}
    drawn = cards(linked("masks", **link))[""]
    whole = {"lengths": (4, 3, 4), "width": 3, "length": 5, "step": 2, "reach": 8, "chunk": 4}
    whole["parents"] = (-1, 0, 0, 1, 1, 2)
    parts = [{name: whole[name] for name in EVERY_MASK[mask].parameters} for mask in (one, other)]
    wanted = [
        [bool(HOW[how](REFERENCES[one](i, j, **parts[0]), REFERENCES[other](i, j, **parts[1]))) for j in range(11)]
        for i in range(11)
    ]
    assert drawn["studio-cells"].z.astype(bool).tolist() == wanted


@pytest.mark.parametrize("side", [1, 2, 3, 32])
@pytest.mark.parametrize("mask", GIVEN)
def test_cells_and_blocks_are_those_of_flex_attention_and_the_code_makes_them(mask, side):
    link = {"studio_mask": mask, "studio_block": side} | GIVEN[mask][0]
    screen = linked("masks", **link)
    drawn = cards(screen)[""]
    asked = screen.own(Masks)
    made = composed(asked, WORDS)
    mod, n = made.mask.mask_mod(**made.parameters), len(made.names)
    cells = create_mask(mod, None, None, n, n, device="cpu")[0, 0]
    np.testing.assert_array_equal(drawn["studio-cells"].z.astype(bool), cells.numpy())
    theirs = blocks(create_block_mask(mod, None, None, n, n, device="cpu", BLOCK_SIZE=side))
    np.testing.assert_array_equal(2 * drawn["studio-blocks"].z, theirs.kinds.numpy())
    ours = code_of(screen)
    assert ours["cells"].equal(cells)
    assert blocks(ours["for_flex_attention"]).kinds.equal(theirs.kinds)


@pytest.mark.parametrize("link", [{}, {"head": 3, "mask": "causal"}, {"preset": "random", "last": 3, "dropout": 0.5}])
def test_the_weights_are_those_of_the_layer_under_this_mask_alone(link):
    screen = linked("masks", **link)
    drawn = cards(screen)[""]
    whole = linked("masks", **{**link, "last": 0, "dropout": 0, "mask": "full"}).run
    seen = torch.tensor(drawn["studio-cells"].z.astype(bool))
    wanted = whole.matrix("scaled").double().masked_fill(~seen, -torch.inf).softmax(-1).masked_fill(~seen, torch.nan)
    np.testing.assert_allclose(drawn["studio-weights"].z, wanted.numpy(), atol=1e-6)


def test_on_the_first_look_half_of_the_blocks_are_needed_for_a_quarter_of_the_pairs():
    screen = linked("masks")
    text = next(block["markdown"] for block in masks.studio.blocks(screen) if block["kind"] == "text")
    assert "26% of the pairs, and needs 50% of the blocks" in text
    assert "Sparse for the eye" in text


def test_each_mask_shows_the_controls_of_its_numbers_and_no_others():
    for mask in ALL_FIELDS["studio_mask"].options:
        controls = controls_of(Masks(studio_mask=mask, studio_how="alone"))
        assert set(controls) <= ALL_FIELDS.keys()
        of_numbers = {name for name in GIVEN[mask][1] if name not in ("noised", "size", "rows")}
        assert {name.removeprefix("studio_") for name in controls} == of_numbers
    both = controls_of(Masks(studio_mask="prefix", studio_how="and", studio_second_mask="sinks"))
    assert both == ["studio_length"]


@pytest.mark.parametrize("text", ["", "0", "99999999999999999999", "9" * 5000, "-3", "a", "1,,2", "²", "٣", " 7 "])
def test_any_text_is_lengths_and_parents_that_make_a_mask(text):
    lengths, parents = lengths_of(text), parents_of(text)
    assert all(1 <= length <= 64 for length in lengths)
    assert all(-1 <= parent < node for node, parent in enumerate(parents))
    for mask in ("documents", "tree"):
        made = composed(Masks(studio_mask=mask, studio_lengths=text[:60], studio_parents=text[:60]), WORDS)
        assert made.cells.shape == (11, 11)


@pytest.mark.parametrize("mask", ["tree", "block_diffusion", "neighbourhood_2d"])
def test_every_mask_holds_on_one_word_and_on_many(mask):
    for words in ("one", " ".join("abcdefghijklmnopqrstuvw" * 3)):
        drawn = cards(linked("masks", preset="random", text=words, studio_mask=mask, studio_how="alone"))[""]
        assert drawn["studio-cells"].z.diagonal().all()


def test_every_mask_that_is_offered_is_tested_here():
    knob = ALL_FIELDS["studio_mask"]
    assert isinstance(knob, Choice)
    assert set(knob.options) == set(GIVEN)


def test_the_page_draws_what_a_composed_mask_needs():
    at = app("masks", studio_mask="tree", studio_how="or", studio_second_mask="documents")
    assert no_exception(at)
    labels = {one.label for one in [*at.slider, *at.text_input]}
    assert {"First keys", "Parents of nodes", "Lengths of documents", "Side of a block"} <= labels
    assert "Neighbours" not in labels
