"""Links that mean harm: the nearest screen, a note about the changes, and no exception.

All of them are settled; a few for each page go through the whole page, which takes the time.
"""

import threading
from urllib.parse import urlencode

import pytest
from hypothesis import given
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from attention.inputs.trained import MODELS, missing
from pages.shell.runs import preparation
from pages.shell.runs import run as runs
from pages.shell.runs.run import run
from pages.shell.runs.trained.loaded import load
from pages.shell.server.app import LONGEST_QUERY
from pages.shell.state.config import Config
from pages.shell.state.registry import ALL_FIELDS, default, settled
from pages.shell.state.rewritten import misspelt
from pages.shell.state.url import means, written
from tests.support.app import FRAME, HOME, PAGES, blocks, held, no_exception, widget
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.hostile import COSTS, GREEDY, GREEDY_LABORATORY, LABORATORY, MOST, Largest, elements, holds, links
from tests.support.random_screens import drawn

pytestmark = pytest.mark.usefixtures("one_step_a_run")
LINKS = 5000 if EXHAUSTIVE else 2000 if EVERY_TEST else 30
# The number of links for each page that are opened as a whole.
SCREENS = 30 if EXHAUSTIVE else 4 if EVERY_TEST else 1
# Controls whose values a page limits further, once it knows how many there are.
COUNTED = {"sentence", "head", "stop", "lecture", "model_layer", "model_head", "model_off"}


@pytest.fixture
def largest(monkeypatch):
    """The largest tensor that the script of a page makes, in the thread that it runs in."""
    seen, as_it_is = Largest(), LocalScriptRunner._run_script_thread

    def watched(runner: LocalScriptRunner) -> None:
        assert threading.current_thread() is not threading.main_thread()
        with seen:
            as_it_is(runner)

    monkeypatch.setattr(LocalScriptRunner, "_run_script_thread", watched)
    # Clear the caches: a result of an earlier test would be found, and no tensor made.
    for module in (preparation, runs):
        module._memo.cache_clear()
    return seen


def opened(page: str, asked: dict[str, list[str]]) -> AppTest:
    at = AppTest.from_file(str(FRAME), default_timeout=120)
    for name, values in asked.items():
        at.query_params[name] = values
    return at.run() if page == HOME else at.switch_page(f"../../pages/{page}.py").run()


@drawn(LINKS)
@given(links(*PAGES))
@pytest.mark.slow
def test_every_hostile_link_is_settled_and_stays_so(link):
    _, asked = link
    last = {name: values[-1] for name, values in asked.items()}
    found = last | {name: nearest for name, (_, nearest) in settled(last).items()}
    assert all(holds(name, value) for name, value in found.items() if name in ALL_FIELDS)
    assert settled(found) == {}
    assert not set(misspelt(asked)) & set(ALL_FIELDS)


@pytest.mark.parametrize("page", PAGES)
def test_a_hostile_visitor_gets_the_nearest_screen_and_is_told(page, largest):
    if page == "models":
        # A process reads the models' files once, and this link must not be blamed for it.
        for name in MODELS:
            if not missing(name):
                load(name, lambda done: None, lambda: None)

    @drawn(SCREENS)
    @given(links(page).filter(lambda link: link[1]))
    def visit(link):
        _, asked = link
        # Streamlit reads nothing of a longer link, which a server would have refused.
        read = asked if len(urlencode(asked, doseq=True)) <= LONGEST_QUERY else {}
        last = {name: values[-1] for name, values in read.items()}
        at = opened(page, asked)
        assert no_exception(at)
        settings, nearest = held(at), settled(last)
        assert all(holds(name, value) for name, value in settings.items() if name in ALL_FIELDS)
        if "lecture" not in asked:
            expected = {
                name: nearest[name][1] if name in nearest else last[name] for name in set(last) & set(ALL_FIELDS)
            }
            for name in set(expected) - COUNTED:
                assert settings.get(name, written(default(name))) == expected[name], name
        told = " ".join(toast.value for toast in at.toast)
        for name, (came, value) in nearest.items():
            assert f"`{name}`" in told or means(came, value), (name, came[:80], value)
        assert len(told) < 200 * len(asked)

        assert no_exception(at.run()), "after"
        with largest:
            assert blocks(at)
        assert 0 < largest.elements <= {"scaling": LABORATORY, "costs": COSTS}.get(page, MOST), (
            largest.elements,
            largest.by,
        )

    visit()


def test_the_largest_screen_has_the_largest_tensors():
    """The controls reach the limit of the tests above, so it is no looser than needed."""
    with Largest() as seen:
        run(Config.of(GREEDY))
    assert seen.elements == MOST


@pytest.mark.exhaustive("pages/test_hostile.py::test_a_hostile_visitor_gets_the_nearest_screen_and_is_told")
def test_a_visitor_who_asks_the_laboratory_for_all_there_is_gets_it_in_chunks(largest):
    """A link beyond all limits becomes the largest screen."""
    at = AppTest.from_file(str(FRAME), default_timeout=120)
    words = {name: value for name, value in GREEDY_LABORATORY.items() if value.isalnum() and not value.isdecimal()}
    # A layer with one head has the largest tensors.
    asked = dict.fromkeys(GREEDY_LABORATORY, "99999999") | words | {"layer_heads": "-99999999"}
    for name, value in asked.items():
        at.query_params[name] = value
    assert no_exception(at.switch_page("../../pages/scaling.py").run())
    assert {name: written(widget(at, name).value) for name in GREEDY_LABORATORY} == GREEDY_LABORATORY
    assert largest.elements == LABORATORY, (largest.elements, largest.by)


def test_the_largest_tensor_is_seen_whatever_makes_it():
    import torch

    with Largest() as seen:
        torch.zeros(3, 5).expand(7, 3, 5)
        assert seen.elements == 15
        (torch.zeros(13, 2) @ torch.zeros(2, 17)).softmax(-1)
        assert seen.elements == 13 * 17
    assert elements(torch.zeros(2, 3)[0]) == 6
