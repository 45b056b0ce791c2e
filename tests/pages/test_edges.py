"""With one token, or without a difference, a page's texts still agree with its numbers."""

import re

import numpy as np
import pytest

from pages.shell.i18n import say
from tests.pages.test_masks import own_figures
from tests.support.app import app, decoded, markdown, no_exception

ONE = {"preset": "random", "text": "alone"}
FEW = {"preset": "random", "text": "the cat sat on the mat"}


def told(page: str, **parameters) -> tuple:
    at = app(page, **parameters)
    assert no_exception(at)
    return at, "\n".join(markdown.value for markdown in markdown(at))


@pytest.mark.parametrize("link", [ONE, FEW], ids=["one", "few"])
def test_weights_are_called_symmetric_where_they_are(link):
    at, text = told("experiments", **link)
    weights = decoded(own_figures(at)["weights-tied"])
    symmetric = bool(np.abs(weights - weights.T).max() < 1e-6)
    assert symmetric == (link is ONE)
    assert (say("what_if.tied.even") in text) == symmetric
    assert (say("what_if.tied.skew") in text) != symmetric


@pytest.mark.parametrize("link", [ONE, FEW, {**FEW, "last": 2}, {**FEW, "last": 6}], ids=str)
def test_the_corners_are_called_the_same_where_they_are(link):
    at, text = told("masks", **link)
    seen = {
        corner: (~np.isnan(decoded(own_figures(at)[corner]))).sum(axis=1) for corner in ("upper_left", "lower_right")
    }
    same = bool((seen["upper_left"] == seen["lower_right"]).all())
    keys = int(seen["lower_right"][-1])
    assert (say("corners.same", keys=keys) in text) == same
    count = re.search(r"the newest token sees (\d+) of them", text)
    assert same == (count is None)
    assert count is None or int(count[1]) == seen["upper_left"][-1]


@pytest.mark.parametrize(("link", "moves"), [(ONE, False), ({**FEW, "text": "yes yes"}, False), (FEW, True)])
def test_words_that_have_not_moved_are_not_said_to_stand_in_another_order(link, moves):
    at, _ = told("order", **link)
    drawn = own_figures(at)["weights-shuffled"]
    assert (drawn["note"] == say("order.note.shuffled")) == moves
    assert (drawn["note"] == say("order.note.unmoved")) != moves


@pytest.mark.parametrize(
    "link", [{}, {"d_model": "512", "scale": "none", "text": "the cat", "seed": 1}], ids=["plain", "frozen"]
)
def test_a_sum_that_does_not_move_is_not_said_to_tell(link):
    _, text = told("masks", **FEW | link)
    sums = re.search(r"the sum of the row gives it away: (\S+) → (\S+)\.", text)
    cells = next(line for line in text.splitlines() if line.startswith(f"| {say('hidden.way.zero_after')} |")).split(
        "|"
    )
    printed = cells[-4].strip()
    assert (sums is None) or (sums[1] == printed and sums[1] != sums[2])
    assert (sums is None) == bool(link)
