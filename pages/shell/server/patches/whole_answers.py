"""Send the browser the answer to a change as one: all that its rows have to say, when they have said it.

A callback that asks for rows ends one run of Streamlit 1.67 and begins another, and the browser hears of each end and
beginning: React renders the page, and the browser paints a frame, four times before it has the first new number
(docs/operations.md, "A move"). A run of the whole page is sent as it goes, as are rows that compute for longer.
"""

import asyncio
from inspect import signature
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.session_manager import SessionClientDisconnectedError

# Seconds that the first message of an answer waits at most.
LONGEST = 0.1
_UNTIL, _OF_ROWS = "_answer_held_until", "_answer_of_rows"
# What begins and ends a run, and the events after which more of an answer comes.
_FRAME = ("new_session", "session_status_changed", "script_finished")
_GOING_ON = (
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


def install() -> None:
    """Replace what hands messages to the event loop, in this process."""
    AppSession._handle_scriptrunner_event_on_event_loop = _handle  # type: ignore[method-assign,assignment]
    AppSession._enqueue_forward_msg = _enqueue  # type: ignore[method-assign,assignment]
    AppSession.flush_browser_queue = _flush  # type: ignore[method-assign,assignment]


def _handle(session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *given: Any, **more: Any) -> None:
    if sender is session._scriptrunner:
        if event is ScriptRunnerEvent.SCRIPT_STARTED:
            _forget_start(session)
            _hold(session)
            named = signature(_original_handle).bind(session, sender, event, *given, **more).arguments
            vars(session)[_OF_ROWS] = bool(named.get("fragment_ids_this_run"))
        elif event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and not vars(session).get(_OF_ROWS):
            _release(session)
    _original_handle(session, sender, event, *given, **more)
    if event not in _GOING_ON:
        _release(session)


def _forget_start(session: AppSession) -> None:
    """Of a run that a callback ended before it said anything, the browser need not hear."""
    queue = session._browser_queue
    if _UNTIL in vars(session) and all(message.WhichOneof("type") in _FRAME for message in queue._queue):
        queue._queue = []


def _hold(session: AppSession) -> None:
    kept = vars(session)
    if _UNTIL not in kept:
        kept[_UNTIL] = asyncio.get_running_loop().call_later(LONGEST, _release, session)


def _release(session: AppSession) -> None:
    until: asyncio.TimerHandle | None = vars(session).pop(_UNTIL, None)
    if until is not None:
        until.cancel()
        _send(session)


def _send(session: AppSession) -> None:
    """Write all that waits in one go: what arrives in one piece, React renders once."""
    runtime = get_instance()
    info = runtime._session_mgr.get_active_session_info(session.id)
    if info is None:
        return
    try:
        for message in session.flush_browser_queue():
            runtime._send_message(info, message)
    except SessionClientDisconnectedError:
        runtime.disconnect_session(session.id, client=info.client)


def _enqueue(session: AppSession, message: ForwardMsg) -> None:
    if _UNTIL in vars(session):
        session._browser_queue.enqueue(message)
    else:
        _original_enqueue(session, message)


def _flush(session: AppSession) -> list[ForwardMsg]:
    # Another visitor's message makes the loop ask every session.
    flushed: list[ForwardMsg] = [] if _UNTIL in vars(session) else _original_flush(session)
    return flushed


_handle.original = _original_handle  # type: ignore[attr-defined]
_enqueue.original = _original_enqueue  # type: ignore[attr-defined]
_flush.original = _original_flush  # type: ignore[attr-defined]
