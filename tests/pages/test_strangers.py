"""Tokens, pinned screens and lecture files are texts of strangers. Wherever a page reads Markdown, they are code or
escaped letter by letter. Browser tests check what figures do with them."""

import json
import re
from collections.abc import Iterator

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from pages.shell.i18n.markdown import code, plain, quoted
from pages.shell.runs.run import run
from pages.shell.sections.matrix_editor import Grid, _frame
from pages.shell.state.config import Config, looks
from pages.shell.state.page_controls import CROSS
from tests.support.app import HOME, PAGES, app, blocks, in_markdown, no_exception

# The mark of every token that is a word. The rest means something to Markdown, LaTeX, HTML, tables or Streamlit.
MARK = "zqx"
TEXT = "__@__ `@` $@$ a|@ [@](javascript:@) <@> :red[@] ~~@~~ :@: #@".replace("@", MARK)
LINK = {"preset": "random", "text": f"{TEXT}\n{MARK} b", "mask": "causal", "dropout": 0.3, "sentence": 1}
# Elements that are not read as Markdown: fields, listings, and the data of our own scripts.
PLAIN = {"text_area", "text_input", "code", "bidi_component", "html", "arrow_data_frame"}
# A backslash stands before everything between the quotes that Markdown would read.
_ESCAPED = re.compile(r"(?<!\w)'(?:[^'\\`*_{}\[\]()<>#+\-.!|$:~&]|\\[^\w\s])*'(?!\w)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def strings(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for one in values:
            if isinstance(one, Message):
                yield from strings(one)
            elif isinstance(one, str) and field.name not in ("id", "url", "value", "default", "raw_values"):
                yield one


def read_as_markdown(at: AppTest) -> list[str]:
    """Every text that a page reads as Markdown, and some others."""
    of_views = list(in_markdown(blocks(at)))
    nodes = [node for node in at.main.root if getattr(node, "proto", None) is not None and node.type not in PLAIN]
    return of_views + [text for node in nodes if isinstance(node.proto, Message) for text in strings(node.proto)]


def outside_code(text: str) -> str:
    """The text without its code, and without words in quotes that are escaped letter by letter."""
    return _ESCAPED.sub("", _CODE.sub("", text))


@pytest.mark.parametrize("page", sorted(filter(looks, PAGES)))
def test_the_tokens_of_a_stranger_are_code_or_escaped_wherever_markdown_is_read(page):
    pinned = Config.of({**{name: str(value) for name, value in LINK.items()}, "text": TEXT[::-1], "scale": "none"})
    link = LINK | {"context": TEXT, "pinned": pinned.bundled()}
    cell = {HOME: "weights.2.0.result", CROSS: "weights.2.0.crossed", "heads": "weights.2.0.heads"}
    at = app(page, **link, **({"cell": cell[page]} if page in cell else {}))
    assert no_exception(at)
    for text in read_as_markdown(at):
        assert MARK not in outside_code(text), text
        assert MARK[::-1] not in outside_code(text), text


def test_the_words_of_a_stranger_are_found_where_they_are():
    at = app(HOME, **LINK, cell="weights.2.0.result")
    assert any(MARK in text for text in read_as_markdown(at))
    assert outside_code(f"a `{MARK}` ``b`{MARK}`` c") == "a   c"
    assert MARK in outside_code(f"a `b\n {MARK}")
    assert outside_code(f"a '{plain(f'[{MARK}](b)')}' c") == "a  c"
    assert MARK in outside_code(f"a '[{MARK}](b)' c")
    assert MARK in outside_code(f"a '{MARK}: c'")


ENDS = ["\n", "\r", "\r\r", "\r\n\r\n", "\n\n", "\x0b\x0b", "\x85\x85", "\u2028\u2028", "\x00", "`", "``\n\n", "\t"]


@pytest.mark.parametrize("end", ENDS, ids=ascii)
@pytest.mark.parametrize("written", [code, quoted])
def test_nothing_ends_the_code_that_a_link_is_quoted_in(end, written):
    """Two carriage returns end a paragraph, and the text after them was once read as Markdown, links and all."""
    told = written(f"a{end}[x](https://x)")
    assert re.fullmatch(r"`[^`\n\r\x0b\x85\u2028\x00\t]+`", told)
    assert told.endswith("[x](https://x)`")


def test_what_a_link_says_cannot_leave_its_code():
    (toast,) = app(HOME, mask="a\r\r[x](https://x) **b**").toast
    assert "\r" not in toast.value
    assert "[x]" not in outside_code(toast.value)


@pytest.mark.parametrize(
    "text", [TEXT, "![x](x)", "1. a", "- a", "a  \nb", "&lt;", "\\$", "$$x$$", "a\r\r# b", "| a |"]
)
def test_a_text_of_a_lecture_is_escaped_letter_by_letter(text):
    told = plain(text)
    for letter in r"`*_{}[]()<>#+-.!|$:~&":
        assert re.search(rf"(?<!\\)(?:\\\\)*{re.escape(letter)}", told) is None, (letter, told)
    assert not re.search(r"[\n\r]", told)


def test_a_lecture_of_a_stranger_is_text_in_its_bar_and_its_notes():
    said = json.dumps(TEXT)
    texts = "".join(f"{name} = {said}\n" for name in ("question", "answer", "look", "notes"))
    file = f'title = {said}\n[[stop]]\npage = "masks"\n{texts}choices = [{said}]\n'
    at = app("masks")
    at.file_uploader(key="lecture-upload").upload("lecture.toml", file.encode(), "application/toml").run()
    at.session_state["lecture-notes"] = True
    at.button(key="lecture-reveal").click().run()
    assert no_exception(at)
    told = [text for text in read_as_markdown(at) if MARK in text]
    assert len(told) > 3
    for text in told:
        assert plain(TEXT) in text
        assert MARK not in text.replace(plain(TEXT), "")


def test_a_file_of_a_stranger_is_refused_in_escaped_words():
    at = app("masks")
    file = f'title = "T"\n[[stop]]\npage = {json.dumps(TEXT)}\n'
    at.file_uploader(key="lecture-upload").upload("lecture.toml", file.encode(), "application/toml").run()
    assert no_exception(at)
    (error,) = at.error
    assert MARK in error.value
    assert plain(TEXT) in error.value


def test_the_grid_that_is_typed_into_can_be_saved_as_csv():
    """Streamlit offers the grid as CSV by itself. No row begins with the token, and every number is a plain number."""
    shown = run(Config(preset="random", text="= + - @ =1 +2"))
    x = shown.trace["x"].of().numpy()
    frame = _frame(Grid(0, "random", "x", 0, shown.tokens, x, x))
    assert all(label[0].isdecimal() for label in (*frame.index, *frame.columns))
    assert all(re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell) for cell in frame.to_numpy().ravel())
