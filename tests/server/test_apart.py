"""Many people at once: none of them changes what another sees."""

import asyncio
import json
import urllib.parse
import urllib.request
from random import Random

import pytest

from benchmarks.visitor import Visitor
from tests.support.app import HOME, PAGES, awaited
from tests.support.covering import EVERY_TEST
from tests.support.random_screens import screen

COUNT, MOVES = 20 if EVERY_TEST else 6, 1


def place(index: int) -> str:
    """The pages by turns; if there are fewer people, those between."""
    return PAGES[index * max(1, len(PAGES) // COUNT) % len(PAGES)]


async def seen(base: str, index: int) -> list[list[str]]:
    """All numbers that a visitor has on the screen, on arrival and after each move."""
    page, random = place(index), Random(index)
    query = urllib.parse.urlencode(screen(page, index))
    visitor = Visitor(base, f"{'' if page == HOME else page}?{query}")
    await visitor.arrive()
    found = [await still(visitor, page)]
    # What the laboratory computes for seconds is not moved to where it takes longer; without the models, their page has
    # no slider that could be moved.
    while page != "scaling" and visitor.sliders() and len(found) <= MOVES:
        await visitor.move(random)
        found.append(await still(visitor, page))
    assert not visitor.tab.failed
    await visitor.leave()
    return found


async def still(visitor: Visitor, page: str) -> list[str]:
    while visitor.is_training():
        await visitor.lap()
    figures = visitor.figures()
    views = [view for figure in figures if (view := json.loads(figure).get("view"))]
    return [*map(timeless, figures), *await asyncio.to_thread(asked, visitor, page, views)]


def asked(visitor: Visitor, page: str, views: list[str]) -> list[str]:
    """What the browser is told of the views of the page, at the address that the visitor has."""
    question = urllib.parse.parse_qsl(visitor.tab.query, keep_blank_values=True)
    question += [("page", page), ("language", "en"), *(("view", view) for view in views)]
    body = urllib.parse.urlencode(question).encode()
    with urllib.request.urlopen(f"{visitor.base}/live", body, timeout=60) as answer:
        told = json.loads(answer.read())["views"]
    assert set(told) == set(views)
    return [json.dumps(told[view]) for view in views]


def timeless(figure: str) -> str:
    """Without what the clock of a lecture says, and how many results there have been."""
    parts = json.loads(figure)
    parts.pop("computed", None)
    for part in parts.values():
        if isinstance(part, dict):
            part.pop("clock", None)
    return json.dumps(parts)


@pytest.mark.models
def test_each_of_many_sees_what_they_see_alone(server):
    async def together() -> list[list[list[str]]]:
        return await asyncio.gather(*(seen(server, index) for index in range(COUNT)))

    crowd = awaited(together())
    for index, found in enumerate(crowd):
        assert found == awaited(seen(server, index)), f"visitor {index} on {place(index)}"
    # They are not all the same visitor.
    assert len({str(found) for found in crowd}) == COUNT
    assert all(len(figures) > 1 for found in crowd for figures in found)
