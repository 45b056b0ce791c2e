"""The head that changes most, with the words from which it took before and takes now."""

import torch

from pages.shell.views import compare, experiments
from pages.shell.views.turned import turned
from tests.support.app import computed, linked

WORDS = computed().tokens


def test_it_is_the_head_in_which_most_weight_moves_and_nothing_where_its_word_stays():
    before = torch.tensor([[0.9, 0.1, 0.0], [0.2, 0.8, 0.0]])
    after = torch.tensor([[0.6, 0.1, 0.3], [0.1, 0.2, 0.7]])
    found = turned(before, after, "abc", "xyz")
    assert found == {"head": 2, "was": "`b`", "first": "0.80", "now": "`z`", "second": "0.70"}
    assert turned(before[:1], after[:1], "abc", "abc") is None
    # A word with the same name elsewhere is another word, and a row of zeros takes from no word.
    found = turned(before, after, "abb", "abb")
    assert (found["was"], found["now"]) == ("the first `b`", "the second `b`")
    assert turned(before, torch.zeros(2, 3), "abc", "xyz") is None


def texts(view, page, **link) -> str:
    return str(list(view.blocks(linked(page, **link))))


def test_an_intervention_says_in_which_head_a_word_takes_from_another_word():
    assert "head 1 changes most" not in texts(experiments.arcs, "experiments", what_if="importance").lower()
    # For a layer that learned, the text names the words that heads lose instead.
    said = texts(experiments.arcs, "experiments", what_if="sentence", preset="random")
    assert "changes most: " in said
    assert "and now takes" in said


def test_a_and_b_are_told_by_the_weights_that_act():
    """With dropout, the text uses the weights after dropout."""
    told = [
        texts(compare.differ, "compare", mask="causal", dropout=p).partition("changes most: in A, ")
        for p in (0.0, 0.55)
    ]
    assert all(sentence for _, sentence, _ in told)
    assert told[0][2].split(". ")[0] != told[1][2].split(". ")[0]
