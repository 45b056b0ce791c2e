"""A sentence with a number or a word such as *all* has a claim that its screens fulfil, or a reason to need none."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shell.i18n import LANGUAGES, catalogue
from pages.shell.screen import Screen
from pages.shell.state.url import written
from tests.shell.test_published import SAID
from tests.shell.test_text_numbers import WRITTEN
from tests.support.claims import CLAIMS, Claim, said, spoken
from tests.support.covering import EVERY_TEST, EXHAUSTIVE
from tests.support.random_screens import drawn, screens

# The number of screens for each page with claims.
SCREENS = 1000 if EXHAUSTIVE else 100 if EVERY_TEST else 20
REASONS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "reasons.toml").read_text(encoding="utf-8"))
# Words that a setting may make untrue. Holes, addresses and code are not counted as words.
UNIVERSAL = {
    "en": r"\d|\b(?:always|never|only|all|every|any|none?|nothing|exactly|largest|smallest|at (?:most|least)|"
    r"vanish\w*|cannot)\b",
    "zh": r"\d|总是|从不|永远|绝不|只|全部|所有|任何|没有|无论|恰好|正好|完全|最大|最小|至多|至少|消失|不会",
}
BARE = re.compile(r"\{\{\w+\}\}|`[^`]*`|\$[^$]*\$|\]\([^)]*\)|[A-Z]\d\b|\b[wW]_\w\b")
PAGES = sorted({one.view.partition(".")[0] for one in CLAIMS.values()})


def bold(language: str) -> set[str]:
    """The sentences of a language that need a claim or a reason."""
    texts = catalogue(language).items()
    return {id for id, text in texts if re.search(UNIVERSAL[language], BARE.sub(" ", text), re.IGNORECASE)}


def test_every_bold_sentence_has_a_claim_or_a_reason():
    found = set().union(*map(bold, LANGUAGES))
    listed = Counter(id for ids in REASONS.values() for id in ids)
    assert not [id for id, times in listed.items() if times > 1 or id in CLAIMS]
    assert not sorted({*listed} - {*catalogue("en")}), "no such sentences any more: take them out of reasons.toml"
    lacking = sorted(found - {*CLAIMS} - {*listed})
    assert not lacking, f"each needs a claim (tests/support/claims) or a reason (tests/shell/reasons.toml): {lacking}"


def test_a_number_of_a_table_is_compared_with_it():
    assert {*REASONS["tables"]} <= {*WRITTEN, *SAID, "models.next_token.text"}


def holds(id: str, one: Claim, link: dict[str, str], language: str, texts: list[str]) -> int:
    """Check the claim for each time that a screen has the sentence; returns how often it had it."""
    screen = Screen(one.view.partition(".")[0], link, language)
    found = said(id, screen, texts)
    for values in found:
        sentence = catalogue(language)[id]
        assert one.holds(screen, values), f"{id} is not true of {screen.page}?{link}: {sentence!r} with {values}"
    return len(found)


def linked(settings: dict[str, Any]) -> dict[str, str]:
    return {name: written(value) for name, value in settings.items()}


@pytest.mark.parametrize("id", CLAIMS)
def test_a_claim_holds_where_its_sentence_is_known_to_be_said(id):
    one = CLAIMS[id]
    for language in LANGUAGES:
        for settings in one.screens:
            link = linked(settings)
            texts = spoken(Screen(one.view.partition(".")[0], link, language), one.view)
            assert holds(id, one, link, language, texts), f"{id} is not said on {settings}"


@pytest.mark.parametrize("page", PAGES)
def test_claims_hold_on_screens_at_random(page):
    own = {id: one for id, one in CLAIMS.items() if one.view.partition(".")[0] == page}

    @drawn(SCREENS)
    @given(link=screens(page), language=st.sampled_from(LANGUAGES))
    def hold(link, language):
        screen = Screen(page, link, language)
        texts = {view: spoken(screen, view) for view in {one.view for one in own.values()}}
        for id, one in own.items():
            holds(id, one, link, language, texts[one.view])

    hold()
