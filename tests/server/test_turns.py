"""A run has its turn from its beginning to its end, rows as well as pages."""

import threading

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner

from pages.shell.runs.scheduling import aside, making
from pages.shell.server.patches import turns


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(ScriptRunner, "_run_script", ScriptRunner._run_script)
    turns.install(making)


def _can_another_run() -> bool:
    """Whether a run of somebody else can be made meanwhile."""
    made = threading.Event()

    def other() -> None:
        with making():
            made.set()

    thread = threading.Thread(target=other, daemon=True)
    thread.start()
    return made.wait(0.3)


def test_no_other_run_is_made_meanwhile(installed, monkeypatch):
    seen = []

    def script(runner: object, asked: object) -> None:
        seen.append((runner, asked, _can_another_run()))
        # It waits for an experiment.
        with aside():
            seen.append(_can_another_run())

    monkeypatch.setattr(turns, "_original", script)
    ScriptRunner._run_script("runner", "asked")
    assert seen == [("runner", "asked", False), True]
    assert _can_another_run()


def test_a_run_that_fails_gives_way(installed, monkeypatch):
    def script(runner: object, asked: object) -> None:
        raise LookupError

    monkeypatch.setattr(turns, "_original", script)
    with pytest.raises(LookupError):
        ScriptRunner._run_script("runner", "asked")
    assert _can_another_run()


def test_it_is_installed_once(installed):
    assert turns._original is not ScriptRunner._run_script
    assert ScriptRunner._run_script.original is turns._original
