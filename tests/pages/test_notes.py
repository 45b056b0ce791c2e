"""The sentence under a figure claims only what the figure shows."""

import re

import numpy as np
import pytest

from pages.shell.i18n import say
from pages.shell.state.config import Config
from tests.support.app import computed, figures, linked
from tests.support.numbers import plain

RANDOM, STORY = {"preset": "random"}, {"preset": "story"}


def note(at, id: str) -> str:
    return figures(at)[id].rest["note"]


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", plain(text))]


def test_the_story_is_told_in_a_sentence():
    said = note(linked(**STORY), "weights")
    assert "creature" in said
    assert re.search(r"0?\.50 on .fluffy.", said)
    assert re.search(r"0?\.50 on .blue.", said)


SAID = [
    {},
    STORY,
    STORY | {"mask": "full", "positions": "none"},
    {"preset": "notebook"},
    RANDOM | {"text": "a b\nc d e f g", "sentence": 2, "last": 3},
    RANDOM | {"text": " ".join(map(str, range(23))), "dropout": 0.3, "mask": "full"},
]


@pytest.mark.parametrize("link", SAID, ids=str)
def test_every_weight_in_the_sentence_is_in_the_figure(link):
    at, shown = linked(**link), computed(**link)
    weights, keys = np.nan_to_num(figures(at)["weights"].z), shown.tokens
    told = re.findall(r"(0?\.\d\d|1\.00) on .(.+?)[’'\"]", note(at, "weights"))
    assert told
    query = re.search(r"[‘'\"](.+?)[’'\"]", note(at, "weights"))[1]
    rows = [row for row, token in zip(weights, keys[-len(weights) :], strict=True) if token == query]
    assert any({(f"{row[keys.index(key)]:.2f}", key) for _, key in told} == set(told) for row in rows)


def test_where_the_word_of_the_preset_asks_nothing_the_sentence_is_about_the_last_word():
    link = STORY | {"last": 2, "mask": "full"}
    assert "creature" not in computed(**link).labels["query"]
    assert re.search(r"[‘'\"](.+?)[’'\"]", note(linked(**link), "weights"))[1] == "forest"


@pytest.mark.parametrize("link", SAID, ids=str)
def test_every_spread_in_a_sentence_is_that_of_the_figure(link):
    """The spread is over the pairs that the mask allows, as in the measured numbers beside it."""
    shown, run = figures(linked(**link)), computed(**link)
    before, after = numbers(shown["scaled"].rest["note"])[-2:]
    seen = run.matrix("mask").numpy() if "mask" in run.trace else np.full(shown["scaled"].z.shape, True)
    found = [shown[id].z[seen].std() for id in ("scores", "scaled")]
    np.testing.assert_allclose((before, after), found, rtol=0, atol=0.0051)


@pytest.mark.parametrize("link", [{}, {"mask": "full"}, {"positions": "none"}, {"scale": "none"}], ids=str)
def test_the_output_of_the_story_is_read_by_the_names_of_its_features(link):
    link = STORY | link
    shown, sent = computed(**link), figures(linked(**link))["projected"]
    row = sent.z[shown.focus]
    told = re.findall(r"([½¼¾⅓⅔]|\d\.\d\d) (\w+)", sent.rest["note"].partition(": ")[2])
    values = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
    assert sent.rest["note"].startswith("creature: ")
    named = dict(zip(shown.labels["out"], row.tolist(), strict=True))
    assert [name for _, name in told] == [name for name, value in named.items() if value >= 0.1]
    for value, name in told:
        assert values.get(value) or float(value) == pytest.approx(named[name], abs=0.0051)


def test_the_story_says_what_its_creature_is():
    assert figures(linked(**STORY))["projected"].rest["note"] == "creature: ½ fluffy, ½ blue"


@pytest.mark.parametrize("link", [{}, RANDOM], ids=str)
def test_features_without_names_are_not_read(link):
    assert figures(linked(**link))["projected"].rest["note"] == ""


@pytest.mark.parametrize("preset", Config.knobs()["preset"].options)
def test_the_weight_matrices_say_where_they_are_from(preset):
    # Without an open file, the preset of files shows the layer that learned.
    origin = "learned" if preset == "file" else preset
    assert figures(linked(preset=preset))["w_q"].rest["note"] == say(f"note.origin.{origin}")


def test_sinusoidal_positions_in_the_story_are_explained():
    told = say("note.story_sinusoidal")
    assert told in computed(**STORY, positions="sinusoidal").notes
    assert not computed(**STORY).notes
    for preset in ("learned", "random"):
        assert told not in computed(preset=preset, positions="sinusoidal").notes
    # The note is true: the word no longer finds the adjectives before its noun.
    before, after = (
        computed(**STORY, positions=one).matrix("weights")[3, 1:3].sum() for one in ("preset", "sinusoidal")
    )
    assert before > 0.99
    assert after < 0.6


def test_the_hidden_pairs_are_counted():
    at = linked(**RANDOM, text="a b c d e\nf g", sentence=2, mask="window", width=1)
    hidden = figures(at)["mask"].z == 0
    told = numbers(note(at, "mask"))
    assert told[:2] == [hidden.sum(), hidden.size]
    assert told[2] == hidden.all(-1).sum() == 3


@pytest.mark.parametrize("link", [{}, STORY], ids=str)
def test_the_dropped_weights_are_counted(link):
    at = linked(dropout=0.3, **link)
    kept = figures(at)["kept"].z
    seen = figures(at)["mask"].z == 1 if link else np.ones_like(kept, dtype=bool)
    p, dropped, pairs = numbers(note(at, "kept"))[:3]
    assert (p, dropped, pairs) == (0.3, ((kept == 0) & seen).sum(), seen.sum())


def test_the_scaled_scores_say_by_what_they_were_divided():
    at = linked(**RANDOM, d_model=36, heads=4)
    assert {9.0, 3.0} <= set(numbers(note(at, "scaled")))
    for scale, by in (("d_k", 9.0), ("sqrt_d_model", 6.0)):
        assert by in numbers(note(linked(**RANDOM, d_model=36, heads=4, scale=scale), "scaled"))
