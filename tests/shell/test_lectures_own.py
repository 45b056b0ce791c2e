"""A lecture of one's own: screens that are saved as its stops, and a file that is opened on the page."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.shell.i18n import say
from pages.shell.i18n.markdown import plain
from pages.shell.lectures.format import lecture, read
from pages.shell.lectures.writing import file, table
from pages.shell.state.reader import LECTURES
from pages.shell.state.registry import ALL_FIELDS
from tests.shell.test_lecture_files import GOOD, refusal
from tests.support.app import app, held, markdown, no_exception, widget


class TestOwn:
    def saved(self) -> AppTest:
        at = app("masks", mask="window", width=5, text="one <b>two</b>\nthree", preset="random")
        at.button(key="lecture-save").click().run()
        at.switch_page("../../pages/scaling.py").run()
        widget(at, "d").set_value("128").run()
        at.button(key="lecture-save").click().run()
        assert no_exception(at)
        return at

    def test_screens_are_saved_as_stops_of_a_file_that_can_be_opened(self):
        on = read(file("My lecture", self.saved().session_state["lecture_saved"]))
        first, second = on.stops
        assert first.page == "masks"
        assert first.screen == {"preset": "random", "text": "one <b>two</b>\nthree", "mask": "window", "width": 5}
        assert second.page == "scaling"
        assert second.screen["d"] == "128"

    @pytest.mark.models
    def test_a_stop_on_a_page_with_a_pipeline_keeps_the_step_that_stands_large(self):
        at = app("models", model_layer=2, step="scores", told=3)
        at.button(key="lecture-save").click().run()
        (stop,) = read(file("My lecture", at.session_state["lecture_saved"])).stops
        assert stop.screen == {"model_layer": 2, "step": "scores", "told": 3}

    @pytest.mark.parametrize("hostile", ['"""', "\\", "\x7f", "'''\n[[stop]]", "猫 🦊 \u2028", "{{x}}"])
    def test_any_value_comes_back_as_it_was(self, hostile):
        text = ALL_FIELDS["text"].nearest(hostile, "")
        on = read(file(hostile, [{"page": "masks", "screen": {"text": text}, "cell": hostile}]))
        assert on.title == on.stops[0].cell == hostile
        assert on.stops[0].screen == {"text": text}

    def test_questions_and_the_order_of_stops_are_written_in_the_app(self):
        at = self.saved()
        at.text_input(key=self.key(at, "question")).set_value("Which <b>words</b>?").run()
        at.text_area(key=self.key(at, "choices")).set_value("near ones\n\n far ones ").run()
        at.button_group(key=self.key(at, "right")).set_value("b").run()
        at.text_area(key=self.key(at, "answer")).set_value("Far ones.").run()
        at.toggle(key=self.key(at, "cover")).set_value(True).run()
        at.button(key="lecture-up").click().run()
        assert no_exception(at)
        # The stop that is being written is the one saved last, and has become the first.
        assert at.button(key="lecture-up").disabled
        at.button(key="lecture-give").click().run()
        assert no_exception(at)
        assert at.title[0].value == say("page.scaling.title")
        first, second = at.session_state["lecture_file"].stops
        assert (first.question, first.choices, first.right) == ("Which <b>words</b>?", ("near ones", "far ones"), "b")
        assert (first.answer, first.cover, first.page) == ("Far ones.", True, "scaling")
        assert second.page == "masks"
        assert any(plain("Which <b>words</b>?") in markdown.value for markdown in markdown(at))
        # The other stop has fields of its own.
        at.button_group(key=self.key(at, "edit")).set_value(2).run()
        assert no_exception(at)
        assert at.text_input(key=self.key(at, "question")).value == ""
        at.button_group(key=self.key(at, "edit")).set_value(1).run()
        # If its choice is gone, no letter is right.
        at.text_area(key=self.key(at, "choices")).set_value("near ones").run()
        at.button(key="lecture-remove").click().run()
        assert no_exception(at)
        assert [stop["page"] for stop in at.session_state["lecture_saved"]] == ["masks"]

    def key(self, at: AppTest, name: str) -> str:
        kinds = ("text_input", "text_area", "button_group", "toggle")
        (key,) = (one.key for kind in kinds for one in at.get(kind) if (one.key or "").startswith(f"lecture-{name}-"))
        return key

    def test_a_lecture_that_was_opened_can_be_written_on_and_keeps_its_other_languages(self):
        text = GOOD + 'question = { en = "Why?", zh = "为什么？" }\n'
        at = self.opened(text.encode())
        at.button(key="lecture-edit-open").click().run()
        at.text_input(key=self.key(at, "question")).set_value("How?").run()
        assert at.session_state["lecture_saved"][0]["question"] == {"en": "How?", "zh": "为什么？"}

    @pytest.mark.parametrize("name", LECTURES)
    def test_what_is_written_is_read_as_the_same_lecture(self, name):
        on = lecture(name)
        again = read(file(on.title, [table(stop) for stop in on.stops], on.minutes))
        # The stops are compared as text, because NaN differs from itself.
        assert repr(again) == repr(on)

    def test_a_file_with_the_mark_of_an_editor_on_windows_opens(self):
        at = self.opened(b"\xef\xbb\xbf" + GOOD.replace("masks", "heads").encode())
        assert not at.error
        assert at.title[0].value == say("page.heads.title")

    def test_a_stop_without_a_question_shows_its_number_alone(self):
        at = self.opened(GOOD.encode())
        assert not any("**" in one.value and say("lecture.stop", number=1, all=1) in one.value for one in markdown(at))

    def opened(self, content: bytes, **parameters) -> AppTest:
        at = app("masks", **parameters)
        at.file_uploader(key="lecture-upload").upload("lecture.toml", content, "application/toml").run()
        assert no_exception(at)
        return at

    def test_a_file_that_is_opened_is_presented(self):
        text = GOOD.replace("masks", "heads") + 'question = "What is <b>this</b>?"\nscreen = { heads = 7 }\n'
        at = self.opened(text.encode())
        assert at.title[0].value == say("page.heads.title")
        assert held(at)["heads"] == "7"
        assert any(plain("What is <b>this</b>?") in markdown.value for markdown in markdown(at))

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
            (b"#\n\xff\xfe", "line 2: it is not UTF-8 text"),
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
            widget(at, "lang").set_value(language).run()
            told = plain(refusal(broken).told(language))
            assert at.error[0].value == say("lecture.refused", language, reason=told)
