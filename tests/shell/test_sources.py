"""What a row reads of a source is noted, part by part; what has another value then is a reason to draw it again."""

import gc
from dataclasses import replace

import pytest

from pages.shell.runs.run import Run, computed, run
from pages.shell.runs.sources import Source, one_turn, whole
from pages.shell.state.config import Config
from pages.shell.state.reads import changed, noting

BEFORE = Config(preset="random", text="a b c d e", heads=3, d_model="13", mask="causal", dropout=0.3)


class Screen:
    """A source whose configuration a test sets."""

    def __init__(self) -> None:
        self.config = BEFORE
        self.source = Source(lambda: run(self.config))

    def reads(self, look):
        with noting() as read:
            look(self.source.read())
        return read

    def changes(self, look, **values):
        """Whether what is looked at is another one when controls have other values."""
        read = self.reads(look)
        self.config = replace(BEFORE, **values)
        with one_turn():
            return changed(read)


@pytest.fixture
def screen():
    return Screen()


@pytest.mark.parametrize(
    ("look", "moved", "concerns"),
    [
        (lambda run: run.trace["scores"], {"dropout": 0.5}, False),
        (lambda run: run.trace["scores"], {"seed": 3}, True),
        (lambda run: run.trace["kept"], {"dropout": 0.5}, True),
        (lambda run: "kept" in run.trace, {"dropout": 0.0}, True),
        (lambda run: run.trace.get("kept"), {"dropout": 0.0}, True),
        (lambda run: list(run.trace), {"mask": "full"}, True),
        (lambda run: list(run.trace), {"seed": 3}, False),
        (lambda run: dict(run.trace), {"seed": 3}, True),
        (lambda run: run.trace.sizes["query"], {"seed": 3}, False),
        (lambda run: run.trace.sizes["query"], {"last": 2}, True),
        (lambda run: run.matrix("weights"), {"head": 2}, True),
        (lambda run: run.matrix("weights"), {"scale": "none"}, True),
        (lambda run: run.matrix("weights"), {"dropout": 0.5}, False),
        (lambda run: dict(run.where), {"head": 2}, True),
        (lambda run: dict(run.where), {"scale": "none"}, False),
        (lambda run: run.labels, {"seed": 3}, False),
        (lambda run: run.labels, {"text": "a b c d f"}, True),
        (lambda run: run.head, {"head": 2}, True),
        (lambda run: run.head, {"sentence": 2}, False),
        (lambda run: run.config.scale, {"dropout": 0.5}, False),
        (lambda run: run.config.scale, {"scale": "none"}, True),
        (lambda run: replace(run.config, mask="full"), {"mask": "window"}, False),
        (lambda run: replace(run.config, mask="full"), {"width": 3}, True),
        (lambda run: hash(run.config), {"length": 3}, True),
        (lambda run: run.module.d_k, {"dropout": 0.5, "mode": "inference"}, False),
        (lambda run: run.module.d_k, {"d_k": "7"}, True),
        (whole, {}, False),
        # Another run, whatever it was read for.
        (whole, {"dropout": 0.5}, True),
    ],
)
def test_a_row_is_concerned_by_what_it_read(screen, look, moved, concerns):
    assert screen.changes(look, **moved) is concerns


def test_a_watched_run_is_the_run_to_those_who_read_it(screen):
    plain, watched = run(BEFORE), screen.source.read()
    assert isinstance(watched, Run)
    assert type(replace(watched, focus=2)) is Run
    assert watched.config == plain.config
    assert hash(watched.config) == hash(plain.config)
    assert run(watched.config) is plain
    assert dict(watched.trace) == dict(plain.trace)


def test_the_numbers_that_were_read_do_not_stay_for_the_reader(screen):
    read = screen.reads(lambda run: run.trace["weights"])
    assert not any(isinstance(referent, Run) for kept in read.values() for referent in gc.get_referents(kept))


def test_a_run_that_is_read_as_a_whole_is_the_plain_one(screen):
    plain = run(BEFORE)
    with noting():
        assert whole(screen.source.read()) is whole(plain) is plain


def test_what_was_the_same_is_compared_with_the_run_that_it_was_the_same_in():
    """The first one is forgotten, of which then nothing could be said."""
    held = {"run": computed(BEFORE.complete())}
    source = Source(lambda: held["run"])
    with noting() as read:
        source.read().trace["scores"]
    for p in (0.5, 0.6):
        last, held["run"] = held["run"], computed(replace(BEFORE, dropout=p).complete())
        with one_turn():
            assert not changed(read), p
        del last
        gc.collect()


def test_a_source_is_asked_once_in_a_turn():
    asked = []
    source = Source(lambda: asked.append(1))
    with one_turn():
        source()
        source()
    source()
    assert len(asked) == 2


def test_an_answer_that_is_no_run_is_read_as_a_whole():
    held = {"value": 1}
    source = Source(lambda: held["value"])
    with noting() as read:
        source.read()
    assert not changed(read)
    held["value"] = 2
    assert changed(read)


def test_a_key_speaks_for_an_answer_that_is_dear():
    made = []
    source = Source(lambda: made.append(1), key=lambda: 7)
    with noting() as read:
        source.read()
    assert not changed(read)
    assert len(made) == 1
