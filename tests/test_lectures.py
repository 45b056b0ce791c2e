"""Lectures are data: a broken file is refused with its line, and every stop shows its screen and hides its answer."""

import re
import time
import tracemalloc
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.knobs import written
from pages.shell.lectures import MOST_LETTERS, MOST_STOPS, LectureError, in_language, lecture, pages, read
from pages.shell.lectures.deep import deepest
from pages.shell.own import EVERY, LECTURES, default
from pages.shell.own_lecture import MOST_BYTES, file
from pages.shell.text import catalogue, plain, say
from tests.app_support import PAGES, ROOT, app, cards, charts, no_exception
from tests.support import refused

STOPS = [(name, number) for name in LECTURES for number in range(1, len(lecture(name).stops) + 1)]
each_stop = pytest.mark.parametrize(("name", "number"), STOPS, ids=[f"{name} {number}" for name, number in STOPS])
GOOD = 'title = "T"\nminutes = 5\n\n[[stop]]\npage = "masks"\n'

LECTURE_FILES = ROOT / "pages" / "shell" / "lectures"


@cache
def at_stop(name: str, number: int) -> AppTest:
    at = app(None, lecture=name, stop=number)
    assert no_exception(at)
    return at


@each_stop
def test_a_stop_shows_its_page_and_its_screen(name, number):
    at, stop = at_stop(name, number), lecture(name).stops[number - 1]
    assert at.title[0].value == say(f"page.{stop.page}.title")
    for control in EVERY:
        if control not in ("lang", "lecture", "stop", "present"):
            assert at.session_state[control] == stop.screen.get(control, default(control)), control


@each_stop
def test_a_stop_asks_and_hides_its_answer_until_it_is_wanted(name, number):
    at, stop = app(None, lecture=name, stop=number), lecture(name).stops[number - 1]
    texts = "\n".join(markdown.value for markdown in at.markdown)
    assert plain(in_language(stop.question, "en")) in texts
    assert all(plain(in_language(choice, "en")) in texts for choice in stop.choices)
    assert not at.success
    at.button(key="lecture-reveal").click().run()
    assert plain(in_language(stop.answer, "en")) in at.success[0].value
    at.button(key="lecture-reveal").click().run()
    assert not at.success


@each_stop
def test_the_speaker_has_what_to_look_at_and_the_answer_at_hand(name, number):
    stop, texts = lecture(name).stops[number - 1], [markdown.value for markdown in at_stop(name, number).markdown]
    for part in (stop.look, stop.notes, stop.answer):
        assert not part or plain(in_language(part, "en")) in texts


@each_stop
def test_a_stop_points_at_a_figure_that_is_there(name, number):
    stop = lecture(name).stops[number - 1]
    if stop.figure:
        at = at_stop(name, number)
        assert stop.figure in {*charts(at), *(id for chapter in cards(at).values() for id in chapter)}


@pytest.mark.parametrize("name", LECTURES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_shipped_lecture_speaks_every_language(name, language):
    on = lecture(name)
    texts = [on.title, *(t for stop in on.stops for t in (stop.question, stop.answer, stop.look, *stop.choices))]
    assert all(isinstance(text, str) or text.get(language) for text in texts)


def test_the_pages_of_a_stop_are_the_pages():
    assert list(pages()) == PAGES


def test_a_lecture_may_be_short():
    on = read(GOOD)
    assert (on.title, on.minutes, on.stops[0].page, on.stops[0].screen) == ("T", 5, "masks", {})


# A file, and what is said of it.
MANY = 20_000
# Small files that would take gigabytes or minutes, or what Python itself refuses.
BOMBS = {
    "nested": "a = " + "[" * 5000,
    "dotted key": "a." * MANY + "a = 1",
    "dotted table": f"[{'a.' * MANY}a]",
    "quoted parts": '"b c" . ' * MANY + "a = 1",
    "behind a text": f"a = {{ b = '''c'''', {'a.' * MANY}a = 1 }}",
    "behind a text of two": f'a = {{ b = """c"""", {"a." * MANY}a = 1 }}',
    "dotted in a stop": f"{GOOD}screen.mask{'.a' * MANY} = 1\n",
    "inline tables": GOOD.replace("5", "{ a = " * 400 + "1" + " }" * 400),
    "many tables": "".join(f"[a{number}]\n" for number in range(MANY)),
    "many stops": GOOD + "[[stop]]\n" * MANY,
    "digits": GOOD.replace("5", "9" * MANY),
    "hexadecimal digits": GOOD.replace("5", "0x" + "f" * MANY),
    "digits of a control": f"{GOOD}screen = {{ seed = 0x{'f' * MANY} }}\n",
    "a long key": f"{'k' * MANY} = 1",
    "quotes": '"' * MANY,
    "escapes": '"\\' * MANY,
    "closed and escaped": '"""' + '\\"""' * MANY,
}
BROKEN = [
    ('title = "T"\n[[stop]\n', "line 2: this is no TOML"),
    ("", "line 1: a lecture has 1 to 99 stops"),
    ('title = "T"\n', f"line 1: a lecture has 1 to {MOST_STOPS} stops, each a [[stop]] table"),
    (GOOD.replace('"T"', "7"), "line 1: title must be a text"),
    (GOOD.replace("5", "-5"), "line 1: minutes must be a whole number up to 999, got -5"),
    (GOOD.replace("5", "true"), "line 1: minutes must be a whole number up to 999, got True"),
    ("author = 1\n" + GOOD, "line 1: unknown key 'author'; one of title, minutes, stop"),
    (GOOD.replace("masks", "nowhere"), "line 4: unknown page 'nowhere'; one of "),
    (GOOD + 'colour = "red"\n', "line 4: unknown key 'colour'; one of "),
    (GOOD + "screen = 1\n", "line 4: screen must be a table of controls"),
    (GOOD + "screen = { banana = 1 }\n", "line 4: unknown control 'banana'; one of "),
    (GOOD + "screen = { width = 9999 }\n", "line 4: width cannot be 9999; the nearest is '64'"),
    (GOOD + "screen = { mask = [1] }\n", "line 4: mask cannot be [1]; the nearest is 'causal'"),
    (GOOD + "question = 1\n", "line 4: question must be a text"),
    (GOOD + f'answer = "{"x" * (MOST_LETTERS + 1)}"\n', "line 4: answer must be a text of at most"),
    (GOOD + "choices = 'yes'\n", "line 4: choices must be a list of at most 8 texts"),
    (GOOD + "cell = 1\n", "line 4: cell must be a text such as 'weights.3.1'"),
    (GOOD + '\n[[stop]]\npage = "x"\n', "line 7: unknown page 'x'"),
    (GOOD.replace("[[stop]]", "[[ stop ]]").replace("masks", "x"), "line 4: unknown page 'x'"),
    ('title = """\n[[stop]]\n"""\nstop = [1]\n', "line 2: a stop is a table"),
    (GOOD + "choices = [" + "'a', " * 9 + "]\n", "line 4: choices must be a list of at most 8 texts"),
    (GOOD + "claims = [1]\n", "line 4: claims must be a list of tables"),
    (GOOD + "claims = 5\n", "line 4: claims must be a list of tables"),
    *((bomb, "line ") for bomb in BOMBS.values()),
]


@pytest.mark.parametrize(("file", "message"), BROKEN)
def test_a_broken_file_is_refused_with_its_line_and_the_reason(file, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read(file)


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_bomb_costs_little_and_is_told_in_a_line(bomb):
    tracemalloc.start()
    start = time.process_time()
    told = str(refusal(bomb))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000
    assert time.process_time() - start < 5
    assert len(told) < 400


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", 0),
        ("a = 1", 1),
        ("a.b.c = 1.5", 3),
        ("[a . \"b.c\" . 'd.e']", 3),
        ("a = 'b.c.d.e'  # f.g.h.i\n", 1),
        ('a = """b.c.d"""\ne.f = 1', 2),
        ("a = '''b.c''''\ne.f = 1", 2),
        ('a = "\\".b.c.d"', 1),
        ("a = b\n.c", 1),
    ],
)
def test_the_depth_of_a_key_is_known_before_it_is_read(text, parts):
    assert deepest(text) == parts


def test_a_shipped_lecture_is_far_from_any_limit():
    for name in LECTURES:
        text = (LECTURE_FILES / f"{name}.toml").read_text(encoding="utf-8")
        assert deepest(text) <= 2
        assert len(text.encode()) < MOST_BYTES / 2


def refusal(file: str) -> LectureError:
    with pytest.raises(LectureError) as caught:
        read(file)
    return caught.value


def test_every_reason_is_told_in_every_language():
    found = [refusal(file) for file, _ in BROKEN]
    ids = {id.removeprefix("lecture.wrong.") for id in catalogue("en") if id.startswith("lecture.wrong.")}
    # These two are told before a file is read.
    assert {one.reason for one in found} == ids - {"large", "no_text"}
    for one in found:
        assert str(one) == one.told("en")
        assert str(one.line) in one.told("zh")
        assert re.search("[\u4e00-\u9fff]", one.told("zh"))
        assert all(str(value) in one.told("zh") for value in one.values.values())


def test_an_unknown_lecture_is_an_error():
    with refused(f"unknown lecture 'x'; one of {', '.join(LECTURES)}"):
        lecture("x")


@pytest.mark.parametrize("text", ["a *b* _c_ `d` $e$ [f](g) <h> # 1. ~i~ :red[j] |k| \\l &amp; !m", "猫 坐"])
def test_what_a_lecture_says_is_text(text):
    at = AppTest.from_function(_written, kwargs={"text": plain(text)}).run()
    escaped = re.sub(r"\\(.)", r"\1", at.markdown[0].value)
    assert escaped == text
    assert not re.search(r"(?<!\\)[*_`$\[\]<>|~]", at.markdown[0].value)


def _written(text: str) -> None:
    import streamlit as st

    st.markdown(text)


def test_exploring_a_stop_and_coming_back_restores_it():
    name, number = STOPS[0]
    at = app(None, lecture=name, stop=number)
    stop = lecture(name).stops[number - 1]
    before = {control: at.session_state[control] for control in EVERY}
    at.session_state["lab_seed"] = 41
    at.session_state["mask"] = "window"
    at.run()
    at.button(key="lecture-restore").click().run()
    assert {control: at.session_state[control] for control in EVERY} == before
    assert at.title[0].value == say(f"page.{stop.page}.title")


def test_a_link_from_the_middle_of_exploring_keeps_its_own_screen():
    at = app("scaling", lecture="sqrt_d_k", stop=1, lab_seed=41)
    assert at.session_state["lab_seed"] == 41
    assert at.session_state["stop"] == 1


@pytest.mark.parametrize("name", LECTURES)
def test_the_buttons_lead_from_the_first_stop_to_the_last_and_back(name):
    at, last = app(None, lecture=name), len(lecture(name).stops)
    assert at.button(key="lecture-previous").disabled
    for number in range(2, last + 1):
        at.button(key="lecture-next").click().run()
        assert at.session_state["stop"] == number
        assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    at.button(key="lecture-previous").click().run()
    assert at.session_state["stop"] == last - 1
    at.button(key="lecture-end").click().run()
    assert "lecture-next" not in [button.key for button in at.button]


def test_a_stop_beyond_the_end_is_the_last_one():
    name = LECTURES[0]
    last = len(lecture(name).stops)
    at = app(None, lecture=name, stop=99)
    assert no_exception(at)
    assert at.button(key="lecture-next").disabled
    assert at.session_state["stop"] == last


def test_written_values_of_a_screen_open_by_link():
    for name in LECTURES:
        for stop in lecture(name).stops:
            for control, value in stop.screen.items():
                assert EVERY[control].nearest(written(value), default(control)) == value


class TestOwn:
    def saved(self) -> AppTest:
        at = app("masks", mask="window", width=5, text="one <b>two</b>\nthree", preset="random")
        at.button(key="lecture-save").click().run()
        at.switch_page("../../pages/scaling.py").run()
        at.session_state["d"] = "1024"
        at.run()
        at.button(key="lecture-save").click().run()
        assert no_exception(at)
        return at

    def test_screens_are_saved_as_stops_of_a_file_that_can_be_opened(self):
        on = read(file("My lecture", self.saved().session_state["lecture_saved"]))
        first, second = on.stops
        assert first.page == "masks"
        assert first.screen == {"preset": "random", "text": "one <b>two</b>\nthree", "mask": "window", "width": 5}
        assert second.page == "scaling"
        assert second.screen["d"] == "1024"

    @pytest.mark.parametrize("hostile", ['"""', "\\", "\x7f", "'''\n[[stop]]", "猫 🦊 \u2028", "{{x}}"])
    def test_any_value_comes_back_as_it_was(self, hostile):
        text = EVERY["text"].nearest(hostile, "")
        on = read(file(hostile, [{"page": "masks", "screen": {"text": text}, "cell": hostile}]))
        assert on.title == on.stops[0].cell == hostile
        assert on.stops[0].screen == {"text": text}

    def opened(self, content: bytes, **parameters) -> AppTest:
        at = app("masks", **parameters)
        at.file_uploader(key="lecture-upload").upload("lecture.toml", content, "application/toml").run()
        assert no_exception(at)
        return at

    def test_a_file_that_is_opened_is_presented(self):
        text = GOOD.replace("masks", "heads") + 'question = "What is <b>this</b>?"\nscreen = { heads = 7 }\n'
        at = self.opened(text.encode())
        assert at.title[0].value == say("page.heads.title")
        assert at.session_state["heads"] == 7
        assert any(plain("What is <b>this</b>?") in markdown.value for markdown in at.markdown)

    def test_another_file_begins_at_its_own_first_stop(self):
        at = self.opened(GOOD.replace("masks", "heads").encode())
        other = GOOD.replace("masks", "order").encode()
        at.file_uploader(key="lecture-upload").set_value(("other.toml", other, "application/toml")).run()
        assert no_exception(at)
        assert at.title[0].value == say("page.order.title")

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (GOOD.replace("masks", "nowhere").encode(), "line 4: unknown page 'nowhere'"),
            (b"#\n\xff\xfe", "line 2: it is not text"),
            (b"a = " + b"[" * 5000, "line 1: the tables"),
            (b"#" * 300_000, "line 1: 300000 bytes"),
        ],
        ids=["unknown page", "no text", "deep", "large"],
    )
    def test_a_broken_file_is_refused_on_the_page_and_nothing_is_lost(self, content, reason):
        at = self.opened(content)
        assert plain(reason) in at.error[0].value
        assert at.title[0].value == say("page.masks.title")

    def test_it_is_refused_in_the_language_of_the_visitor_whichever_that_is_later(self):
        broken = GOOD.replace("masks", "nowhere")
        at = self.opened(broken.encode(), lang="zh")
        for language in ("zh", "en"):
            at.selectbox(key="lang").set_value(language).run()
            told = plain(refusal(broken).told(language))
            assert at.error[0].value == say("lecture.refused", language, reason=told)
