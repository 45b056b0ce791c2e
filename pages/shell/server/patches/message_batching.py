"""Batch a script run's messages: those of the rows of a run reach the event loop together.

`unchanged_rows` can leave out what a browser has only of a run that it sees whole, and a browser renders and paints
rows once that reach it together. Rows that take longer than a tenth of a second are sent as they come. The messages of
a page reach the event loop every 5 ms: for each of them Streamlit 1.67 would wake the thread of the loop, which takes
the interpreter from the run (docs/decisions/load.md). Messages keep their order.

All messages of a run are handled before another one is started: of a run that gives way, Streamlit drops the rest, and
rows that have been drawn are not drawn again.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

# Seconds that the first message of a bundle waits for others: of a page, and of rows. That a run ends is told at once:
# until it is, Streamlit takes it for going on. That one of rows begins waits for what they draw.
MOMENT, ROWS = 0.005, 0.1
_WAITING = "_batch_waiting"
_DUE = "_batch_due"
_AT_ONCE = "_batch_at_once"
_MOMENT = "_batch_moment"

# Not these replacements themselves, when the module is loaded anew.
_original_call_soon: Any = getattr(AppSession._call_soon_on_event_loop, "original", AppSession._call_soon_on_event_loop)
_original_on_event: Any = getattr(AppSession._on_scriptrunner_event, "original", AppSession._on_scriptrunner_event)
_original_rerun: Any = getattr(
    AppSession._handle_rerun_script_request, "original", AppSession._handle_rerun_script_request
)


def install() -> None:
    """Replace what wakes the event loop, in this process."""
    AppSession._on_scriptrunner_event = _on_script_event  # type: ignore[method-assign,assignment]
    AppSession._call_soon_on_event_loop = _schedule  # type: ignore[method-assign,assignment]
    AppSession._handle_rerun_script_request = _rerun  # type: ignore[method-assign,assignment]


def _on_script_event(session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **more: Any) -> None:
    """Pass on an event of a script run, in the thread of the run: messages may wait, and that rows begin; that a page
    begins, and that a run ends, may not."""
    is_beginning, of_rows = event is ScriptRunnerEvent.SCRIPT_STARTED, bool(more.get("fragment_ids_this_run"))
    if is_beginning:
        vars(session)[_MOMENT] = ROWS if of_rows else MOMENT
    vars(session)[_AT_ONCE] = event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and not (is_beginning and of_rows)
    try:
        _original_on_event(session, sender, event, **more)
    finally:
        vars(session)[_AT_ONCE] = False


def _schedule(session: AppSession, callback: Callable[[], None]) -> None:
    """Call this on the event loop, after all that this session scheduled before."""
    kept = vars(session)
    kept.setdefault(_WAITING, deque()).append(callback)
    call, loop = partial(_call, session), session._event_loop
    if kept.get(_AT_ONCE):
        _original_call_soon(session, call)
    elif not kept.get(_DUE):
        kept[_DUE] = True
        _original_call_soon(session, lambda: loop.call_later(kept.get(_MOMENT, MOMENT), call))


def _call(session: AppSession) -> None:
    """Call on the event loop what waits."""
    kept = vars(session)
    # First: whoever adds from now on schedules another call.
    kept[_DUE] = False
    waiting: deque[Callable[[], None]] = kept.get(_WAITING, deque())
    while waiting:
        callback = waiting.popleft()
        try:
            callback()
        # One that fails takes no other with it.
        except Exception as error:
            session._event_loop.call_exception_handler({"message": "an event of a run failed", "exception": error})


def _rerun(session: AppSession, client_state: ClientState | None = None) -> None:
    _call(session)
    _original_rerun(session, client_state)


_schedule.original = _original_call_soon  # type: ignore[attr-defined]
_on_script_event.original = _original_on_event  # type: ignore[attr-defined]
_rerun.original = _original_rerun  # type: ignore[attr-defined]
