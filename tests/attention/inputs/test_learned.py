"""Settings, packed weights, and the layers that come with the package."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from attention.experiments.learned_weights import SCORES
from attention.experiments.learning import measure
from attention.inputs.grammar import EXAMPLE, VOCABULARY, read
from attention.inputs.learned import FILE, SHIPPED, Learned, Setting, key, nearest, shipped, unpacked
from attention.positions import sinusoidal
from attention.trace import Trace
from tests.support import seeded

ODD = Setting(d_model=7, heads=3, d_k=5, d_v=2, bias=True)


@pytest.mark.parametrize("setting", SHIPPED, ids=key)
def test_shipped_scores_are_those_that_were_stored(setting):
    with np.load(FILE) as file:
        stored = torch.from_numpy(file[SCORES][SHIPPED.index(setting)])
    scores = measure(shipped(setting))
    # The tolerance is one of some 500 questions: processors round differently, and two answers may be equally good.
    torch.testing.assert_close(torch.tensor([scores.accuracy, scores.look]), stored, rtol=0, atol=0.002)


def test_the_file_has_the_shipped_settings_and_no_others():
    with np.load(FILE) as file:
        assert set(file.files) == {SCORES, *map(key, SHIPPED)}
    assert FILE.stat().st_size < 420_000


@pytest.mark.parametrize("setting", [Setting(), ODD, replace(ODD, bias=False)])
def test_numbers_are_counted(setting):
    learned = Learned.drawn(setting, seeded())
    assert setting.numbers == sum(tensor.numel() for tensor in learned.tensors()) == len(learned.packed())


def test_packed_weights_come_back():
    learned = Learned.drawn(ODD, seeded())
    again = unpacked(ODD, learned.packed())
    for before, after in zip(learned.tensors(), again.tensors(), strict=True):
        torch.testing.assert_close(after, before, rtol=1e-3, atol=1e-3)
        assert not after.requires_grad


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="numbers, got"):
        unpacked(ODD, np.zeros(13, dtype=np.float16))
    with pytest.raises(ValueError, match=r"no weights are shipped for Setting\(d_model=7"):
        shipped(ODD)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask": "diagonal"}, "mask"),
        ({"scale": "twice"}, "scale"),
        *(({size: 0}, size) for size in ("d_model", "heads", "d_k", "d_v", "steps")),
        ({"dropout": 1.5}, "dropout"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Setting(**wrong)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        *((setting, setting) for setting in SHIPPED[::11]),
        (Setting(seed=3), Setting()),
        (Setting(heads=16, d_k=5, d_v=5), Setting(heads=8)),
        (Setting(heads=2, d_k=32, d_v=32, scale="none"), Setting(heads=2, d_k=32, d_v=32)),
        (Setting(dropout=0.35, mask="causal"), Setting(mask="causal")),
        (Setting(d_model=61), Setting(d_model=64)),
        (Setting(positions=False, mask="causal", bias=True), Setting(positions=False, mask="causal")),
    ],
)
def test_the_nearest_setting_keeps_sizes_first(wanted, found):
    assert nearest(wanted) == found


def test_a_sentence_goes_in_as_its_words_with_positions():
    learned = shipped(Setting())
    long, short = (
        read(EXAMPLE.split()),
        read(EXAMPLE.replace("today ", "").replace("old ", "").replace("shy ", "").split()),
    )
    ready = learned.prepared((long, short))
    assert ready.inputs.tokens[1][8:] == ("[PAD]",) * 3
    assert ready.inputs.lengths == (11, 8)
    assert ready.focus == 4
    expected = learned.words[[VOCABULARY.index(word) for word in long.words]] + sinusoidal(11, 16)
    torch.testing.assert_close(ready.inputs.x[0], expected)
    without = learned.prepared((short,), positions=False).inputs.x
    torch.testing.assert_close(without + sinusoidal(8, 16), ready.inputs.x[1:, :8])


def test_the_verb_names_all_three_and_heads_share_the_work():
    learned = shipped(Setting())
    sentence = read(EXAMPLE.split())
    ready, trace = learned.prepared((sentence,)), Trace()
    answers = learned.logits(ready.module(ready.inputs.x, trace=trace))[0, sentence.verb].argmax(-1)
    assert [VOCABULARY[int(answer)] for answer in answers[:3]] == ["fox", "owl", "hen"]
    largest = trace["weights"].value[0, :, sentence.verb].argmax(-1)
    assert {sentence.words[int(key)] for key in largest} == {"fox", "owl", "hen"}
