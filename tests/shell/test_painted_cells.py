"""Painted cells as a text: one text for each set of cells, and anything else becomes one."""

import itertools
from random import Random

import pytest

from pages.shell.state.painted_cells import SIZE, cells, text
from tests.support import refused


def test_any_set_of_cells_comes_back_from_its_text():
    square = list(itertools.product(range(SIZE), repeat=2))
    for count in (0, 1, 2, 13, SIZE**2):
        chosen = tuple(sorted(Random(count).sample(square, count)))
        assert cells(text(chosen)) == chosen
        assert len(text(chosen)) == 2 * count


def test_a_link_of_today_means_the_same_tomorrow():
    assert cells("ADBAZz_-") == ((0, 3), (1, 0), (25, 51), (63, 62))


def test_a_cell_that_is_painted_twice_is_not_painted():
    assert cells("ABCDAB") == ((2, 3),)


@pytest.mark.parametrize("raw", ["A", "A ", "é1", "+/", "A=", "\ud800A"])
def test_what_means_nothing_is_no_cell(raw):
    assert cells(raw) == ()


@pytest.mark.parametrize("cell", [(-1, 0), (0, SIZE)])
def test_a_cell_beyond_the_square_is_refused(cell):
    with refused(f"positions must lie between 0 and 63, got {cell}"):
        text((cell,))
