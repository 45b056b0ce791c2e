"""Two thousand links that mean harm: the nearest screen, a note of what was changed, and no exception.

HOSTILE_SCREENS says how many of them go through whole pages, which is what takes time; all go through what settles
them. The number of a case is all that it takes to have it again: `pytest tests/pages/test_hostile.py -k "[1234]"`.
"""

import os
import threading
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from attention.inputs.trained import MODELS, missing
from pages.shell.runs.run import run
from pages.shell.runs.trained.loaded import load
from pages.shell.server.app import LONGEST_QUERY
from pages.shell.state.config import Config
from pages.shell.state.registry import ALL_FIELDS, default, settled
from pages.shell.state.rewritten import misspelt
from pages.shell.state.url import means, written
from tests.support.app import FRAME, HOME, blocks, held, no_exception, widget
from tests.support.covering import EXHAUSTIVE
from tests.support.hostile import COSTS, GREEDY, GREEDY_LABORATORY, LABORATORY, MOST, Largest, elements, holds, link

pytestmark = pytest.mark.usefixtures("one_step_a_run")
COUNT = 2000
SCREENS = min(int(os.environ.get("HOSTILE_SCREENS", "50" if EXHAUSTIVE else "0")), COUNT)
# Else, the first of each page.
NUMBERS = (
    range(0, COUNT, COUNT // SCREENS)
    if SCREENS
    else {link(number)[0]: number for number in range(150, -1, -1)}.values()
)
# What is brought nearer yet where a page knows how many there are.
COUNTED = {"sentence", "head", "stop", "lecture", "model_layer", "model_head"}


@pytest.fixture
def largest(monkeypatch):
    """The largest tensor that the script of a page makes, in the thread that it runs in."""
    seen, as_it_is = Largest(), LocalScriptRunner._run_script_thread

    def watched(runner: LocalScriptRunner) -> None:
        assert threading.current_thread() is not threading.main_thread()
        with seen:
            as_it_is(runner)

    monkeypatch.setattr(LocalScriptRunner, "_run_script_thread", watched)
    return seen


def opened(number: int) -> AppTest:
    page, asked = link(number)
    at = AppTest.from_file(str(FRAME), default_timeout=120)
    for name, values in asked.items():
        at.query_params[name] = values
    return at.run() if page == HOME else at.switch_page(f"../../pages/{page}.py").run()


def test_every_hostile_link_is_settled_and_stays_so():
    for number in range(COUNT):
        _, asked = link(number)
        last = {name: values[-1] for name, values in asked.items()}
        found = last | {name: nearest for name, (_, nearest) in settled(last).items()}
        assert all(holds(name, value) for name, value in found.items() if name in ALL_FIELDS), number
        assert settled(found) == {}, number
        assert not set(misspelt(asked)) & set(ALL_FIELDS), number


def test_the_links_are_as_hostile_as_they_are_meant_to_be():
    every = [link(number)[1] for number in range(COUNT)]
    values = [value for asked in every for given in asked.values() for value in given]
    assert link(7) == link(7)
    assert max(map(len, values)) == 500_000
    assert {name for asked in every for name in asked} > set(ALL_FIELDS)
    assert sum(len(given) > 1 for asked in every for given in asked.values()) > COUNT
    changed = sum(bool(settled({name: values[-1] for name, values in asked.items()})) for asked in every)
    assert changed > 0.8 * COUNT


@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=pytest.mark.models if link(number)[0] == "models" else ()) for number in NUMBERS],
)
def test_a_hostile_visitor_gets_the_nearest_screen_and_is_told(number, largest):
    page, asked = link(number)
    if page == "models":
        # A process reads their files once, and not because of this link.
        for name in MODELS:
            if not missing(name):
                load(name, lambda done: None, lambda: None)
    # Of a link that is longer than that Streamlit reads nothing; a server would not have taken it.
    read = asked if len(urlencode(asked, doseq=True)) <= LONGEST_QUERY else {}
    last = {name: values[-1] for name, values in read.items()}
    at = opened(number)
    assert no_exception(at), asked
    settings, nearest = held(at), settled(last)
    assert all(holds(name, value) for name, value in settings.items() if name in ALL_FIELDS)
    if "lecture" not in asked:
        expected = {name: nearest[name][1] if name in nearest else last[name] for name in set(last) & set(ALL_FIELDS)}
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


def test_the_largest_screen_has_the_largest_tensors():
    """The limit of the tests above is no looser than what the controls allow."""
    with Largest() as seen:
        run(Config.of(GREEDY))
    assert seen.elements == MOST


@pytest.mark.exhaustive("pages/test_hostile.py::test_a_hostile_visitor_gets_the_nearest_screen_and_is_told")
def test_a_visitor_who_asks_the_laboratory_for_all_there_is_gets_it_in_chunks(largest):
    """More than it has of everything is the most that it has."""
    at = AppTest.from_file(str(FRAME), default_timeout=120)
    words = {name: value for name, value in GREEDY_LABORATORY.items() if value.isalnum() and not value.isdecimal()}
    # One head is the largest that a layer can have.
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
