"""The printed page: every blank of a sheet has its solution in the key, and typed text stays text."""

import time
from dataclasses import replace
from itertools import chain
from xml.etree import ElementTree

import pytest
import torch

from attention.export.worksheet import MOST_TOKENS, sheet
from pages.shell.exports import worksheet
from pages.shell.exports.worksheet_back import WayBack
from pages.shell.i18n import LANGUAGES, say
from pages.shell.runs.run import run as computed_run
from pages.shell.state.config import SCALES, Config
from tests.support.app import computed

HOSTILE = "<img src=x onerror=alert(1)>\n$x$ \\frac{1}{2} `a` **b**\n\"'&amp; </td> ]]> 坐"
SCREENS = {
    "default": {},
    "no mask": {"mask": "full"},
    "no scale": {"scale": "none"},
    "another scale": {"scale": "sqrt_d_model", "seed": 7},
    "an empty row": {"mask": "full", "painted": "BABBBC"},
    "two words": {"preset": "random", "text": "one two three four\n五 六", "sentence": 2},
    "one word": {"preset": "random", "text": "one", "last": 1},
    "last queries": {"last": 2, "corner": "lower_right"},
    "today": {"preset": "random", "positions": "alibi", "softcap": "5", "sink": "1", "head": 2},
}
each_screen = pytest.mark.parametrize("screen", SCREENS)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def printed(count: int = 2, language: str = "en", **link) -> ElementTree.Element:
    """The page, parsed as well-formed XML: so no token has closed or opened an element."""
    return ElementTree.fromstring(worksheet.made(computed(**link).config, count, language, "/?a=b&c"))


def within(page: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in page.iter() if element.get("class") == name]


def texts(elements) -> list[str]:
    return ["".join(element.itertext()) for element in elements]


def matrices(part: ElementTree.Element) -> list[list[list[tuple[str, str]]]]:
    """The rows of cells of each matrix, each cell with its class and text."""
    tables = [table for table in part.iter("table") if table.get("class") != "powers"]
    rows = ([row.findall("td") for row in table.find("tbody")] for table in tables)
    return [[[(cell.get("class", ""), cell.text or "") for cell in row] for row in table] for table in rows]


@each_screen
def test_what_is_empty_on_a_sheet_is_answered_in_its_key(screen):
    page = printed(**SCREENS[screen])
    sheets, keys = within(page, "sheet"), within(page, "key")
    assert len(sheets) == len(keys) == 2
    for one, key in zip(sheets, keys, strict=True):
        asked = [matrix for matrix in matrices(one) if any(kind for row in matrix for kind, _ in row)]
        answered = matrices(key)
        assert len(asked) == len(answered) >= 7
        for question, answer in zip(asked, answered, strict=True):
            for before, after in zip(chain(*question), chain(*answer), strict=True):
                assert before in ((after[0], after[1]), ("blank", ""))
                assert (before == ("blank", "")) == (after[0] == "answer")
                assert after[1]


@each_screen
def test_the_sheets_have_the_words_the_mask_and_the_scale_of_the_screen(screen):
    link = SCREENS[screen]
    shown = computed(**{name: value for name, value in link.items() if name not in ("last", "corner")})
    count = min(MOST_TOKENS, shown.inputs.lengths[shown.sentence])
    page = printed(**link)
    (first, _), words = within(page, "sheet"), list(shown.tokens[:count])
    assert texts(first.iter("th"))[:count] == words
    mask = shown.trace["mask"].of(batch=shown.sentence) if "mask" in shown.trace else torch.ones(9, 9)
    hidden = mask[:count, :count].tolist()
    *_, small = within(first, "small") or [None]
    drawn = [[cell.text == "1" for cell in row] for row in small.find("tbody")] if small is not None else None
    assert drawn == (None if all(map(all, hidden)) else hidden)
    titles = texts(first.iter("h2"))
    by = {"none": "c=1.", "sqrt_d_model": "c=0.7071.", "d_k": "c=0.25."}.get(shown.config.scale, "dk.")
    assert [title for title in titles if by in title]
    empties = [title for title in titles if "gets zeros" in title]
    assert bool(empties) == (not all(map(any, hidden)))


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_of_the_screen_can_be_printed(scale):
    assert len(within(printed(scale=scale), "sheet")) == 2


@pytest.mark.parametrize("sentence", [1, 2, 3])
def test_whatever_is_typed_stays_text(sentence):
    link = {"preset": "random", "sentence": sentence}
    hostile, plain = printed(text=HOSTILE, **link), printed(text="a b c\nd e f\ng h i", **link)
    assert [element.tag for element in hostile.iter()] == [element.tag for element in plain.iter()]
    shown = computed(text=HOSTILE, **link)
    assert texts(within(hostile, "sheet")[0].iter("th"))[:3] == list(shown.tokens[:3])
    assert texts(hostile.iter("code")) == ["/?a=b&c"]


def test_a_very_long_word_is_cut():
    (first, *_) = texts(printed(preset="random", text="M" * 3000).iter("th"))
    assert first == "M" * 11 + "…"


def test_nothing_on_the_page_can_run_or_be_fetched():
    page = printed(preset="random", text=HOSTILE)
    assert not {"script", "img", "link", "iframe", "object"} & {element.tag for element in page.iter()}
    (policy,) = [meta.get("content") for meta in page.iter("meta") if meta.get("http-equiv")]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert not [name for element in page.iter() for name in element.attrib if name.startswith("on")]


@each_language
def test_it_speaks_the_language_it_is_asked_for(language):
    page = printed(language=language)
    assert page.get("lang") == say("app.language", language)
    assert texts(page.iter("title")) == [f"{say('worksheet.title', language)} 0–1"]
    assert say("worksheet.key_lead", language) in texts(page.iter("p"))
    others = [one for one in LANGUAGES if one != language]
    assert not any(say("worksheet.key_lead", other) in texts(page.iter("p")) for other in others)


def test_sheets_are_numbered_from_the_seed_on_and_each_is_the_same_in_any_pile():
    three, alone = printed(3, seed=41), printed(1, seed=43)
    numbers = [say("worksheet.number", number=number) for number in (41, 42, 43)]
    assert texts(key.find("h2") for key in within(three, "key")) == numbers
    assert matrices(within(three, "sheet")[2]) == matrices(within(alone, "sheet")[0])
    assert matrices(within(three, "sheet")[0]) != matrices(within(three, "sheet")[1])


@pytest.mark.parametrize(("asked", "made"), [(0, 1), (1, 1), (40, 40), (10**9, 40)])
def test_there_are_as_many_as_a_room_has_students_and_no_more(asked, made):
    assert len(within(printed(asked), "sheet")) == made


def test_forty_sheets_are_made_within_a_second():
    config = computed().config
    worksheet.made(config, 1, "en", "")
    start = time.process_time()
    worksheet.made(config, 40, "en", "")
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("seed", "count", "name"), [(0, 1, "attention-worksheet-0.html"), (7, 40, "attention-worksheet-7-46.html")]
)
def test_the_file_is_named_by_its_sheets(seed, count, name):
    assert worksheet.name(replace(Config(), seed=seed), count) == name


@each_language
def test_the_questions_stand_once_with_their_answers_among_the_keys(language):
    page = printed(3, language=language)
    asked, answered = within(page, "question"), within(page, "answered")
    assert len(asked) == 4
    (answer,) = answered
    assert len(answer.findall("p")) == 4
    assert "NaN" in "".join(answer.itertext())


def by_torch(one) -> list[torch.Tensor]:
    """The gradients of A, of the scores that softmax reads, of the raw scores and of Q, for the gradient of O."""
    values = {id: step.of() for id, step in one.trace.items()}
    q, k, v = (values[id].clone().requires_grad_(True) for id in ("queries", "keys", "values"))
    raw = q @ k.T
    scaled = raw * one.factor
    hidden = scaled if "mask" not in values else scaled.masked_fill(~values["mask"], -torch.inf)
    empty = (hidden == -torch.inf).all(-1, keepdim=True)
    weights = hidden.masked_fill(empty, 0).softmax(-1).masked_fill(empty, 0)
    return list(torch.autograd.grad((weights @ v * one.upstream).sum(), (weights, hidden, raw, q)))


@each_screen
def test_the_page_on_gradients_asks_for_what_torch_finds_and_each_has_its_key(screen):
    config = computed(**SCREENS[screen]).config
    page = ElementTree.fromstring(worksheet.made(config, 2, "en", "", back=True))
    sheets = [parsed(config, seed) for seed in (config.seed, config.seed + 1)]
    asked, keys = within(page, "back"), within(page, "key")
    assert len(asked) == len(keys) == len(within(page, "sheet")) == 2
    for one, shown, key in zip(sheets, asked, keys, strict=True):
        way = WayBack(one)
        for step, expected in zip(way.tasks.values(), by_torch(one), strict=True):
            torch.testing.assert_close(step.of(), expected, rtol=0, atol=1e-12)
        given, *blanks = matrices(shown)
        assert len(blanks) == 4
        assert [[int(text.replace("−", "-")) for _, text in row] for row in given] == one.upstream.tolist()
        for question, answer in zip(blanks, matrices(key)[-4:], strict=True):
            for row, (before, after) in enumerate(zip(question, answer, strict=True)):
                left_out = row != one.worked
                assert [kind == "blank" for kind, _ in before] == [left_out] * len(before)
                assert all(text for _, text in after)


def parsed(config, seed):
    shown = computed_run(config.all_asking(), record_mask=True)
    count = min(MOST_TOKENS, shown.inputs.lengths[shown.sentence])
    mask = shown.trace["mask"].of(**shown.where)[:count, :count]
    return sheet(seed, count, mask=None if mask.all() else mask, scale=config.scale)


def test_with_the_numbers_of_a_sheet_as_they_are_written_a_student_comes_within_the_first_decimal():
    """The lead claims this for weights of two decimals, with each result rounded again."""
    furthest = 0.0
    for number in range(40):
        one = sheet(number, 3)
        upstream, values = one.upstream, one.trace["values"].of()
        weights = one.trace["weights"].of().round(decimals=2)
        come = upstream @ values.T
        by_hand = weights * (come - (weights * come).sum(-1, keepdim=True).round(decimals=2))
        furthest = max(furthest, (by_hand.round(decimals=2) - by_torch(one)[1]).abs().max().item())
    assert 0.01 < furthest < 0.1
