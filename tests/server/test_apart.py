"""Many visitors at once: none of them changes another's screen."""

import asyncio
import json
import urllib.parse
from random import Random

import pytest

from benchmarks.visitor import Visitor
from tests.support.app import HOME, PAGES, awaited
from tests.support.covering import EVERY_TEST
from tests.support.random_screens import one_screen

COUNT, MOVES = 20 if EVERY_TEST else 6, 1


def place(index: int) -> str:
    """The link of a visitor: the pages by turns, evenly spread if there are fewer visitors than pages."""
    return PAGES[index * max(1, len(PAGES) // COUNT) % len(PAGES)]


async def seen(base: str, index: int) -> list[list[str]]:
    """The numbers on a visitor's screen, on arrival and after each move."""
    page, random = place(index), Random(index)
    link = one_screen(page, index)
    visitor = Visitor(base, f"{'' if page == HOME else page}?{urllib.parse.urlencode(link)}")
    await visitor.arrive()
    assert visitor.settings() == link
    found = [await still(visitor)]
    # The laboratory computes for seconds, so its sliders are not moved to values that take longer. Without the models,
    # their page has no slider.
    while page != "scaling" and visitor.sliders() and len(found) <= MOVES:
        await visitor.move(random)
        found.append(await still(visitor))
    assert not visitor.tab.failed
    await visitor.leave()
    return found


async def still(visitor: Visitor) -> list[str]:
    while visitor.is_training():
        await visitor.lap()
    return [json.dumps(visitor.settings(), sort_keys=True), *visitor.figures()]


@pytest.mark.slow
@pytest.mark.models
def test_each_of_many_sees_what_they_see_alone(server):
    async def together() -> list[list[list[str]]]:
        return await asyncio.gather(*(seen(server, index) for index in range(COUNT)))

    crowd = awaited(together())
    for index, found in enumerate(crowd):
        assert found == awaited(seen(server, index)), f"visitor {index} on {place(index)}"
    # The visitors have different screens.
    assert len({str(found) for found in crowd}) == COUNT
    assert all(len(figures) > 1 for found in crowd for figures in found)
