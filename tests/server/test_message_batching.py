"""What a run says reaches the event loop in its order, in bundles, and none of it is lost."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.shell.server.patches import message_batching
from tests.support.app import awaited

message_batching.install()
COUNT = 1009
EVENTS = [
    ScriptRunnerEvent.SCRIPT_STARTED,
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
    ScriptRunnerEvent.ENQUEUE_FORWARD_MSG,
    ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS,
]


def heard(say) -> tuple[list, int]:
    """What arrives of what `say(session, arrived)` says in a thread of its own, and how often the loop was woken."""

    async def listen() -> tuple[list, int]:
        loop = asyncio.get_running_loop()
        arrived, woken, whole = [], [], loop.call_soon_threadsafe
        loop.set_exception_handler(lambda loop, context: arrived.append(context["exception"]))
        loop.call_soon_threadsafe = lambda *given: woken.append(1) or whole(*given)
        thread = threading.Thread(target=say, args=(SimpleNamespace(_event_loop=loop), arrived))
        thread.start()
        while thread.is_alive() or len(arrived) < COUNT:
            await asyncio.sleep(0.002)
        await asyncio.sleep(2 * message_batching.MOMENT)
        return arrived, len(woken)

    return awaited(asyncio.wait_for(listen(), 30))


def test_messages_come_in_their_order_and_rarely_wake_the_loop():
    def say(session, arrived) -> None:
        for number in range(COUNT):
            AppSession._call_soon_on_event_loop(session, lambda number=number: arrived.append(number))

    arrived, woken = heard(say)
    assert arrived == list(range(COUNT))
    assert 1 <= woken < COUNT / 7


def test_one_that_fails_takes_no_other_with_it():
    def say(session, arrived) -> None:
        for number in range(COUNT):
            AppSession._call_soon_on_event_loop(session, lambda number=number: arrived.append(10 // (number - 5)))

    arrived, _ = heard(say)
    assert len(arrived) == COUNT
    assert [isinstance(one, ZeroDivisionError) for one in arrived].count(True) == 1
    assert isinstance(arrived[5], ZeroDivisionError)


def test_what_is_said_while_others_are_called_is_called_too():
    def say(session, arrived) -> None:
        def more(left: int) -> None:
            arrived.append(left)
            if left:
                AppSession._call_soon_on_event_loop(session, lambda: more(left - 1))

        for _ in range(7):
            AppSession._call_soon_on_event_loop(session, lambda: more(COUNT // 7))

    arrived, _ = heard(say)
    assert sorted(arrived) == sorted(7 * list(range(COUNT // 7 + 1)))


def test_two_visitors_do_not_wait_for_each_other():
    def say(session, arrived) -> None:
        other = SimpleNamespace(_event_loop=session._event_loop)
        for number in range(COUNT):
            who, name = ((session, "a"), (other, "b"))[number % 2]
            AppSession._call_soon_on_event_loop(who, lambda number=number, name=name: arrived.append((name, number)))

    arrived, _ = heard(say)
    for name in "ab":
        numbers = [number for who, number in arrived if who == name]
        assert numbers == list(range(name == "b", COUNT, 2))


class Session(AppSession):
    """Nothing of a session but its loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop = loop

    def __del__(self) -> None:
        """There is nothing to shut down."""


def test_the_end_of_a_run_is_told_at_once_and_after_all_that_it_said(monkeypatch):
    """Half a minute later the test would be over."""
    monkeypatch.setattr(message_batching, "MOMENT", 60.0)
    monkeypatch.setattr(
        AppSession, "_handle_scriptrunner_event_on_event_loop", lambda *given: given[-1].append(given[2])
    )

    async def listen() -> list[ScriptRunnerEvent]:
        arrived: list[ScriptRunnerEvent] = []
        session = Session(asyncio.get_running_loop())
        for event in EVENTS:
            AppSession._on_scriptrunner_event(session, None, event, run_descriptor=arrived)
        end = session._event_loop.time() + 10
        while len(arrived) < len(EVENTS) and session._event_loop.time() < end:
            await asyncio.sleep(0.002)
        return arrived

    assert awaited(listen()) == EVENTS


def test_rows_are_told_together(monkeypatch):
    """What would otherwise wait a minute is told with the end, the beginning as well; a page is told as it goes."""
    monkeypatch.setattr(message_batching, "ROWS", 60.0)
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", lambda *given: arrived.append(given[2]))
    arrived: list[ScriptRunnerEvent] = []

    async def until(count: int) -> None:
        async with asyncio.timeout(10):
            while len(arrived) < count:
                await asyncio.sleep(0.002)

    async def told(rows) -> list[int]:
        """How many events have arrived once the two messages are on their way, and once the run is over."""
        arrived.clear()
        session, counts = Session(asyncio.get_running_loop()), []
        for event in EVENTS[:3]:
            AppSession._on_scriptrunner_event(session, None, event, fragment_ids_this_run=rows)
        await until(0 if rows else 3)
        await asyncio.sleep(2 * message_batching.MOMENT)
        counts.append(len(arrived))
        AppSession._on_scriptrunner_event(session, None, EVENTS[3])
        await until(len(EVENTS))
        assert arrived == EVENTS
        return [*counts, len(arrived)]

    assert awaited(told(["row"])) == [0, 4]
    assert awaited(told(None)) == [3, 4]


def test_what_a_run_has_said_is_heard_before_it_gives_way(monkeypatch):
    heard: list[object] = []
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", lambda *given: heard.append(given[2]))
    monkeypatch.setattr(message_batching, "_original_rerun", lambda session, asked: heard.append(asked))

    async def ask() -> None:
        session = Session(asyncio.get_running_loop())
        for event in EVENTS[:3]:
            AppSession._on_scriptrunner_event(session, None, event)
        session._handle_rerun_script_request("another")

    awaited(ask())
    assert heard == [*EVENTS[:3], "another"]


def test_what_a_run_says_after_the_end_is_dropped():
    loop = asyncio.new_event_loop()
    loop.close()
    AppSession._call_soon_on_event_loop(SimpleNamespace(_event_loop=loop), lambda: pytest.fail("called"))
