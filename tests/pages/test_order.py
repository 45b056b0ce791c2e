"""The page on order: shuffled rows are the rows of the sentence, until a mask or positions tell places apart."""

import numpy as np
import pytest
import torch
from torch import nn

from pages.shell.state.config import Config
from tests.pages.test_masks import own_figures, table
from tests.support.app import app, computed, decoded, linked, order_of_terms, seen
from tests.support.numbers import plain

TEXT = {"preset": "random", "text": "one two three four five six seven\neight nine ten"}


def sides(at, id: str) -> list[np.ndarray]:
    figures = own_figures(at)
    return [np.nan_to_num(decoded(figures[f"{id}-{side}"])) for side in ("sentence", "shuffled", "back")]


def near(link: dict) -> float:
    """What the order of the words may change by the order of the terms of each sum alone."""
    return order_of_terms(computed(**{name: value for name, value in link.items() if name in Config.knobs()}))


def differences(at) -> np.ndarray:
    return np.array([[float(cell) for cell in row[1:]] for row in table(at, "Without positions")[2:]])


@pytest.mark.parametrize(
    "link", [{}, TEXT, TEXT | {"sentence": 2}, {"preset": "random", "shuffle": 99, "head": 3, "scale": "d_k"}], ids=str
)
def test_only_the_order_changes(link):
    at = linked("order", **link)
    for id in ("weights", "projected"):
        sentence, shuffled, back = sides(at, id)
        # Drawn in float32, which rounds numbers of float64 that are a last digit apart to neighbours at most.
        np.testing.assert_allclose(back, sentence, rtol=torch.finfo(torch.float32).eps, atol=near(link))
        assert (shuffled != sentence).any()
        assert sorted(map(max, shuffled)) == sorted(map(max, sentence))
    assert float(plain(own_figures(at)["projected-back"]["note"]).rpartition(": ")[2].rstrip(".")) <= near(link) < 1e-9


@pytest.mark.parametrize("link", [{"order_mask": "causal"}, {"order_positions": True}], ids=str)
def test_a_mask_and_positions_break_it(link):
    at = linked("order", **link)
    for id in ("weights", "projected"):
        sentence, _, back = sides(at, id)
        shown = float(plain(own_figures(at)[f"{id}-back"]["note"]).rpartition(": ")[2].rstrip("."))
        assert shown == pytest.approx(np.abs(back - sentence).max(), rel=0.06)
        assert shown > 0.05


@pytest.mark.parametrize("link", [{}, TEXT, {"d_model": "33", "heads": 3, "d_k": "13", "bias": True}], ids=str)
def test_the_table_has_one_cell_in_which_nothing_breaks(link):
    found = differences(linked("order", **link))
    assert found.shape == (2, 2)
    assert found[0, 0] <= near(link) < 1e-9
    assert (found.flatten()[1:] > 0.05).all()


def test_what_would_tell_places_apart_elsewhere_is_left_out_here():
    plain = own_figures(linked("order"))
    other = app("order", mask="window", positions="sinusoidal", last=3, dropout=0.5, painted="AA", preset="notebook")
    assert own_figures(other) == plain
    assert not {"mask", "positions", "dropout", "width", "draw"} & seen(other)
    assert {"heads", "d_k", "scale", "text"} <= seen(other)


def test_a_single_word_has_one_order():
    at = linked("order", text="alone", order_mask="causal", order_positions=True)
    assert (differences(at) == 0).all()


def test_torch_makes_the_drawn_output_of_the_shuffled_sentence():
    shown = computed(preset="random", mask="full")
    layer = nn.MultiheadAttention(16, 4, bias=False, batch_first=True).requires_grad_(False)
    flat = [shown.trace[id].value.transpose(-2, -1).flatten(0, 1) for id in ("w_q", "w_k", "w_v")]
    layer.in_proj_weight.copy_(torch.cat(flat))
    layer.out_proj.weight.copy_(shown.trace["w_o"].value.T)
    figures = own_figures(linked("order"))
    moved = figures["projected-shuffled"]["labels"]["query"]
    assert sorted(moved) == sorted(shown.tokens) != moved
    x = torch.stack([shown.trace["x"].value[0, shown.tokens.index(token)].clone() for token in moved])
    expected, _ = layer(x[None], x[None], x[None])
    np.testing.assert_allclose(decoded(figures["projected-shuffled"]), expected[0].numpy(), rtol=0, atol=1e-5)
