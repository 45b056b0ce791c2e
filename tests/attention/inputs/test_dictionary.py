"""Translations of the grammar: their words, their order, and the word that each word stands for."""

import pytest

from attention.inputs.dictionary import BOTH, FOREIGN, MEANINGS, found, translated
from attention.inputs.grammar import EXAMPLE, NOT_ASKED, VOCABULARY


@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        (EXAMPLE, "hoje a raposa velha traz a coruja à galinha tímida"),
        ("the cat shows the big dog to the bear", "o gato mostra o cão grande ao urso"),
        (
            "then the wise hen leads the red frog to the lazy mouse",
            "depois a galinha sábia leva a rã vermelha ao rato preguiçoso",
        ),
    ],
)
def test_a_sentence_is_said_in_portuguese(english, portuguese):
    """The translations were written by hand."""
    assert " ".join(translated(english.split()).words) == portuguese


def test_adjectives_change_places_with_their_nouns_and_two_words_ask_one():
    both = translated(EXAMPLE.split())
    pairs = [(word, both.words[target]) for word, target in zip(EXAMPLE.split(), both.targets, strict=True)]
    assert ("old", "velha") in pairs
    assert ("fox", "raposa") in pairs
    assert pairs[7:9] == [("to", "à"), ("the", "à")]


@pytest.mark.parametrize("text", [EXAMPLE, "the old cat sends the old frog to the old bear"])
def test_what_stands_for_a_word_is_found_without_the_sentence_that_was_translated(text):
    both = translated(text.split())
    assert found(text.split(), both.words) == both.targets


def test_a_word_finds_itself_and_what_is_not_there_or_not_certain_is_not_found():
    assert found(("the", "fox"), ("the", "Fox")) == (0, 1)
    assert found(("fox", "the", "hen"), ("a", "raposa", "a")) == (1, NOT_ASKED, NOT_ASKED)


def test_a_word_that_the_dictionary_does_not_have_stays():
    assert translated(["the", "whale", "brings", "the", "owl", "to", "the", "hen"]).words[1] == "whale"


def test_a_sentence_outside_the_grammar_is_refused():
    with pytest.raises(ValueError, match="'fox the' is no sentence of the grammar: order"):
        translated(["fox", "the"])


def test_every_word_has_a_meaning_and_no_word_stands_twice_in_the_vocabulary():
    assert set(MEANINGS) == set(VOCABULARY)
    assert len(set(BOTH)) == len(BOTH) == len(VOCABULARY) + len(FOREIGN)


def test_the_word_for_to_the_is_that_of_the_behind_to_wherever_it_stands():
    """Otherwise, an article with the right answer is marked wrong once the words stand in another order."""
    text = ["the", "owl", "to", "the", "hen"]
    assert found(text, ["à", "coruja", "galinha", "a"]) == (3, 1, 0, 0, 2)
    assert found(text, ["galinha", "a", "coruja", "à"]) == (1, 2, 3, 3, 0)
