"""Send the answer to a change in one piece, when its rows are drawn.

A callback that asks for rows ends one run of Streamlit 1.67 and starts another, and the browser is sent the start and
the end of both as they happen: React renders the page, and the browser paints a frame, before the first new number is
there, and again when it is (docs/operations.md, "A move"). A run of the whole page is sent as it goes, and so are rows
that take longer than LONGEST.
"""

import asyncio
from inspect import signature
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

# Seconds that the first message of an answer waits at most.
LONGEST = 0.1
# Of a session whose messages wait: the timer that ends it, and whether the run draws rows alone.
_TIMER, _OF_ROWS = "_answer_timer", "_answer_of_rows"
# What the browser is told of a run beside what the run draws.
_BOUNDS = ("new_session", "session_status_changed", "script_finished")
# Events after which the answer is not complete.
_INCOMPLETE = (
    ScriptRunnerEvent.SCRIPT_STARTED,
    ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN,
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
)

_original_handle: Any = getattr(
    AppSession._handle_scriptrunner_event_on_event_loop,
    "original",
    AppSession._handle_scriptrunner_event_on_event_loop,
)
_original_enqueue: Any = getattr(AppSession._enqueue_forward_msg, "original", AppSession._enqueue_forward_msg)
_original_flush: Any = getattr(AppSession.flush_browser_queue, "original", AppSession.flush_browser_queue)
_parameters = signature(_original_handle)


def install() -> None:
    """Replace what queues messages and what empties the queue, in this process."""
    AppSession._handle_scriptrunner_event_on_event_loop = _handle  # type: ignore[method-assign,assignment]
    AppSession._enqueue_forward_msg = _enqueue  # type: ignore[method-assign,assignment]
    AppSession.flush_browser_queue = _flush  # type: ignore[method-assign,assignment]


def _handle(
    session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *given: Any, **more: Any
) -> None:
    if sender is session._scriptrunner:
        if event is ScriptRunnerEvent.SCRIPT_STARTED:
            _drop_empty_run(session)
            _hold(session)
            named = _parameters.bind(session, sender, event, *given, **more).arguments
            vars(session)[_OF_ROWS] = bool(named.get("fragment_ids_this_run"))
        elif event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and not vars(session).get(_OF_ROWS):
            _release(session)
    _original_handle(session, sender, event, *given, **more)
    if event not in _INCOMPLETE:
        _release(session)


def _is_held(session: AppSession) -> bool:
    return _TIMER in vars(session)


def _drop_empty_run(session: AppSession) -> None:
    """Forget a run that a callback ended before it drew anything, if the browser has not been told of it."""
    queue = session._browser_queue
    if _is_held(session) and all(message.WhichOneof("type") in _BOUNDS for message in queue._queue):
        queue.clear()


def _hold(session: AppSession) -> None:
    if not _is_held(session):
        vars(session)[_TIMER] = asyncio.get_running_loop().call_later(LONGEST, _release, session)


def _release(session: AppSession) -> None:
    if not _is_held(session):
        return
    vars(session).pop(_TIMER).cancel()
    # Not written here: the loop may be in the middle of what this session said before.
    if session._message_enqueued_callback and not session._browser_queue.is_empty():
        session._message_enqueued_callback()


def _enqueue(session: AppSession, message: ForwardMsg) -> None:
    if _is_held(session):
        # Without waking the loop, which has nothing to send yet.
        session._browser_queue.enqueue(message)
    else:
        _original_enqueue(session, message)


def _flush(session: AppSession) -> list[ForwardMsg]:
    # The messages of another visitor make the loop ask every session.
    flushed: list[ForwardMsg] = [] if _is_held(session) else _original_flush(session)
    return flushed


_handle.original = _original_handle  # type: ignore[attr-defined]
_enqueue.original = _original_enqueue  # type: ignore[attr-defined]
_flush.original = _original_flush  # type: ignore[attr-defined]
