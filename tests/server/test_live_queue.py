"""Questions that come together: in order, one at a time, equal ones once, a bounded number, none for a gone visitor."""

import asyncio
import threading

import pytest

from pages.shell import views as registry
from pages.shell.server import live
from pages.shell.server.shared_work import Kept, SharedWork
from tests.support.app import awaited
from tests.support.live import FORM, PATIENCE, Answer, Browser, Views, text, together, until

ROOM = 3


@pytest.fixture
def views(monkeypatch) -> Views:
    fake = Views()
    monkeypatch.setattr(registry, "answered", fake.answered)
    monkeypatch.setattr(live, "_work", SharedWork(1, ROOM))
    monkeypatch.setattr(live, "_kept", Kept(live.KEPT))
    return fake


async def first(views: Views) -> asyncio.Task[Answer]:
    """A question whose answer computes until the test lets it go."""
    task = asyncio.create_task(Browser(text("waits")).asks())
    await until(views.begun.is_set)
    return task


async def queued(*browsers: Browser) -> list[asyncio.Task[Answer]]:
    """Waiting questions, in this order."""
    tasks = []
    for browser in browsers:
        tasks.append(asyncio.create_task(browser.asks()))
        # Each of the question's tasks needs a step.
        for _ in range(20):
            await asyncio.sleep(0)
    return tasks


def test_one_is_computed_at_a_time_in_the_order_of_asking(views):
    async def scene() -> None:
        tasks = [await first(views), *await queued(*(Browser(text(name)) for name in "cab"))]
        assert views.order == ["waits"]
        views.go.set()
        assert [answer.status for answer in await together(*tasks)] == [200] * 4
        assert views.order == ["waits", "c", "a", "b"]

    awaited(scene())


def test_the_loop_is_free_while_something_is_computed(views):
    async def scene() -> None:
        task = await first(views)
        assert (await Browser("").asks()).status == 400
        assert not task.done()
        views.go.set()
        await task

    awaited(scene())


def test_equal_questions_that_wait_are_computed_once(views):
    async def scene() -> None:
        hall = [text("a", heads="2", mask="causal"), text("a", mask="causal", heads="2", build="0" * 12)] * 20
        form = Browser(method="POST", body=hall[0].encode(), content_type=FORM)
        tasks = [await first(views), *await queued(*map(Browser, hall), form)]
        assert len(live._work) == 2
        views.go.set()
        _, *answers = await together(*tasks)
        assert {(answer.status, answer.body) for answer in answers} == {(200, answers[0].body)}
        assert views.order == ["waits", "a"]

    awaited(scene())


def test_when_the_queue_is_full_others_are_sent_away_and_equal_ones_are_not(views):
    async def scene() -> None:
        waiting = [str(number) for number in range(ROOM)]
        tasks = [await first(views), *await queued(*(Browser(text(name)) for name in waiting))]
        refused = await Browser(text("one more")).asks()
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")
        assert refused.headers["cache-control"] == "no-store"
        assert refused.read == {"error": f"{live.WAITING} questions wait already; ask again in a second"}
        tasks += await queued(Browser(text(waiting[0])))
        views.go.set()
        assert [answer.status for answer in await together(*tasks)] == [200] * (ROOM + 2)
        assert views.order == ["waits", *waiting]
        assert (await Browser(text("one more")).asks()).status == 200
        assert len(live._work) == 0

    awaited(scene())


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_nobody_waits_for_any_more_is_not_computed(views, method):
    async def scene() -> None:
        how = {"question": text("a")} if method == "GET" else {"body": text("a").encode(), "content_type": FORM}
        leaves, stays = Browser(method=method, **how), Browser(text("b"))
        tasks = [await first(views), *await queued(leaves, stays)]
        assert len(live._work) == 3
        leaves.left.set()
        await until(lambda: len(live._work) == 2)
        views.go.set()
        statuses = [answer.status for answer in await together(*tasks)]
        assert (statuses[0], statuses[2]) == (200, 200)
        assert views.order == ["waits", "b"]

    awaited(scene())


def test_one_who_leaves_does_not_take_it_from_the_others(views):
    async def scene() -> None:
        leaves, stays = Browser(text("a")), Browser(text("a"))
        tasks = [await first(views), *await queued(leaves, stays)]
        leaves.left.set()
        await until(tasks[1].done)
        views.go.set()
        assert (await tasks[2]).status == 200
        await tasks[0]
        assert views.order == ["waits", "a"]

    awaited(scene())


def test_who_asks_anew_after_all_have_left_is_answered(views):
    async def scene() -> None:
        leaves = Browser(text("a"))
        tasks = [await first(views), *await queued(leaves)]
        leaves.left.set()
        await until(lambda: len(live._work) == 1)
        tasks += await queued(Browser(text("a")))
        views.go.set()
        assert (await tasks[2]).status == 200
        assert views.order == ["waits", "a"]
        await together(*tasks)

    awaited(scene())


def test_who_asks_in_the_moment_in_which_the_last_one_leaves_does_not_wait_for_what_is_cancelled():
    async def scene() -> None:
        work: SharedWork[str] = SharedWork(1, ROOM)
        go = threading.Event()
        first = asyncio.create_task(work.get("first", lambda: str(go.wait(PATIENCE))))
        leaves = asyncio.create_task(work.get("a", lambda: "for nobody"))
        await until(lambda: len(work) == 2)
        leaves.cancel()
        await asyncio.sleep(0)
        stays = asyncio.create_task(work.get("a", lambda: "anew"))
        go.set()
        assert (await first, await stays) == ("True", "anew")

    awaited(scene())


def test_what_is_begun_keeps_its_place_until_it_ends_even_if_nobody_hears_it(views):
    async def scene() -> None:
        leaves = Browser(text("waits"))
        begun = asyncio.create_task(leaves.asks())
        await until(views.begun.is_set)
        leaves.left.set()
        await until(begun.done)
        (task,) = await queued(Browser(text("b")))
        assert views.order == ["waits"]
        views.go.set()
        assert (await task).status == 200

    awaited(scene())


def test_an_error_is_told_to_all_who_wait_for_it_and_written_down_once(views, caplog):
    async def scene() -> None:
        views.error = RuntimeError("the secret of line 7")
        tasks = [await first(views), *await queued(Browser(text("waits")), Browser(text("waits")))]
        views.go.set()
        assert [answer.status for answer in await together(*tasks)] == [500] * 3

    awaited(scene())
    assert len(caplog.records) == 1


def test_no_more_is_kept_than_there_is_room_for():
    kept = Kept(100)
    for name in "abc":
        kept.keep(name, name.upper(), 40)
        kept.get("a")
    assert [kept.get(name) for name in "abc"] == ["A", None, "C"]
    kept.keep("large", "L", 101)
    assert kept.get("large") is None
    kept.keep("a", "another", 40)
    kept.keep("d", "D", 20)
    assert [kept.get(name) for name in "acd"] == ["A", "C", "D"]
