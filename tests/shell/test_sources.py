"""What a row reads of a run is what it depends on."""

from dataclasses import replace

import pytest

from pages.shell.runs import sources
from pages.shell.runs.run import run
from pages.shell.state.config import Config
from pages.shell.state.reads import changed, noting

LINK = {"preset": "random", "text": "one two three\nfour five six seven eight", "heads": "3", "d_model": "33"}
BEFORE = Config.of(LINK | {"dropout": "0.3"})


class Screen:
    """A source whose answer can be exchanged."""

    def __init__(self):
        self.config = BEFORE
        self.source = sources.Source(lambda: run(self.config))


def reads_matrix(shown):
    shown.matrix("weights")


def reads_where(shown):
    dict(shown.where)


@pytest.mark.parametrize(
    ("read", "move", "concerned"),
    [
        (reads_matrix, {"head": 2}, True),
        (reads_matrix, {"sentence": 2}, True),
        (reads_matrix, {"scale": "none"}, True),
        (reads_matrix, {"dropout": 0.5}, False),
        (reads_where, {"head": 2}, True),
        (reads_where, {"scale": "none"}, False),
    ],
)
def test_a_matrix_notes_its_step_the_sentence_and_the_head(read, move, concerned):
    screen = Screen()
    with noting() as noted:
        read(screen.source.read())
    assert not changed(noted)
    # The memo is what keeps the run that was read.
    held = run(BEFORE)
    screen.config = replace(BEFORE, **move)
    assert bool(changed(noted)) == concerned
    assert held.matrix("weights").shape == (held.trace.sizes["query"], held.trace.sizes["key"])
