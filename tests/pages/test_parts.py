"""A slider that is moved redraws its own part: what other parts of the page say is still so, or the page is drawn.

Takes longer than a file may: each page is run a few times for each of its sliders."""

import pytest

from pages.shell.layout.part import _OFTEN
from tests.support.app import PAGES, another, app, no_exception, seen, widget
from tests.support.covering import EVERY_TEST, some
from tests.support.parts import by_part, part_of, run

LINK = {"preset": "random", "d_model": "12"}


@pytest.mark.parametrize("page", PAGES)
def test_what_a_part_does_not_redraw_is_as_it_was(page):
    at = app(page, **LINK)
    # How many heads there are is said in most places.
    moved = sorted(seen(at) & _OFTEN)
    for name in moved if EVERY_TEST else {*some(moved, 1), *({"heads"} & set(moved))}:
        at = app(page, **LINK)
        sent = run(at)
        one = widget(at, name)
        if one.disabled:
            continue
        before, part = by_part(sent), part_of(one, sent)
        assert part, f"{name} stands in no part"
        one.set_value(another(name))
        run(at, part)
        assert no_exception(at)
        # The page was drawn: Streamlit was asked for it, because something depends on what was moved.
        if at.title:
            continue
        after = by_part(run(at))
        assert {id: shown for id, shown in after.items() if id != part} == {
            id: shown for id, shown in before.items() if id != part
        }, name
