"""A screen is its link: random ones open as they were, and what a damaged link lost is said."""

import json
import os
from random import Random
from urllib.parse import parse_qs, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.rewritten import misspelt, told
from pages.shell.state.url import means, written
from tests.support.app import FRAME, HOME, PAGES, no_exception
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.random_screens import screen

# Where a screen takes longer, fewer of them.
COUNTS = dict.fromkeys(PAGES, 25) | {"one_query": 15, "compare": 15, "dropout": 15, "experiments": 12, "scaling": 4}
COUNTS |= {"order": 32, "walkthrough": 32}
# Of the screens, so many are opened that all tests together take minutes: RANDOM_SCREENS=200 opens every one.
EVERY_NTH = max(
    1, round(200 / int(os.environ.get("RANDOM_SCREENS", "200" if EXHAUSTIVE else "25" if EVERY_TEST else "12")))
)


def opened(page: str, query: str) -> AppTest:
    """A page as a query opens it, which Streamlit reads as `parse_qs` does."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, values in parse_qs(query, keep_blank_values=True).items():
        at.query_params[name] = values
    at = at.run() if page == HOME else at.switch_page(f"../../pages/{page}.py").run()
    assert no_exception(at), query
    return at


def address(at: AppTest) -> dict[str, str]:
    """What the browser is told to write into its address: an empty text is to go."""
    (told,) = [json.loads(one.proto.json)["settings"] for one in at.get("bidi_component") if is_address(one)]
    return {name: text for name, text in told["texts"].items() if text}


def is_address(component) -> bool:
    return component.proto.id.endswith("-plot-settings")


def said(at: AppTest) -> str:
    return " ".join(toast.value for toast in at.toast)


def test_there_are_200_screens_or_more_and_almost_every_control_is_moved_in_some():
    screens = [(page, screen(page, seed)) for page in PAGES for seed in range(COUNTS[page])]
    assert len(screens) >= 200
    assert len({(page, *link.items()) for page, link in screens}) > 0.9 * len(screens)
    moved = {name for _, link in screens for name in link}
    # One machine may have one device, and a guess is of no page alone.
    assert set(ALL_FIELDS) - moved <= {"device", "guess"}


@pytest.mark.parametrize("page", PAGES)
def test_a_random_screen_has_the_link_that_opens_it(page):
    for seed in range(0, COUNTS[page], EVERY_NTH):
        link = screen(page, seed)
        at = opened(page, urlencode(link))
        assert address(at) == link, (seed, link)
        assert not said(at), (seed, link)


def cut(random: Random, query: str) -> str:
    return query[: random.randrange(1, len(query))]


def flipped(random: Random, query: str) -> str:
    """One bit of one character is another, as long as it is one that a link may have."""
    place = random.randrange(len(query))
    other = chr(ord(query[place]) ^ 1 << random.randrange(7))
    return query[:place] + (other if " " < other < "\x7f" and other != "#" else "%") + query[place + 1 :]


def doubled(random: Random, query: str) -> str:
    name = random.choice([part.split("=")[0] for part in query.split("&")])
    return f"{query}&{name}={random.choice(('', '3', 'true', 'full', '%E7%8C'))}"


def strange(random: Random, query: str) -> str:
    name = random.choice([part.split("=")[0] for part in query.split("&")])
    return f"utm_source=mail&{query.replace(name, name + 'x', 1)}"


@pytest.mark.parametrize("damage", [cut, flipped, doubled, strange])
@pytest.mark.parametrize("page", ["walkthrough", "order", "one_query"])
def test_a_damaged_link_opens_a_screen_whose_link_is_whole(page, damage):
    for seed in range(2 if EXHAUSTIVE else 1):
        random = Random(f"{page} {damage.__name__} {seed}")
        query = damage(random, urlencode(screen(page, seed)))
        at = opened(page, query)
        came, whole = parse_qs(query, keep_blank_values=True), address(at)
        lost = {name for name, values in came.items() if name in ALL_FIELDS and values != [whole.get(name)]}
        lost = {name for name in lost if written(default(name)) not in came[name]}
        for name in lost | set(misspelt(came)):
            assert f"`{name}`" in said(at) or means(came[name][0], whole.get(name, "")), (query, name)
        again = opened(page, urlencode(whole))
        assert address(again) == whole, query
        assert not said(again), query


@pytest.mark.parametrize(
    ("query", "told", "left"),
    [
        ("seed=12345", "`seed`: `12345` → `9999`", {"seed": "9999"}),
        ("mask=full.", "`mask`: `full.` → `preset`", {}),
        ("seed=", "`seed`: {nothing} → `0`", {}),
        ("seed=1&seed=2", "`seed`: `1, 2` → `2`", {"seed": "2"}),
        ("seed=2&seed=x", "`seed`: `2, x` → `0`", {}),
        ("head=9", "`head`: `9` → `4`", {"head": "4"}),
        ("preset=story&head=9", "`head`: `9` → `1`", {"preset": "story"}),
        ("sentence=2", "`sentence`: `2` → `1`", {}),
        ("lecture=tour&seed=3&stop=77", "`stop`: `77` → `12`", {"lecture": "tour", "seed": "3", "stop": "12"}),
        ("lecture=nope", "`lecture`: `nope` → `none`", {}),
        ("lecture=own", "", {"lecture": "own"}),
        ("painted=CDD", "`painted`: `CDD` → `CD`", {"painted": "CD"}),
        ("text=a+%E7%8Cb", "`text`: `a \ufffdb` → `a b`", {"text": "a b"}),
        ("heds=3", "`heds`", {}),
        ("Heads=3", "`Heads`", {}),
        ("amp;heads=3", "`amp;heads`", {}),
        ("utm_source=mail&cell=weights.3.1", "", {"utm_source": "mail", "cell": "weights.3.1"}),
        ("cell=nonsense", "`cell`", {}),
        ("heads_off=nonsense", "`heads_off`", {}),
        ("backward_of=nonsense", "`backward_of`", {}),
        ("model_off=nonsense", "`model_off`", {}),
        ("model_off=1.2,99.1", "`model_off`: `1.2,99.1` → `1.2`", {"model_off": "1.2"}),
        ("text=a%ZZ+%", "", {"text": "a%ZZ %"}),
    ],
)
def test_what_a_link_lost_is_said(query, told, left):
    at = opened(HOME, query)
    assert told.format(nothing=say("link.nothing")) in said(at)
    assert bool(told) == bool(said(at))
    assert address(at) == left


def test_a_long_value_is_quoted_where_it_was_damaged():
    words = " ".join(map(str, range(40)))
    at = opened(HOME, urlencode({"text": f"{words} \x00here {words}"}))
    assert "here" in said(at)
    assert len(said(at)) < 300


def test_a_misspelt_control_is_told_from_a_stranger():
    assert misspelt(["haeds", "MASK", "d_kk", "amp;seed"]) == ("haeds", "MASK", "d_kk", "amp;seed")
    assert (
        misspelt([*ALL_FIELDS, "cell", "utm_source", "fbclid", "embed", "embed_options", "edited", "pinned", "id"])
        == ()
    )


def test_a_kept_screen_that_cannot_be_read_is_said_to_be_gone():
    said = told({"pinned": ("\x00", written(default("pinned")))}, ())
    assert say("link.dropped", name="`pinned`") in said
    assert "preset" not in said
