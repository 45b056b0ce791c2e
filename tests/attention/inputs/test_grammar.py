"""Drawn sentences and typed sentences ask the same questions."""

import pytest
import torch

from attention.inputs.grammar import (
    ANSWERS,
    CLASSES,
    EXAMPLE,
    LENGTHS,
    NOT_ASKED,
    QUESTIONS,
    VOCABULARY,
    Asked,
    pools,
    read,
    vectors,
)
from tests.support import seeded

POOLS = pools(53, seeded())


def typed(text):
    return read(text.split())


def test_a_sentence_is_read_once_however_it_comes():
    """An answer of the app reads the sentence two dozen times; lists and tuples share the cached result."""
    assert read(EXAMPLE.split()) is read(tuple(EXAMPLE.split()))
    assert read(EXAMPLE.split()[1:]) != read(EXAMPLE.split())


def test_the_example_asks_what_it_says():
    sentence = typed(EXAMPLE)
    said = [(sentence.words[at], QUESTIONS[question], sentence.words[to]) for at, question, to in sentence.asked]
    assert said == [
        ("the", "whose", "fox"),
        ("old", "whose", "fox"),
        ("fox", "like", "old"),
        ("brings", "who", "fox"),
        ("brings", "whom", "owl"),
        ("brings", "to_whom", "hen"),
        ("the", "whose", "owl"),
        ("owl", "like", "the"),
        ("to", "whose", "hen"),
        ("the", "whose", "hen"),
        ("shy", "whose", "hen"),
        ("hen", "like", "shy"),
    ]
    assert sentence.fault == ""
    assert sentence.words[sentence.verb] == "brings"


@pytest.mark.parametrize("pool", POOLS, ids=[str(length) for length in LENGTHS])
def test_a_drawn_sentence_reads_as_a_typed_one(pool):
    for ids, answers, targets in zip(pool.ids, pool.answers, pool.targets, strict=True):
        words = [VOCABULARY[id] for id in ids]
        sentence = read(words)
        assert sentence.fault == ""
        asked = [Asked(place, question, int(targets[place, question])) for place, question in (targets >= 0).nonzero()]
        assert sorted(asked) == sorted(sentence.asked)
        for place, question, target in asked:
            answer = ANSWERS[question][answers[place, question]]
            assert answer == (words[target] if words[target] in ANSWERS[question] else "-")
        assert torch.equal(answers == NOT_ASKED, targets == NOT_ASKED)


def test_all_shapes_and_all_words_are_drawn():
    assert [pool.ids.shape for pool in POOLS] == [(53, length) for length in range(8, 13)]
    assert set(torch.cat([pool.ids.flatten() for pool in POOLS]).tolist()) == set(range(len(VOCABULARY)))
    shapes = {tuple(read([VOCABULARY[id] for id in ids]).classes) for pool in POOLS for ids in pool.ids}
    assert len(shapes) == 2**4


def test_the_generator_decides_what_is_drawn():
    first, again, other = (pools(7, seeded(seed)) for seed in (0, 0, 1))
    assert all(torch.equal(a.ids, b.ids) for a, b in zip(first, again, strict=True))
    assert not all(torch.equal(a.ids, b.ids) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "order"),
        ("the fox brings the owl", "order"),
        ("to the owl the fox brings the hen", "order"),
        ("fox brings the owl to the hen", "order"),
        ("then today the fox brings the owl to the hen", "order"),
        ("the old old fox brings the owl to the hen", "order"),
        ("the fox eats the owl to the hen", "class"),
        ("the fox brings the owl to the fox", "nouns"),
        ("The Fox brings the owl to the hen", ""),
        ("the wizard brings the owl to the hen", ""),
        ("the grim wizard brings the owl to the hen", ""),
    ],
)
def test_what_is_outside_says_why_and_asks_nothing(text, fault):
    sentence = typed(text)
    assert sentence.fault == fault
    assert bool(sentence.asked) == (not fault)


def test_an_unknown_word_has_the_class_of_its_place():
    sentence = typed("slowly the grim wizard brings the tame hen to the troll")
    assert sentence.strange == ("slowly", "grim", "wizard", "tame", "troll")
    by_word = dict(zip(sentence.words, sentence.classes, strict=True))
    assert [by_word[word] for word in sentence.strange] == ["", "adjective", "noun", "adjective", "noun"]


def test_an_unknown_word_has_the_mean_vector_of_its_class():
    words = torch.randn(len(VOCABULARY), 5, generator=seeded())
    x = vectors(typed("the wizard brings the owl to the hen slowly"), words)
    torch.testing.assert_close(x[1], words[: len(CLASSES["noun"])].mean(0))
    torch.testing.assert_close(x[4], words[VOCABULARY.index("owl")], rtol=0, atol=0)
    torch.testing.assert_close(x[8], torch.zeros(5))


def test_no_sentence_is_refused():
    with pytest.raises(ValueError, match="each must be at least 1, got 0"):
        pools(0, seeded())
