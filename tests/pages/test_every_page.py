"""Every page, found in its folder, runs on every kind of screen, and leaves shared state as it was."""

from itertools import chain

import pytest
import streamlit as st
import torch
from numpy.testing import assert_allclose

from attention.inputs.presets import STORY
from pages.shell.layout.menu import CONTENTS
from pages.shell.state.config import KNOBS
from tests.support.app import HOME, PAGES, app, blocks, computed, figures, no_exception
from tests.support.covering import EXHAUSTIVE
from tests.support.screens import LINKS

pytestmark = pytest.mark.usefixtures("one_step_a_run")


def test_the_frame_knows_every_page_and_no_other(monkeypatch):
    given = []
    navigation = st.navigation
    monkeypatch.setattr(
        st, "navigation", lambda menu, **options: given.extend(chain(*menu.values())) or navigation(menu, **options)
    )
    no_exception(app())
    # The contents are no page about attention, and have no file of their own.
    files = [page for page in given if page.url_path != CONTENTS]
    assert len(files) == len(given) - 1
    assert sorted(page._page.stem for page in files) == PAGES
    assert [page._page.stem for page in files if page._default] == [HOME]


# The other pages read the same record and draw fewer figures of it, so they run once on each kind of screen.
KINDS = [
    "default",
    "story",
    "notebook",
    "every step",
    "rows that see nothing",
    "painted",
    "typed over",
    "heads that do not divide",
    "more heads than features",
    "a single token",
    "no token",
    "large",
    "too many",
]


@pytest.mark.parametrize(
    ("page", "link"),
    [
        (page, link)
        for turn, page in enumerate(PAGES)
        for place, link in enumerate(LINKS if page == HOME else KINDS)
        # Without EXHAUSTIVE=2, each of the other pages runs on two kinds of screen in turn, so each kind meets two or
        # three pages; test_links.py and test_hostile.py also open any page on any kind of screen.
        if EXHAUSTIVE or page == HOME or (turn + place) % 7 == 0
    ],
)
def test_a_page_runs(page, link):
    at = app(page, **LINKS[link])
    assert no_exception(at)
    assert at.title or at.header or at.subheader
    assert blocks(at)


def test_numbers_do_not_depend_on_who_asked_before():
    first = figures(app(HOME, preset="random", dropout=0.3))
    for link in ({"preset": "notebook"}, {"preset": "random", "seed": 9, "dropout": 0.5}, {"positions": "sinusoidal"}):
        app(HOME, **link)
    again = figures(app(HOME, preset="random", dropout=0.3))
    for id, sent in first.items():
        assert_allclose(again[id].z, sent.z, rtol=1e-4, atol=1e-6, err_msg=id)


def test_running_a_page_leaves_the_shared_generator_alone():
    before = torch.get_rng_state()
    app(HOME, preset="random", dropout=0.3, bias=True)
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)


def test_the_story_is_the_text_of_the_random_preset_too():
    assert [" ".join(sentence) for sentence in computed(preset="random").inputs.tokens] == [STORY]


@pytest.mark.parametrize("name", KNOBS)
def test_the_sweep_of_links_touches_every_control(name):
    # `device` has one value on most machines; only Backward reads `updates`, and only Dropout reads `trained_p`; `seed`
    # is one of the numbers above.
    assert name in ("device", "updates", "trained_p") or any(name in link for link in LINKS.values())
