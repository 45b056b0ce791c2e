"""A mask is a predicate on positions; its grid, its drawing and torch's agree."""

import ast
import itertools
import re

import pytest
import torch

from attention import MASKS, grid
from attention.masks import CORNERS, Mask, flipped, padding, position, verdicts
from tests.support import EXACT, grid_of, refused
from tests.support.covering import cases
from tests.support.patterns import EVERY_MASK, REFERENCES

SIZES = [(1, 1), (3, 3), (3, 7), (7, 3), (1, 5), (5, 1)]


@pytest.mark.parametrize(("name", "size", "corner", "number"), cases([*MASKS], SIZES, CORNERS, [1, 2, 5]), ids=str)
def test_a_grid_is_its_predicate_at_every_position(name, size, corner, number):
    queries, keys = size
    shift = keys - queries if corner == "lower_right" else 0
    parameters = dict.fromkeys(MASKS[name].parameters, number)
    cells = [[REFERENCES[name](i + shift, j, **parameters) for j in range(keys)] for i in range(queries)]
    assert grid(name, queries, keys, corner=corner, **parameters).tolist() == cells


@pytest.mark.parametrize(("name", "size", "corner"), cases([*MASKS], SIZES, CORNERS), ids=str)
def test_every_mask_has_a_boolean_grid_of_queries_by_keys(name, size, corner):
    queries, keys = size
    mask = grid_of(name, queries, keys, corner)
    assert mask.dtype == torch.bool
    assert mask.shape == (queries, keys)


@pytest.mark.parametrize("name", EVERY_MASK)
def test_the_registry_knows_a_mask_by_its_own_name(name):
    assert EVERY_MASK[name].name == name


@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_the_corners_of_the_causal_mask_are_those_of_torch(queries, keys):
    ones = torch.ones(queries, keys, dtype=torch.bool)
    torch.testing.assert_close(grid("causal", queries, keys), ones.tril(), **EXACT)
    torch.testing.assert_close(
        grid("causal", queries, keys, corner="lower_right"), ones.tril(diagonal=keys - queries), **EXACT
    )


def drawings(mask: Mask) -> list[tuple[str, dict[str, int], list[list[bool]]]]:
    """(corner, parameters, cells) of each matrix in the docstring; side by side they stand under their corners."""
    text = mask.predicate.__doc__ or ""
    lines = [re.split(r"\s{3,}", line.strip()) for line in text.splitlines() if re.search("[■·]", line)]
    corners = re.findall("|".join(CORNERS), text) or ["upper_left"]
    found = re.findall(r"(\w+)\s+(\([-\d, ]+\)|\d+)(?=[,:.])", text)
    parameters = {name: ast.literal_eval(number) for name, number in found if name in mask.parameters}
    cells = [[[cell == "■" for cell in line[n].split()] for line in lines] for n in range(len(corners))]
    return [(corner, parameters, cell) for corner, cell in zip(corners, cells, strict=True)]


@pytest.mark.parametrize("name", [name for name in EVERY_MASK if "&" not in name and "|" not in name])
def test_the_drawing_in_the_docstring_is_the_grid(name):
    assert drawings(EVERY_MASK[name])
    for corner, parameters, cells in drawings(EVERY_MASK[name]):
        assert cells == grid(name, 3, 4, corner=corner, **parameters).tolist()


def test_the_causal_mask_is_drawn_at_both_corners():
    assert tuple(corner for corner, _, _ in drawings(MASKS["causal"])) == CORNERS


def test_and_lets_through_what_both_do():
    both = MASKS["window"] & MASKS["prefix"]
    expected = grid("window", 5, 7, width=2) & grid("prefix", 5, 7, length=3)
    torch.testing.assert_close(grid(both, 5, 7, width=2, length=3), expected, **EXACT)
    assert both.name == "window & prefix"
    assert both.parameters == ("width", "length")


def test_or_lets_through_what_either_does():
    either = MASKS["window"] | MASKS["prefix"]
    expected = grid("window", 5, 7, width=2) | grid("prefix", 5, 7, length=3)
    torch.testing.assert_close(grid(either, 5, 7, width=2, length=3), expected, **EXACT)
    assert either.name == "window | prefix"


def test_masks_that_are_combined_share_a_parameter_of_one_name():
    twice = MASKS["window"] & MASKS["causal & window"]
    assert twice.parameters == ("width",)
    torch.testing.assert_close(grid(twice, 5, 7, width=3), grid("causal & window", 5, 7, width=3), **EXACT)


def test_combinations_that_differ_have_names_that_differ():
    full, causal, window = MASKS["full"], MASKS["causal"], MASKS["window"]
    first, second = (full | causal) & window, full | (causal & window)
    assert not grid(first, 3, 7, width=1).equal(grid(second, 3, 7, width=1))
    assert first.name != second.name


def test_a_predicate_that_looks_at_the_keys_only_has_a_whole_grid():
    first = Mask("first", lambda i, j: j < 1, ())
    assert grid(first, 2, 3).tolist() == [[True, False, False], [True, False, False]]


@pytest.mark.parametrize(
    ("arguments", "parameters", "text"),
    [
        (("foo", 3, 4), {}, f"unknown mask 'foo'; one of {', '.join(EVERY_MASK)}"),
        (("causal", 0, 4), {}, "queries must be at least 1, got 0"),
        (("causal", 3, -1), {}, "keys must be at least 1, got -1"),
        (("causal", 3, 4), {"corner": "top"}, "unknown corner 'top'; one of upper_left, lower_right"),
        (("window", 3, 4), {}, "mask 'window' takes width; got none"),
        (("causal", 3, 4), {"width": 2}, "mask 'causal' takes no parameter; got width"),
        (("prefix", 3, 4), {"width": 2, "size": 3}, "mask 'prefix' takes length; got width, size"),
        (("window", 3, 4), {"width": 0}, "width of mask 'window' must be at least 1, got 0"),
        (("prefix", 3, 4), {"length": -1}, "length of mask 'prefix' must be at least 0, got -1"),
        (
            (MASKS["window"] | MASKS["prefix"], 3, 4),
            {"width": 2},
            "mask 'window | prefix' takes width, length; got width",
        ),
    ],
)
def test_what_does_not_describe_a_grid_is_refused(arguments, parameters, text):
    with refused(text):
        grid(*arguments, **parameters)


def test_a_prefix_of_no_keys_is_causal():
    torch.testing.assert_close(grid("prefix", 5, 7, length=0), grid("causal", 5, 7), **EXACT)


def test_padding_hides_the_keys_beyond_each_length():
    mask = padding([3, 0, 2], 3)
    assert mask.shape == (3, 1, 1, 3)
    assert mask.flatten(1).tolist() == [[True, True, True], [False, False, False], [True, True, False]]


@pytest.mark.parametrize("lengths", [[2, 4], [-1, 3]])
def test_a_length_that_the_keys_do_not_have_is_refused(lengths):
    with refused(f"lengths must lie between 0 and keys = 3, got {lengths}"):
        padding(lengths, 3)


def test_flipped_cells_are_the_other_way_round_and_no_others():
    mask = grid("causal", 3, 5)
    changed = flipped(mask, [(0, 4), (2, 0), (1, 1), (1, 1)])
    assert (changed ^ mask).nonzero().tolist() == [[0, 4], [2, 0]]
    assert torch.equal(mask, grid("causal", 3, 5))


def test_a_flip_reaches_every_leading_axis():
    changed = flipped(grid("full", 3, 5).expand(2, 7, 3, 5), [(1, 4)])
    assert (~changed).nonzero()[:, 2:].tolist() == [[1, 4]] * 14


@pytest.mark.parametrize("cell", [(3, 0), (0, 5), (-1, 0), (0, -1)])
def test_a_flip_outside_of_the_mask_is_refused(cell):
    with refused(f"cell {cell} lies outside of 3 queries and 5 keys"):
        flipped(grid("full", 3, 5), [cell])


def test_only_boolean_masks_are_flipped():
    with refused("mask must be bool, got float32"):
        flipped(torch.zeros(3, 5), [])


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("name", MASKS)
def test_the_parts_of_a_mask_say_what_they_say_alone(name, corner):
    queries, keys, numbers = 5, 7, dict.fromkeys(MASKS[name].parameters, 2)
    for row, j in itertools.product(range(queries), range(keys)):
        i = position(row, queries, keys, corner)
        said = verdicts(name, i, j, **numbers)
        assert set(said) == set(name.split(" & "))
        for part, allows in said.items():
            assert allows == REFERENCES[part](i, j, **{each: numbers[each] for each in MASKS[part].parameters})
        assert all(said.values()) == grid(name, queries, keys, corner=corner, **numbers)[row, j]


def test_a_mask_of_masks_has_each_part_once():
    nested = (MASKS["causal & window"] | MASKS["prefix"]) & MASKS["causal"]
    assert [part.name for part in nested.parts] == ["causal", "window", "prefix"]
    assert verdicts(nested, 3, 1, width=2, length=1) == {"causal": True, "window": False, "prefix": True}
    with refused("mask 'window' takes width; got none"):
        verdicts("window", 3, 1)
