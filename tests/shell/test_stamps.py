"""The stamp of a figure, by which the browser knows whether to redraw it."""

from dataclasses import replace

from pages.shell.component.switched_rows import Guess, Switch, SwitchedRows

_ROWS = SwitchedRows(
    "rows",
    "title",
    "text",
    "note",
    ("fox", "owl"),
    0,
    [],
    ["looks at 'owl'"],
    ["head 1"],
    [{"head": "1"}],
    [Switch(True, {"off": "1"}, "head 1", 0.5, "0.50")],
    [Guess({"guess": "1"})],
    0.75,
)


def test_a_switch_a_guess_and_what_was_there_before_are_in_the_stamp():
    """Two figures with the same words may be drawn differently."""
    off = replace(_ROWS, switches=[Switch(False, {"off": ""}, "head 1", 0.5, "0.50")])
    told = replace(_ROWS, guesses=[Guess(None, "right")])
    before = replace(_ROWS, before=0.5)
    assert off.sent()["labels"] == _ROWS.sent()["labels"]
    assert len({one.sent()["stamp"] for one in (_ROWS, off, told, before)}) == 4
