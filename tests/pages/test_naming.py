"""The name of a word in a sentence: "from 'the' to 'the'" says nothing if the text has the word twice."""

import pytest

from pages.shell.i18n import LANGUAGES, speaking
from pages.shell.views.naming import named, of_key, of_query, opened
from tests.support.app import computed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_text_has_a_name_of_its_own(language):
    """The names differ beyond the tenth time, too, and for two words that differ only in letters that are cut away."""
    with speaking(language):
        for tokens in (["the", "owl", "the"], ["the"] * 13, ["afternoons", "aftermaths"]):
            names = [named(tokens, at, 5) for at in range(len(tokens))]
            assert len(set(names)) == len(tokens), names


def test_a_word_that_stands_once_is_quoted_and_no_more():
    assert named(["the", "owl", "the"], 1) == "'owl'"
    assert named(["the", "owl", "the"], 2) == "the second 'the'"
    assert opened(f"{named(['the', 'the'], 0)} takes") == "The first 'the' takes"


def test_a_word_that_asks_is_counted_from_the_beginning_of_the_text():
    """With a cache, the first words only answer. Counted among words that ask, the second "the" would be the first."""
    run = computed(preset="random", text="the owl sees the hen", kv_cache="2")
    assert [of_query(run, query) for query in range(2)] == ["the second 'the'", "'hen'"]
    assert of_key(run, 0) == "the first 'the'"
