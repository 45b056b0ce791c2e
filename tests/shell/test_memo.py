"""Runs are computed once, as long as the cache has room for them."""

from dataclasses import replace

import pytest

from pages.shell.runs import preparation
from pages.shell.runs.memo import Memo
from pages.shell.runs.run import run
from pages.shell.state.config import Config


@pytest.fixture
def made():
    return []


def ask(memo, key, weight, made):
    def make():
        made.append(key)
        return f"{key}, {weight} bytes"

    return memo.get(key, make, lambda _: weight)


def test_what_was_made_is_found(made):
    memo = Memo(100)
    assert ask(memo, "a", 30, made) == ask(memo, "a", 30, made) == "a, 30 bytes"
    assert made == ["a"]


def test_what_was_asked_for_longest_ago_goes_first(made):
    memo = Memo(100)
    for key in "abac":
        ask(memo, key, 40, made)
    assert memo.size == 80
    for key in "ab":
        ask(memo, key, 40, made)
    assert made == ["a", "b", "c", "b"]


def test_one_that_is_larger_than_all_room_is_kept_alone(made):
    memo = Memo(100)
    for key, weight in (("a", 40), ("b", 300), ("b", 300), ("a", 40)):
        ask(memo, key, weight, made)
    assert made == ["a", "b", "a"]
    assert memo.size == 40


def test_a_configuration_is_recorded_once():
    config = Config(seed=7919)
    assert run(config) is run(replace(config))
    assert run(config) is not run(replace(config, seed=7907))
    assert run(config) is not run(config, record_mask=True)
    assert run(config, "one two three") is not run(config)


def test_the_layers_that_are_drawn_for_screens_are_bounded_by_their_bytes():
    sizes = {"preset": "random", "text": "a b", "d_model": "512", "heads": 16, "d_k": "256", "d_v": "64"}
    for seed in range(4):
        preparation.prepared(Config(seed=seed, **sizes))
    kept = preparation._memo()
    assert 512 * 16 * (2 * 256 + 2 * 64) * 4 < kept.size <= kept.most
