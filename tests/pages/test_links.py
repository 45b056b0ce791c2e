"""A screen is its link: random links open the same screen again, and the page tells a link's damaged parameters."""

import json
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.rewritten import misspelt, told
from pages.shell.state.url import means, written
from tests.support.app import FRAME, HOME, PAGES, no_exception
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.random_screens import drawn, screens

# The number of screens for each of three pages. The fast form has few, since all pages share the code that writes and
# reads an address.
SCREENS = 12 if EXHAUSTIVE else 4 if EVERY_TEST else 2


def opened(page: str, query: str) -> AppTest:
    """The page that a query opens; Streamlit reads a query as `parse_qs` does."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, values in parse_qs(query, keep_blank_values=True).items():
        at.query_params[name] = values
    at = at.run() if page == HOME else at.switch_page(f"../../pages/{page}.py").run()
    assert no_exception(at), query
    return at


def address(at: AppTest) -> dict[str, str]:
    """The parameters that the browser is told to write into its address. An empty text removes its parameter."""
    (told,) = [json.loads(one.proto.json)["settings"] for one in at.get("bidi_component") if is_address(one)]
    return {name: text for name, text in told["texts"].items() if text}


def is_address(component) -> bool:
    return component.proto.id.endswith("-plot-settings")


def said(at: AppTest) -> str:
    return " ".join(toast.value for toast in at.toast)


@pytest.mark.parametrize("page", PAGES)
def test_a_random_screen_has_the_link_that_opens_it(page):
    @drawn(SCREENS if EVERY_TEST else 1)
    @given(screens(page).filter(bool))
    def opens(link):
        at = opened(page, urlencode(link))
        assert address(at) == link
        assert not said(at)

    opens()


def cut(draw: st.DrawFn, query: str) -> str:
    return query[: draw(st.integers(1, len(query) - 1))]


def flipped(draw: st.DrawFn, query: str) -> str:
    """The query with one bit of one character flipped, or with a % in its place if a link cannot have the result."""
    place = draw(st.integers(0, len(query) - 1))
    other = chr(ord(query[place]) ^ 1 << draw(st.integers(0, 6)))
    return query[:place] + (other if " " < other < "\x7f" and other != "#" else "%") + query[place + 1 :]


def doubled(draw: st.DrawFn, query: str) -> str:
    return f"{query}&{named(draw, query)}={draw(st.sampled_from(('', '3', 'true', 'full', '%E7%8C')))}"


def strange(draw: st.DrawFn, query: str) -> str:
    name = named(draw, query)
    return f"utm_source=mail&{query.replace(name, name + 'x', 1)}"


def named(draw: st.DrawFn, query: str) -> str:
    return draw(st.sampled_from([part.split("=")[0] for part in query.split("&")]))


@st.composite
def damaged(draw: st.DrawFn, page: str, damage) -> str:
    return damage(draw, urlencode(draw(screens(page).filter(bool))))


@pytest.mark.parametrize("damage", [cut, flipped, doubled, strange])
@pytest.mark.parametrize("page", ["walkthrough", "order", "one_query"])
def test_a_damaged_link_opens_a_screen_whose_link_is_whole(page, damage):
    @drawn(SCREENS // 2)
    @given(damaged(page, damage))
    def opens(query):
        at = opened(page, query)
        came, whole = parse_qs(query, keep_blank_values=True), address(at)
        lost = {name for name, values in came.items() if name in ALL_FIELDS and values != [whole.get(name)]}
        lost = {name for name in lost if written(default(name)) not in came[name]}
        for name in lost | set(misspelt(came)):
            assert f"`{name}`" in said(at) or means(came[name][0], whole.get(name, "")), (query, name)
        again = opened(page, urlencode(whole))
        assert address(again) == whole
        assert not said(again)

    opens()


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
        # The step has 11 rows and columns.
        ("cell=weights.11.3.result", "`cell`", {}),
        ("cell=weights.10.10.result", "", {"cell": "weights.10.10.result"}),
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
