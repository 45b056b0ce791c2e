"""The trained models for tests that need their weights; and a watch over which tests ask for the models at all."""

import functools
import os
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from attention.inputs import trained
from attention.inputs.trained import TrainedModel, files
from benchmarks.visitor import Visitor

# The page of the models, and the lecture whose stops are on it.
PAGE, LECTURE = "models", "real_models"
UNMARKED = "it asks for the trained models, or opens their page: mark it with pytest.mark.models (tests/README.md)"
_asked = False


@cache
def model(name: str) -> TrainedModel:
    """A model, loaded once in a process. Without its files the test is skipped, or fails if they are required."""
    if lack := trained.missing(name):
        pytest.fail(lack) if os.environ.get("REQUIRE_MODELS") else pytest.skip(lack)
    return trained.load(name)


def needed(name: str) -> None:
    """Skip, or fail, a test without the files of a model."""
    model(name)


def hide(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Make the machine look like one without the models."""
    monkeypatch.setenv(trained.FOLDER, str(tmp_path))


def watch() -> None:
    """Note from now on each time that this process asks for a model, and each visit of a server's models page, where
    the server asks."""
    trained.missing = files.missing = _noting(files.missing, lambda name: True)
    Visitor.arrive = _noting(Visitor.arrive, lambda visitor: visitor.link.partition("?")[0] == PAGE)


def look_anew() -> bool:
    """Whether anything has asked for the models since the last call."""
    global _asked
    asked, _asked = _asked, False
    return asked


def note() -> None:
    """Note that something has asked for the models."""
    global _asked
    _asked = True


def judge(item: pytest.Item) -> None:
    """Fail a test that asked without the mark, since .ci/run repeats only marked tests with the models."""
    if look_anew() and item.get_closest_marker("models") is None:
        pytest.fail(UNMARKED)


def mark(items: list[pytest.Item]) -> None:
    """Mark tests that have the page of the models or their lecture as a parameter."""
    for item in items:
        values = getattr(getattr(item, "callspec", None), "params", {}).values()
        if PAGE in values or LECTURE in values:
            item.add_marker(pytest.mark.models)


def _noting(function: Callable[..., Any], asks: Callable[[Any], bool]) -> Callable[..., Any]:
    @functools.wraps(function)
    def noting(first: Any, *rest: Any, **named: Any) -> Any:
        if asks(first):
            note()
        return function(first, *rest, **named)

    return noting
