"""The differences between two screens: the controls that have an effect there."""

import pytest

from attention.inputs.grammar import EXAMPLE
from pages.shell.runs.differences import differing
from pages.shell.runs.run import run
from pages.shell.state.config import Config
from tests.pages.test_compare import SCREEN, STORY


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (
            STORY,
            STORY | {"d_model": "64", "text": "unseen", "heads": 7, "width": 9, "mode": "inference", "seed": 5},
            {},
        ),
        (STORY | {"d_k": "4"}, {"preset": "random"}, None),
        ({}, {"text": EXAMPLE, "mask": "full", "positions": "sinusoidal", "width": 9, "mode": "inference"}, {}),
        ({}, {"mask": "causal", "heads_off": "2"}, {"mask": ("full", "causal"), "heads_off": ("", "2")}),
        (SCREEN | {"d_model": "12", "d_k": "auto"}, SCREEN | {"d_model": "12", "d_k": "4"}, {}),
        (SCREEN, SCREEN | {"mask": "window"}, {"mask": ("full", "window")}),
        (SCREEN | {"width": 3}, SCREEN | {"mask": "window"}, {"mask": ("full", "window"), "width": (None, "2")}),
        (SCREEN, SCREEN | {"last": 7, "corner": "lower_right"}, {}),
        (SCREEN, SCREEN | {"last": 2, "corner": "lower_right"}, {"last": ("0", "2")}),
        (
            SCREEN | {"mask": "causal"},
            SCREEN | {"mask": "causal", "last": 2, "corner": "lower_right"},
            {"last": ("0", "2"), "corner": (None, "lower_right")},
        ),
        (SCREEN, SCREEN | {"head": 9, "sentence": 8}, {"head": ("1", "3"), "sentence": ("1", "2")}),
        (SCREEN, SCREEN | {"dropout": 0.5, "mode": "inference"}, {}),
        ({"dropout": 0.5, "mode": "inference"}, {"dropout": 0.5}, {"mode": ("inference", "training")}),
        (STORY, STORY | {"dropout": 0.5, "seed": 4}, {"seed": (None, "4"), "dropout": ("0.0", "0.5")}),
        ({"preset": "notebook"}, {"preset": "notebook", "positions": "none", "padding": False}, {}),
        (STORY, STORY | {"positions": "rotary", "sink": "1"}, {}),
        # With an odd d_k, no features turn.
        (SCREEN, SCREEN | {"positions": "rotary"}, {}),
        (SCREEN, SCREEN | {"positions": "alibi", "sink": "0"}, {"positions": ("none", "alibi"), "sink": ("off", "0")}),
    ],
    ids=str,
)
def test_what_differs_is_what_has_an_effect(a, b, expected):
    found = differing(run(Config(**a)), run(Config(**b)))
    if expected is None:
        expected = {"preset": ("story", "random"), "positions": ("preset", "none"), "d_model": ("14", "16")}
        expected |= {"heads": ("1", "4"), "d_k": ("9", "4"), "d_v": ("3", "4"), "d_out": ("14", "16")}
    assert found == expected
