"""Announce a run when its callbacks have run, and not at all if they end it.

A callback that asks for rows ends one run of Streamlit 1.67 and starts another, and the browser is told of the start
and the end of both: for the four messages of the first, which draws nothing, it renders the whole page. And when that
run starts, Streamlit drops what has not been sent yet of the rows that were drawn before it: it is to draw them again,
but ends before it does.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from pages.shell.server.patches import message_batching

# Not these replacements themselves, when the module is loaded anew.
_original_on_event: Any = message_batching._on_script_event
_original_start: Any = getattr(ScriptRunContext.on_script_start, "original", ScriptRunContext.on_script_start)


class _Thread(threading.local):
    """Of the thread of a run: what announces the run, until it has."""

    announce: Callable[[], None] | None = None


_thread = _Thread()


def install() -> None:
    """Replace what tells a session of its runs, in this process; after `message_batching`."""
    AppSession._on_scriptrunner_event = _on_event  # type: ignore[method-assign,assignment]
    ScriptRunContext.on_script_start = _on_script_start  # type: ignore[method-assign,assignment]


def _on_event(session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **more: Any) -> None:
    """Pass on an event of a run, in the thread of the run."""
    if event is ScriptRunnerEvent.SCRIPT_STARTED:
        _thread.announce = partial(_original_on_event, session, sender, event, **more)
    elif _thread.announce is not None and event is ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN:
        _thread.announce = None
    else:
        _announce()
        _original_on_event(session, sender, event, **more)


def _on_script_start(context: ScriptRunContext) -> None:
    """The callbacks have run, and the script begins."""
    _announce()
    _original_start(context)


def _announce() -> None:
    announce, _thread.announce = _thread.announce, None
    if announce is not None:
        announce()


_on_event.original = _original_on_event  # type: ignore[attr-defined]
_on_script_start.original = _original_start  # type: ignore[attr-defined]
