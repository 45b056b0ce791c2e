"""A file is put into the page by hand, and a tile of its weights leads to where they can be read."""

import numpy as np
import pytest
import torch

from attention import Trace, grid, scaled_dot_product_attention
from pages.shell.runs import long_text
from pages.shell.state.config import FILE
from pages.shell.state.page_controls import Walkthrough
from tests.support import drawn
from tests.support.app import HOME, linked

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast("test_a_file_is_uploaded_and_a_click_on_a_tile_brings_its_part"),
]

# Tiles of 3 × 3 weights.
N, TILE = 331, 3


def recorded(n: int) -> Trace:
    trace = Trace()
    q, k, v = drawn((1, 2, n, 5), (1, 2, n, 5), (1, 2, n, 7), dtype=torch.float32)
    scaled_dot_product_attention(2 * q, k, v, mask="causal", trace=trace)
    return trace


def zoomed(screen) -> np.ndarray:
    """The numbers of the enlarged part."""
    return screen.numbers(screen.see("zoomed"))


def weights(trace: Trace, row: int, column: int) -> np.ndarray:
    """The weights around the middle of a tile, indexed from 0; NaN for weights that the mask hides."""
    side = int(Walkthrough.zoom)
    top, left = (TILE * at + TILE // 2 - side // 2 for at in (row, column))
    part = trace["weights"].value[0, 0, top : top + side, left : left + side]
    seen = grid("causal", N, N)[top : top + side, left : left + side]
    return part.masked_fill(~seen, torch.nan).numpy()


def click_a_tile(screen, row: int, column: int) -> None:
    card = screen.see("tiles")
    card.evaluate("(card) => card.scrollIntoView({ block: 'center' })")
    screen.settle()
    screen.click(card, row, column)
    screen.until_parameter("zoom_row", str(row + 1)).until_parameter("zoom_column", str(column + 1))


@pytest.mark.slow
def test_a_file_is_uploaded_and_a_click_on_a_tile_brings_its_part(screen, tmp_path):
    trace = recorded(N)
    trace.save(tmp_path / "mine.npz", brief=True, tokens=[f"w{at}" for at in range(N)])
    screen.open(preset=FILE)
    screen.open_panel("more")
    screen.page.locator("[class*=st-key-open-file] input[type=file]").set_input_files(tmp_path / "mine.npz")
    screen.until("() => new URLSearchParams(location.search).get('tensors')").until_parameter("mask", "causal")
    screen.page.keyboard.press("Escape")
    click_a_tile(screen, 70, 67)
    np.testing.assert_allclose(zoomed(screen), weights(trace, 70, 67), rtol=1e-4, atol=1e-6)


def test_a_typed_paragraph_has_tiles_as_a_file_has_them(screen):
    text = " ".join(f"w{at}" for at in range(N))
    screen.open(preset="random", mask="causal", text=text)
    click_a_tile(screen, 90, 60)
    whole = long_text.whole(linked(HOME, preset="random", mask="causal", text=text).run).trace
    expected = weights(whole, 90, 60)
    np.testing.assert_allclose(zoomed(screen), expected, rtol=1e-4, atol=1e-6)
