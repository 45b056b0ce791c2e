"""Numbers typed by hand: the grid shows the computed numbers, every page mentions them, and all can be taken back."""

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.state.typed_numbers import LARGEST, PRESETS, edits
from pages.shell.views import VIEWS
from tests.pages.test_sweep import TEXTS
from tests.support.app import (
    HOME,
    PAGES,
    app,
    blocks,
    computed,
    edited,
    figures,
    held,
    linked,
    markdown,
    no_exception,
    recorded,
    widget,
)
from tests.support.covering import EVERY_TEST

SIZES = {
    "preset": "random",
    "text": "one two three\nthe same the same",
    "heads": 3,
    "d_model": "7",
    "d_k": "5",
    "d_v": "2",
}
ALL = dict.fromkeys(("x", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"), ((1, 0, 1, 2.5),))
EVERYWHERE = SIZES | {"bias": True, "edited": edited(**ALL, w_o=((0, 5, 6, 2.5),), b_o=((0, 0, 6, 2.5),))}


def opened(matrix: str = "x", **link):
    """The walkthrough with the grid in sight."""
    at = app(HOME, **link)
    assert not at.dataframe
    at.session_state["by_hand"] = True
    at.session_state["by-hand-matrix"] = matrix
    at.run()
    assert no_exception(at)
    return at


def shown(at) -> np.ndarray:
    return at.dataframe[0].value.to_numpy(dtype=np.float32)


def said(at) -> str:
    return "\n".join(text.value for text in markdown(at))


def compared(screen) -> list[str]:
    """The verdict of each comparison with PyTorch."""
    [found] = [block for block in VIEWS["walkthrough.ledger"].blocks(screen) if block["kind"] == "ledger"]
    return [badge["verdict"] for badge in found["badges"]]


def badge(parts: str) -> str:
    return say("by_hand.mark", parts=parts)


@pytest.mark.parametrize("matrix", [*ALL, "w_o", "b_o"])
def test_the_grid_shows_what_is_computed_with_all_digits(matrix):
    link = EVERYWHERE | {"sentence": 2, "head": 2}
    found = shown(opened(matrix, **link))
    np.testing.assert_array_equal(found, recorded(computed(**link), matrix))
    assert (found == 2.5).sum() == 1


def test_what_is_typed_over_is_what_the_figures_show():
    by_hand = {"edited": edited("story", x=((0, 3, 7, -2.5),))}
    plain, typed = (figures(linked(preset="story", **link)) for link in ({}, by_hand))
    assert np.argwhere(plain["x"].z != typed["x"].z).tolist() == [[3, 7]]
    assert typed["x"].z[3, 7] == -2.5
    assert {id for id in plain if plain[id].rest["stamp"] != typed[id].rest["stamp"]} >= {"keys", "weights", "output"}
    assert plain["w_q"].rest["stamp"] == typed["w_q"].rest["stamp"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_typed_over_and_no_other_is_touched(preset):
    link = {"mask": "full", "edited": edited(preset, w_v=((0, 2, 1, 11.0),))}
    # The fast form compares each preset with itself and another one.
    for other in PRESETS if EVERY_TEST else (preset, PRESETS[PRESETS.index(preset) - 1]):
        drawn = figures(linked(preset=other, **link))["w_v"].z
        assert (drawn == 11.0).sum() == (other == preset)


@pytest.mark.parametrize("link", [{}, {"bias": True}, {"scale": "none"}, {"mask": "window"}], ids=str)
def test_torch_agrees_with_what_is_typed(link):
    typed = tuple((0, i, j, 3.0 * i - j) for i in range(7) for j in range(4))
    verdicts = compared(linked(preset="random", edited=edited(x=typed, w_q=typed, w_v=typed), **link))
    assert "differs" not in verdicts
    assert verdicts.count("agrees") == (1 if "scale" in link else 2)


def test_torch_agrees_where_the_numbers_are_as_large_as_can_be():
    """The largest difference is above the tolerance for small numbers, but only in the last digits of large ones."""
    typed = {"w_v": ((0, 0, 0, LARGEST),), "w_o": ((0, 0, 0, LARGEST),), "x": ((0, 0, 0, 977.7), (0, 1, 0, -333.3))}
    at = linked(preset="random", edited=edited(**typed))
    assert "differs" not in compared(at)
    assert np.abs(figures(at)["projected"].z).max() > 1e6


@pytest.mark.parametrize("raw", ["banana", edited(x=((0, 1, 2, 3.0),))[:-3], "9" * 10_000])
def test_a_damaged_link_opens_without_it_and_says_so(raw):
    at = app(HOME, edited=raw, dropout=0.3)
    assert no_exception(at)
    assert [toast.value for toast in at.toast] == [
        say("link.changed", parts=say("link.dropped", name="`edited`")),
    ]
    assert held(at) == {"dropout": "0.3"}
    assert figures(at)["x"].rest["stamp"] == figures(app(HOME, dropout=0.3))["x"].rest["stamp"]


def test_another_visitor_has_the_weights_as_they_were():
    before = figures(linked(**SIZES, bias=True))
    figures(linked(**EVERYWHERE))
    after = figures(linked(**SIZES, bias=True))
    assert {id: sent.rest["stamp"] for id, sent in before.items()} == {id: s.rest["stamp"] for id, s in after.items()}


@pytest.mark.parametrize("page", ["walkthrough"])
def test_a_page_that_uses_it_says_so_and_takes_it_back(page):
    at = app(page, preset="random", edited=edited(x=((0, 1, 2, 3.0), (0, 2, 2, 3.0)), w_k=((1, 0, 0, 1.0),)))
    assert no_exception(at)
    assert badge("X (2 typed over), W_K of head 2 (1 typed over)") in said(at)
    back = [button["sets"] for block in blocks(at) if block["kind"] == "buttons" for button in block["buttons"]]
    assert {"edited": ""} in back
    assert say("by_hand.mark", parts="").strip() not in said(linked(page, preset="random"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_whose_matrices_are_others_says_nothing(page):
    """Edits of the story do not apply to random weights, and shuffled words have no cells to type into."""
    random = page in ("cross_attention", "order")
    at = app(
        page,
        preset="random" if random else "notebook",
        edited=edited("random" if random else "story", x=((0, 1, 2, 3.0),)),
    )
    assert no_exception(at)
    assert say("by_hand.mark", parts="").strip() not in said(at)


def test_what_has_no_place_is_said_and_comes_back():
    text = edited(x=((0, 1, 2, 3.0), (1, 2, 0, 9.0)), w_q=((3, 0, 0, 1.0),))
    at = linked(preset="random", heads=2, edited=text)
    assert badge("X of sentence 1 (1 typed over)") not in said(at)
    assert badge("X (1 typed over)") in said(at)
    parts = "X of sentence 2 (1 typed over), W_Q of head 4 (1 typed over)"
    assert say("by_hand.homeless", parts=parts) in said(at)
    at = linked(preset="random", heads=4, edited=text)
    assert badge("X (1 typed over), W_Q of head 4 (1 typed over)") in said(at)


@pytest.mark.parametrize(
    ("matrix", "link", "size"),
    [("x", {"text": " ".join("abcdefghijklmnopq")}, "17 columns"), ("w_q", {"d_model": "33"}, "33")],
)
def test_what_is_too_large_is_not_typed_over(matrix, link, size):
    at = opened(matrix, preset="random", **link)
    assert not at.dataframe
    assert any("×" in info.value and size.split()[0] in info.value for info in at.info)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))
def test_any_words_may_stand_at_the_rows(text):
    at = opened("x", preset="random", d_model="5", text=text)
    assert at.dataframe or at.info


def test_a_matrix_or_all_of_them_are_reset():
    at = opened("w_q", **EVERYWHERE, head=2)
    at.button(key="by-hand-one").click().run()
    assert {edit.typed.matrix for edit in edits(held(at)["edited"])} == {*ALL, "w_o", "b_o"} - {"w_q"}
    np.testing.assert_array_equal(shown(at), recorded(computed(**SIZES, bias=True, head=2), "w_q"))
    at.button(key="by-hand-all").click().run()
    assert "edited" not in held(at)


def test_a_new_grid_comes_with_other_numbers_and_the_old_one_stays_with_the_same():
    at = opened("x", **SIZES)
    first = at.dataframe[0].proto.id
    # A slider first redraws its parts; the page run comes after them.
    assert widget(at, "dropout").set_value(0.2).run().dataframe[0].proto.id == first
    widget(at.run(), "seed").set_value(3).run()
    assert at.dataframe[0].proto.id != first
    np.testing.assert_array_equal(shown(at), recorded(computed(**SIZES, seed=3), "x"))
