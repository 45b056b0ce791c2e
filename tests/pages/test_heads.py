"""The page about heads: their cost, with d_k shared out and with d_k fixed, and the features that each head reaches."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from streamlit.testing.v1.element_tree import Block

from attention.analysis import heads as analysis
from attention.analysis.heads import parameters, split_rounding
from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import LANGUAGES, say
from pages.shell.i18n.numbers import apart
from pages.shell.state.config import KNOBS, looks, unused
from pages.shell.views import heads
from tests.pages.test_masks import own_figures, table
from tests.support.app import PAGES, app, computed, control_of, decoded, linked, markdown, order_of_terms, widget


def in_sight(block: Block) -> list[str]:
    """The keys of the page's widgets outside popovers, as names of their controls."""
    found = []
    for one in block.children.values():
        if isinstance(one, Block):
            found += [] if one.type == "popover" else in_sight(one)
        elif getattr(one, "key", None):
            found.append(control_of(one.key))
    return found


@pytest.mark.parametrize("preset", ["learned", "random", "story"])
def test_of_the_shared_controls_their_number_alone_is_in_sight(preset):
    """Five controls stood between the switches and the rest of the page, and hid the control that the page is about."""
    at = app("heads", preset=preset)
    number = "fixed-heads" if preset == "story" else "heads"
    assert {*in_sight(at.main)} & {*KNOBS, "fixed-heads", "fixed-d_k", "pin", "die"} == {number}
    # The other controls are behind "More".
    for name in ("dropout", "mask", *(() if preset == "story" else ("d_k",))):
        assert widget(at, name).value is not None
    assert at.button(key="pin").label == say("pin.keep")


@pytest.mark.parametrize(("page", "stays"), [("dropout", {"dropout"}), ("taming", set())])
def test_a_page_about_one_slider_has_the_other_shared_controls_behind_more(page, stays):
    """Heads, d_k and the mask stood under a figure that depends on none of them."""
    at = app(page)
    assert {*in_sight(at.main)} & {*KNOBS, "fixed-heads", "fixed-d_k", "pin", "die"} == stays
    for name in ("heads", "d_k", *({"mask"} - unused(page))):
        assert widget(at, name).value is not None
    assert at.button(key="pin").label == say("pin.keep")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lead_names_the_slider_that_it_invites_to_drag(language):
    assert f"*{say('control.heads.label', language)}*" in say("page.heads.lead", language)


def test_before_a_change_nothing_is_said_of_it():
    assert not [block for block in heads.effect.blocks(linked("heads")) if block["kind"] == "moved"]
    screen = linked("heads", scale="none")
    (block, *_) = heads.effect.blocks(replace(screen, earlier={}))
    assert block["kind"] == "moved"


def counted(at) -> str:
    return next(block.value for block in markdown(at) if block.value.startswith("On this screen"))


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 16])
def test_parameters_stay_until_d_k_is_fixed(heads):
    link = {"d_model": "64", "heads": heads}
    assert f"**{parameters(64, 4):,}**" in counted(linked("heads", preset="random", **link))
    fixed = counted(linked("heads", preset="random", **link, fixed_d_k=True))
    assert f"**{parameters(64, heads, 16):,}**" in fixed
    assert f"heads = {heads}, d_k = 16 " in fixed


def test_a_size_that_is_set_by_hand_is_left_alone():
    assert "d_k = 5 " in counted(linked("heads", preset="random", d_k="5", fixed_d_k=True))


def test_a_head_has_at_least_one_feature():
    assert "d_k = 1 " in counted(linked("heads", preset="random", d_model="2", heads=2, fixed_d_k=True))


def test_the_table_of_ranks_is_the_published_one():
    rows = table(linked("heads"), "Rank of the weights")[2:]
    assert [row[0] for row in rows] == ["1", "2", "4", "8", "16", "32", "64"]
    assert [row[3] for row in rows] == ["32", "32", "16", "8", "4", "2", "1"]
    assert {row[2] for row in rows} == {"16,384"}


def test_one_feature_reaches_every_head():
    rows = table(linked("heads", preset="random", heads=8), "feature 1")[2:]
    assert len(rows) == 8
    assert all(float(row[-1]) > 0 for row in rows)


SPLIT = [
    {},
    {"heads": 3, "d_model": "33"},
    {"heads": 16, "d_model": "64", "bias": True},
    {"heads": 13, "d_model": "128"},
]
BATCH = {"text": "one two three\nfour five", "sentence": 2, "heads": 2, "d_k": "5"}


@pytest.mark.parametrize("link", [*SPLIT, BATCH], ids=str)
def test_bands_of_one_matrix_and_small_products_are_the_same_numbers_exactly(link):
    at = linked("heads", preset="random", **link)
    figures = own_figures(at)
    whole, small = (decoded(figures[id]) for id in ("whole", "small"))
    assert (whole == small).all()
    assert figures["small"]["note"] == say("heads.split_same", difference="0")
    assert any("rounded to float32: the largest difference is 0 (" in block.value for block in markdown(at))
    shown = computed(preset="random", **link)
    queries = shown.trace["queries"].value[shown.sentence].transpose(0, 1).flatten(1)
    np.testing.assert_allclose(whole, queries, rtol=0, atol=1e-5)
    np.testing.assert_array_equal(decoded(figures["whole-w_q"]), shown.module.w_q)
    assert {figures[id]["band"] for id in ("whole-w_q", "whole", "small")} == {shown.module.d_k}


def test_of_one_head_no_bands_are_told():
    at = linked("heads", preset="random", heads=1)
    told = " ".join(block.value for block in markdown(at))
    assert say("heads.split_one") in told
    assert "1 bands" not in told
    assert (decoded(own_figures(at)["whole"]) == decoded(own_figures(at)["small"])).all()


def test_other_bands_are_drawn_anew_although_the_numbers_stay():
    drawn = heatmap_of("whole", torch.zeros(5, 7), "query", "split")
    two, three = (Figure(drawn, "", (), (), band=band).sent() for band in (2, 3))
    assert two["z"] == three["z"]
    assert two["stamp"] != three["stamp"]


@pytest.mark.parametrize("rounding", [0.0, 3.6e-7, None], ids=str)
def test_the_rounding_of_float32_is_said_where_there_is_some(monkeypatch, rounding):
    """None: the rounding as measured here. The kernels of the processor decide whether orders of addition differ."""
    run = computed(preset="random")
    measured = split_rounding(run.trace) if rounding is None else rounding
    assert 0 <= measured <= order_of_terms(run, dtype=torch.float32) < 1e-2
    if rounding is not None:
        monkeypatch.setattr(analysis, "split_rounding", lambda trace: rounding)
    text = "\n".join(block.value for block in markdown(linked("heads", preset="random")))
    assert ("from the start" in text) == (measured > 0)
    assert (f"In float32 from the start it is {apart(measured)}:" in text) == (measured > 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "page", [page for page in PAGES if looks(page) and "preset" in unused(page) and "seed" not in unused(page)]
)
def test_a_page_that_draws_its_weights_says_that_they_are_random(page, language):
    assert {"en": "random", "zh": "随机"}[language] in say(f"page.{page}.lead", language).lower()
