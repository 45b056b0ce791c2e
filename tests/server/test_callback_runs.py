"""A run that its callbacks end is told to nobody; every other run is told before all that it says."""

import threading
from types import SimpleNamespace

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from benchmarks.tab import Tab
from benchmarks.visitor import Visitor
from pages.shell.server.patches import callback_runs
from tests.support.app import awaited

STARTED, SAID, GAVE_WAY, ENDED = (
    ScriptRunnerEvent.SCRIPT_STARTED,
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
    ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
)
# The callbacks are over, and the script begins.
BEGINS = "begins"


@pytest.fixture
def installed(monkeypatch):
    """Until the test is over: what else is replaced at the same place has tests of its own."""
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", AppSession._on_scriptrunner_event)
    monkeypatch.setattr(ScriptRunContext, "on_script_start", ScriptRunContext.on_script_start)
    callback_runs.install()


class Heard(Tab):
    """Keeps the kinds of what it is sent."""

    kinds: tuple[str, ...] = ()

    def heard(self, message):
        self.kinds = (*self.kinds, message.WhichOneof("type"))
        return super().heard(message)


def test_a_move_is_one_run_to_the_browser(server):
    async def moved() -> tuple[str, ...]:
        visitor = Visitor(server, "?preset=random", tab=Heard())
        await visitor.arrive()
        visitor.tab.kinds = ()
        (dropout,) = (name for name, *_ in visitor.sliders() if name.endswith("-dropout"))
        await visitor.set(dropout, 0.6)
        assert not visitor.tab.is_page
        await visitor.leave()
        return visitor.tab.kinds

    kinds = awaited(moved())
    assert kinds.count("new_session") <= 1
    assert kinds.count("script_finished") == 1


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        ((STARTED, GAVE_WAY, STARTED, BEGINS, SAID, ENDED), [STARTED, BEGINS, SAID, ENDED]),
        # Before it has anything to say.
        ((STARTED, BEGINS, SAID, ENDED), [STARTED, BEGINS, SAID, ENDED]),
        # What a callback says, and what goes wrong before the script.
        ((STARTED, SAID, GAVE_WAY), [STARTED, SAID, GAVE_WAY]),
        ((STARTED, ENDED), [STARTED, ENDED]),
        # A script that asks for another run.
        ((STARTED, BEGINS, GAVE_WAY, STARTED, BEGINS, ENDED), [STARTED, BEGINS, GAVE_WAY, STARTED, BEGINS, ENDED]),
    ],
)
def test_a_run_is_told_unless_its_callbacks_end_it(happens, told, installed, monkeypatch):
    heard: list[object] = []
    monkeypatch.setattr(callback_runs, "_original_on_event", lambda session, sender, event, **more: heard.append(event))
    monkeypatch.setattr(callback_runs, "_original_start", lambda context: heard.append(BEGINS))

    def run() -> None:
        for event in happens:
            if event is BEGINS:
                ScriptRunContext.on_script_start(SimpleNamespace())
            else:
                AppSession._on_scriptrunner_event(SimpleNamespace(), None, event)

    # As each run has a thread of its own.
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert heard == told
