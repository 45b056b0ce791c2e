"""Batch a script run's messages: one event-loop wake-up per 5 ms instead of two per element.

For every element Streamlit 1.67 wakes the thread of the event loop, twice, through a socket; that thread takes the
interpreter from the run in the middle, handles one message, and gives it back: a quarter of what a run costs, and more
when there are many visitors (docs/decisions/load.md). Messages keep their order; the browser is sent them every ten
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
_WAITING = "_batch_waiting"
_DUE = "_batch_due"
_AT_ONCE = "_batch_at_once"

# Not these replacements themselves, when the module is loaded anew.
_original_call_soon: Any = getattr(AppSession._call_soon_on_event_loop, "original", AppSession._call_soon_on_event_loop)
_original_on_event: Any = getattr(AppSession._on_scriptrunner_event, "original", AppSession._on_scriptrunner_event)
_original_enqueued: Any = getattr(Runtime._enqueued_some_message, "original", Runtime._enqueued_some_message)


def install() -> None:
    """Replace what wakes the event loop, in this process."""
    AppSession._on_scriptrunner_event = _on_script_event  # type: ignore[method-assign,assignment]
    AppSession._call_soon_on_event_loop = _schedule  # type: ignore[method-assign,assignment]
    Runtime._enqueued_some_message = _wake_loop  # type: ignore[method-assign,assignment]


def _on_script_event(session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **more: Any) -> None:
    """Pass on an event of a script run, in the thread of the run: messages may wait, its beginning and end may not."""
    vars(session)[_AT_ONCE] = event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
    try:
        _original_on_event(session, sender, event, **more)
    finally:
        vars(session)[_AT_ONCE] = False


def _schedule(session: AppSession, callback: Callable[[], None]) -> None:
    """Call this on the event loop, after all that this session scheduled before."""
    kept = vars(session)
    waiting: deque[Callable[[], None]] = kept.setdefault(_WAITING, deque())
    waiting.append(callback)

    def call() -> None:
        # First: whoever adds from now on schedules another call.
        kept[_DUE] = False
        while waiting:
            # One by one, so that one that fails takes no other with it.
            loop.call_soon(waiting.popleft())

    loop = session._event_loop
    if kept.get(_AT_ONCE):
        _original_call_soon(session, call)
    elif not kept.get(_DUE):
        kept[_DUE] = True
        _original_call_soon(session, lambda: loop.call_later(MOMENT, call))


def _wake_loop(runtime: Runtime) -> None:
    """Tell the event loop that there is something to send; on the loop itself, without waking it."""
    parts = runtime._get_async_objs()
    try:
        here = asyncio.get_running_loop() is parts.eventloop
    except RuntimeError:
        here = False
    if here:
        parts.need_send_data.set()
    else:
        _original_enqueued(runtime)


_schedule.original = _original_call_soon  # type: ignore[attr-defined]
_on_script_event.original = _original_on_event  # type: ignore[attr-defined]
_wake_loop.original = _original_enqueued  # type: ignore[attr-defined]
