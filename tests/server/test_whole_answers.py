"""The browser is sent the answer to a change in one piece, and nothing of the run that only asked for its rows."""

import asyncio
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from benchmarks.tab import Tab
from benchmarks.visitor import Visitor
from pages.shell.server.patches import whole_answers
from tests.support.app import awaited

whole_answers.install()
RUNNER = object()


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
        assert visitor.tab.rows
        await visitor.leave()
        return visitor.tab.kinds

    kinds = awaited(moved())
    assert [kinds.count(kind) for kind in ("new_session", "script_finished")] == [1, 1]


class Session(AppSession):
    """A session whose runs only say that they start and end, and whose messages end in a list."""

    def __init__(self, monkeypatch) -> None:
        self.id, self._scriptrunner, self._browser_queue, self.sent = "session", RUNNER, ForwardMsgQueue(), []
        monkeypatch.setattr(whole_answers, "_original_handle", lambda *given: None)
        self._message_enqueued_callback = lambda: self.sent.extend(one.text for one in self.flush_browser_queue())

    def __del__(self) -> None:
        """There is nothing to shut down."""

    def starts(self, *rows) -> None:
        self._handle_scriptrunner_event_on_event_loop(
            RUNNER, ScriptRunnerEvent.SCRIPT_STARTED, None, None, None, "page", list(rows)
        )

    def says(self, text) -> None:
        self._handle_scriptrunner_event_on_event_loop(RUNNER, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
        self._enqueue_forward_msg(SimpleNamespace(text=text, WhichOneof=lambda _: "delta", metadata=None))

    def ends(self, event=ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS) -> None:
        self._handle_scriptrunner_event_on_event_loop(RUNNER, event)


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(ForwardMsgQueue, "enqueue", lambda queue, message: queue._queue.append(message))
    return Session(monkeypatch)


def test_rows_are_sent_when_they_are_drawn(session):
    async def drawn() -> None:
        session.starts("row")
        session.says("a")
        session.says("b")
        # As when another visitor is sent something.
        assert session.flush_browser_queue() == session.sent == []
        session.ends()
        assert session.sent == ["a", "b"]

    awaited(drawn())


def test_rows_that_take_long_are_sent_as_they_go(session, monkeypatch):
    async def drawn() -> None:
        monkeypatch.setattr(whole_answers, "LONGEST", 0.003)
        session.starts("row")
        session.says("a")
        while not session.sent:
            await asyncio.sleep(0.001)
        session.says("b")
        assert session.sent == ["a", "b"]
        session.ends()

    awaited(asyncio.wait_for(drawn(), 30))


def test_a_page_is_sent_as_it_goes(session):
    async def drawn() -> None:
        session.starts()
        session.says("a")
        assert session.sent == ["a"]
        session.ends()

    awaited(drawn())


def test_a_run_that_only_asked_for_rows_is_not_told_and_one_that_drew_something_is(session):
    async def drawn(*says: str) -> list[int]:
        session.sent.clear()
        session.starts("row")
        session._browser_queue.enqueue(ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN))
        for text in says:
            session.says(text)
        session.ends(ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN)
        held = len(session._browser_queue._queue)
        session.starts("row")
        kept = len(session._browser_queue._queue)
        session._browser_queue.clear()
        session.ends()
        return [held, kept]

    assert awaited(drawn()) == [1, 0]
    assert awaited(drawn("a")) == [2, 2]
