"""The layers that learned the dictionary, as they come with the package."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from attention.experiments.learned_weights import SCORES
from attention.experiments.translation import measure
from attention.inputs.dictionary import BOTH
from attention.inputs.learned import Setting, key
from attention.inputs.tokens import PAD
from attention.inputs.translating import FILE, SHIPPED, Translator, shipped, unpacked
from attention.positions import sinusoidal
from tests.support import seeded

ODD = Setting(d_model=7, heads=3, d_k=5, d_v=2)


@pytest.mark.parametrize("setting", SHIPPED, ids=key)
def test_shipped_scores_are_those_that_were_stored(setting):
    with np.load(FILE) as file:
        stored = torch.from_numpy(file[SCORES][SHIPPED.index(setting)])
    scores = measure(shipped(setting))
    # The tolerance is one of some 250 words: processors round differently, and two answers may be equally good.
    torch.testing.assert_close(torch.tensor([scores.accuracy, scores.found]), stored, rtol=0, atol=0.004)


def test_the_file_has_the_shipped_settings_and_no_others():
    with np.load(FILE) as file:
        assert set(file.files) == {SCORES, *map(key, SHIPPED)}
    assert FILE.stat().st_size < 100_000


def test_packed_weights_come_back():
    layer = Translator.drawn(ODD, seeded())
    again = unpacked(ODD, layer.packed())
    for before, after in zip(layer.tensors(), again.tensors(), strict=True):
        torch.testing.assert_close(after, before, rtol=1e-3, atol=1e-3)


def test_a_layer_has_the_sizes_and_the_dropout_of_its_setting():
    module = Translator.drawn(replace(ODD, dropout=0.25), seeded()).module
    assert (module.d_model, module.heads, module.d_k, module.d_v, module.dropout) == (7, 3, 5, 2, 0.25)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="numbers, got"):
        unpacked(ODD, np.zeros(13, dtype=np.float16))
    with pytest.raises(ValueError, match=r"no weights are shipped for Setting\(d_model=7"):
        shipped(ODD)


def test_a_word_has_its_vector_and_its_place_in_either_language_and_a_strange_word_its_place_alone():
    layer = Translator.drawn(ODD, seeded())
    made = layer.inputs([("Fox", "raposa", "whale"), ("hen",)])
    places = sinusoidal(3, 7)
    expected = [layer.words[BOTH.index("fox")], layer.words[BOTH.index("raposa")], torch.zeros(7)]
    torch.testing.assert_close(made.x[0], torch.stack(expected) + places)
    torch.testing.assert_close(layer.inputs([("whale",)], positions=False).x, torch.zeros(1, 1, 7))
    assert (made.tokens[1], made.lengths) == (("hen", PAD, PAD), (3, 1))
