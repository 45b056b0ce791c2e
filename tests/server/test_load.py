"""The benchmark of load at a size that a test can wait for: nobody is refused, and nobody waits for long."""

from collections import Counter

import pytest

from benchmarks.crowd import HEAVY_ONE_IN, LINKS, Met, Served, first_screens, phase, timed
from benchmarks.load import HOLLOW, share
from benchmarks.server import ROOT, running
from benchmarks.visitor import Visitor
from tests.support.app import awaited


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(tmp_path_factory.mktemp("load")) as server:
        yield Served(server.address, (server,))


def test_all_who_come_at_once_have_their_files_and_a_first_screen(served):
    waited = awaited(first_screens(served, 11))
    assert len(waited) == 11
    assert waited[-1] < 20


def test_a_room_moves_its_sliders_while_one_of_them_experiments(served):
    met, took, cpu, memory = awaited(phase(served, HEAVY_ONE_IN + 3, 4))
    assert not met.errors
    assert len(met.light) > 5
    # Ten times what a quiet machine needs; without turns a race alone takes as long.
    assert share(met.light, 95) < 2000
    assert cpu < 2 * took
    assert memory > 100


def test_the_links_are_screens_of_different_pages():
    assert len({link.partition("?")[0] for link in LINKS}) > 5


def test_the_hollow_page_has_the_elements_of_the_walkthrough(served):
    async def kinds(base: str) -> Counter:
        visitor = Visitor(base)
        await visitor.arrive()
        await visitor.leave()
        return Counter(delta.new_element.WhichOneof("type") or delta.WhichOneof("type") for delta in visitor.tab.shown)

    with running(script=ROOT / HOLLOW) as hollow:
        assert awaited(kinds(hollow.address)) == awaited(kinds(served.base))


def test_an_answer_that_does_not_come_is_counted():
    async def nothing() -> None:
        raise TimeoutError

    met = Met()
    assert not awaited(timed(met, met.light, nothing()))
    assert met.errors == ["TimeoutError: "]
    assert not met.light
