"""The trained models, for tests that need their weights: CI has them, another machine may not."""

import os
from functools import cache

import pytest

from attention.inputs import trained
from attention.inputs.trained import TrainedModel


@cache
def model(name: str) -> TrainedModel:
    """A model, loaded once a process. Without its files the test is skipped, or fails where they are required."""
    if lack := trained.missing(name):
        pytest.fail(lack) if os.environ.get("REQUIRE_MODELS") else pytest.skip(lack)
    return trained.load(name)


def needed(name: str) -> None:
    """Skip, or fail, a test without the files of a model."""
    model(name)


def hide(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """As on a machine on which nobody has fetched the models."""
    monkeypatch.setenv(trained.FOLDER, str(tmp_path))
