"""Training on the dictionary: the questions to a layer, and scores within their ranges."""

from collections import Counter
from dataclasses import replace

import pytest
import torch

from attention.experiments.translation import KINDS, measure, pairs, trained
from attention.inputs.dictionary import BOTH, MEANINGS
from attention.inputs.grammar import CLASSES, VOCABULARY
from attention.inputs.learned import Setting
from tests.support import seeded


def test_every_answer_means_what_was_asked():
    for pool in pairs(7, seeded(), mixed=False):
        for words, answers in zip(pool.ids.tolist(), pool.answers.tolist(), strict=True):
            for word, answer in zip(words, answers, strict=True):
                assert BOTH[answer] in MEANINGS[VOCABULARY[word]]


def test_of_a_mixed_sentence_about_half_of_the_words_are_english_and_stand_where_their_translation_stood():
    english = words = 0
    for plain, mixed in zip(pairs(53, seeded(), False), pairs(53, seeded(), True), strict=True):
        assert mixed.contexts.shape == plain.contexts.shape
        for asked, answers in zip(mixed.ids.tolist(), mixed.answers.tolist(), strict=True):
            for word, answer in zip(asked, answers, strict=True):
                assert BOTH[answer] in (VOCABULARY[word], *MEANINGS[VOCABULARY[word]])
                english += answer < len(VOCABULARY)
                words += 1
    # Two of ten words ask for a word that stays Portuguese, and half of the others' answers are English.
    assert 0.35 < english / words < 0.45


def test_a_short_training_learns_more_than_a_guess_and_another_seed_is_another_layer():
    first, again, other = (trained(Setting(steps=150, seed=seed)) for seed in (0, 0, 1))
    assert torch.equal(first.words, again.words)
    assert not torch.equal(first.words, other.words)
    scores = measure(first)
    assert len(scores.accuracy) == len(scores.found) == len(KINDS)
    assert 0.3 < scores.mean < 1
    assert scores.words == 5000
    kinds = [next(kind for kind, of in CLASSES.items() if word in of) for word in VOCABULARY]
    asked = Counter(kinds[id] for pool in pairs(100, seeded(2), False) for id in pool.ids.flatten().tolist())
    right = sum(share * asked[kind] for kind, share in zip(KINDS, scores.accuracy, strict=True))
    assert right / 5000 == pytest.approx(scores.mean)
    assert all(0 <= share <= 1 for share in scores.accuracy + scores.found)


def test_what_a_seed_decides_does_not_depend_on_who_else_draws():
    """The draws of dropout depend on the seed alone, too."""
    setting, before = Setting(d_model=7, heads=3, d_k=2, d_v=5, dropout=0.3, steps=3), torch.get_rng_state()
    first, again, other = (trained(replace(setting, seed=seed)) for seed in (11, 11, 13))
    assert torch.equal(before, torch.get_rng_state())
    for one, two, three in zip(first.tensors(), again.tensors(), other.tensors(), strict=True):
        assert torch.equal(one, two)
        assert not torch.equal(one, three)
