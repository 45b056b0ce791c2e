"""Send of rows that are drawn by themselves what changed, and nothing of the rest.

Streamlit 1.67 sends every element of a row again, and tells the browser of the beginning and the end of each run. Every
element of the page reads where the run stands, so the browser renders the whole page, twice, for one figure that has
other numbers (docs/decisions/rows.md). It takes an element of the same hash for the one that it has, by itself; and
where no widget goes, it needs to know of a run only that it is over.
"""

from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime

from pages.shell.server.screen import Screen

_SCREEN = "_unchanged_rows_screen"

# Not these replacements themselves, when the module is loaded anew.
_original_flush: Any = getattr(AppSession.flush_browser_queue, "original", AppSession.flush_browser_queue)
_original_connect: Any = getattr(Runtime.connect_session, "original", Runtime.connect_session)


def install() -> None:
    """Replace what takes the messages of a session to be sent, in this process."""
    AppSession.flush_browser_queue = _flush  # type: ignore[method-assign,assignment]
    Runtime.connect_session = _connect  # type: ignore[method-assign,assignment]


def _flush(session: AppSession) -> list[ForwardMsg]:
    """The messages to be sent. Every session is asked whenever one has some, and most have none."""
    if session._browser_queue.is_empty():
        return []
    screen: Screen = vars(session).setdefault(_SCREEN, Screen())
    return screen.needs(_original_flush(session))


def _connect(runtime: Runtime, *given: Any, **named: Any) -> str:
    """Connect a browser: one that comes back may have missed what was sent last."""
    session_id: str = _original_connect(runtime, *given, **named)
    active = runtime._session_mgr.get_active_session_info(session_id)
    if active is not None:
        vars(active.session).pop(_SCREEN, None)
    return session_id


_flush.original = _original_flush  # type: ignore[attr-defined]
_connect.original = _original_connect  # type: ignore[attr-defined]
