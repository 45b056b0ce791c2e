"""A slider that is moved redraws its own part and those that depend on it, and never the page.

The test takes longer than a file may: each page runs a few times for each of its sliders.
"""

import pytest

from pages.shell.layout.part import _OFTEN
from tests.support.app import PAGES, another, app, no_exception, seen, widget
from tests.support.covering import EVERY_TEST, some
from tests.support.parts import by_part, part_of, run

# This size is divisible by one more head than the page opens with.
LINK = {"preset": "random", "d_model": "20"}
# The id of the part that is the whole page.
PAGE = ""


@pytest.mark.parametrize("page", PAGES)
def test_a_slider_draws_again_what_depends_on_it_and_nothing_else(page):
    at = app(page, **LINK)
    # The number of heads is on most pages.
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
        drawn = by_part(run(at, part))
        assert no_exception(at)
        assert part in drawn, name
        assert PAGE not in drawn, f"{name} draws the whole page"
        assert by_part(run(at)) == before | drawn, name
