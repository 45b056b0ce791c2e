"""Batch a script run's messages: one event-loop wake-up per 5 ms instead of two per element.

For every element Streamlit 1.67 wakes the thread of the event loop, twice, through a socket; that thread takes the
interpreter from the run in the middle, handles one message, and gives it back: a quarter of what a run costs, and more
when there are many visitors (docs/decisions/load.md). What is said keeps its order; the browser is sent it every ten
milliseconds anyway.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

# Seconds that the first element of a bundle waits for others. That a run begins or ends is told at once: until it is,
# Streamlit takes it for going on.
MOMENT = 0.005
_WAITING = "_together_waiting"
_DUE = "_together_due"
_AT_ONCE = "_together_at_once"

# Not these functions themselves, when the module is loaded anew.
_call_soon: Any = getattr(AppSession._call_soon_on_event_loop, "as_it_was", AppSession._call_soon_on_event_loop)
_on_event: Any = getattr(AppSession._on_scriptrunner_event, "as_it_was", AppSession._on_scriptrunner_event)
_enqueued: Any = getattr(Runtime._enqueued_some_message, "as_it_was", Runtime._enqueued_some_message)


def bundle() -> None:
    """From now on, in the whole process."""
    AppSession._on_scriptrunner_event = _said  # type: ignore[method-assign,assignment]
    AppSession._call_soon_on_event_loop = _soon  # type: ignore[method-assign,assignment]
    Runtime._enqueued_some_message = _told  # type: ignore[method-assign,assignment]


def _said(session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **more: Any) -> None:
    """What a run says, in the thread of the run."""
    vars(session)[_AT_ONCE] = event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
    try:
        _on_event(session, sender, event, **more)
    finally:
        vars(session)[_AT_ONCE] = False


def _soon(session: AppSession, callback: Callable[[], None]) -> None:
    """Call this on the event loop, after all that this session wanted called before."""
    kept = vars(session)
    waiting: deque[Callable[[], None]] = kept.setdefault(_WAITING, deque())
    waiting.append(callback)

    def call() -> None:
        # First: whoever adds from now on sees to it that it is called.
        kept[_DUE] = False
        while waiting:
            # By themselves, so that one that fails takes no other with it.
            loop.call_soon(waiting.popleft())

    loop = session._event_loop
    if kept.get(_AT_ONCE):
        _call_soon(session, call)
    elif not kept.get(_DUE):
        kept[_DUE] = True
        _call_soon(session, lambda: loop.call_later(MOMENT, call))


def _told(runtime: Runtime) -> None:
    """There is something to send; on the event loop itself, nothing needs to be woken for that."""
    parts = runtime._get_async_objs()
    try:
        here = asyncio.get_running_loop() is parts.eventloop
    except RuntimeError:
        here = False
    if here:
        parts.need_send_data.set()
    else:
        _enqueued(runtime)


_soon.as_it_was = _call_soon  # type: ignore[attr-defined]
_said.as_it_was = _on_event  # type: ignore[attr-defined]
_told.as_it_was = _enqueued  # type: ignore[attr-defined]
