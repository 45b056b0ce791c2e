"""The benchmark of load in a size for tests: no visitor is refused, and none waits for long."""

from random import Random

import pytest

from benchmarks.crowd import HEAVY_ONE_IN, LINKS, Met, Served, first_screens, phase, timed
from benchmarks.load import share
from benchmarks.server import running
from benchmarks.visitor import SCREEN, Visitor
from tests.support.app import awaited


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(tmp_path_factory.mktemp("load")) as server:
        yield Served(server.address, (server,))


@pytest.mark.slow
def test_all_who_come_at_once_have_their_files_and_a_first_screen(served):
    (alone,) = awaited(first_screens(served, 1))
    waited = awaited(first_screens(served, 11))
    assert len(waited) == 11
    # One after the other, the last would wait for all eleven, on a machine of any speed.
    assert waited[-1] < 2 * 11 * alone


async def moved(served: Served) -> list[float]:
    """The seconds of each of a few moves while nobody else is there."""
    visitor, random, met = Visitor(served.base, in_sight=SCREEN), Random(0), Met()
    await visitor.arrive()
    for _ in range(9):
        assert await timed(met, met.light, visitor.move(random))
    await visitor.leave()
    return met.light


@pytest.mark.slow
def test_a_room_moves_its_sliders_while_one_of_them_experiments(served):
    """The phase is repeated with twice the time until there is enough to judge, since machines differ in speed."""
    alone, seconds = awaited(moved(served)), 8
    met, took, cpu, memory = awaited(phase(served, HEAVY_ONE_IN + 3, seconds))
    while not (met.errors or (met.heavy and len(met.light) > 5)) and seconds < 100:
        seconds *= 2
        met, took, cpu, memory = awaited(phase(served, HEAVY_ONE_IN + 3, seconds))
    assert not met.errors
    assert met.heavy
    assert len(met.light) > 5
    # The bound is twenty times the wait of a visitor alone: 1.4 s where a race takes 2. Without turns, they would wait
    # for all of the race.
    assert share(met.light, 95) < 20 * share(alone, 50)
    assert cpu < 2 * took
    assert memory > 100


def test_the_links_are_screens_of_different_pages():
    assert len({link.partition("?")[0] for link in LINKS}) > 5


def test_an_answer_that_does_not_come_is_counted():
    async def nothing() -> None:
        raise TimeoutError

    met = Met()
    assert not awaited(timed(met, met.light, nothing()))
    assert met.errors == ["TimeoutError: "]
    assert not met.light
