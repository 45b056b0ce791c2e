"""A lecture in a broken file is refused with the line and the reason, before the file can cost time or memory."""

import re
import time
import tracemalloc

import pytest

from pages.shell.i18n import catalogue
from pages.shell.lectures.format import MOST_LETTERS, MOST_STOPS, LectureError, read
from pages.shell.lectures.recorder import MOST_BYTES
from pages.shell.lectures.toml_depth import deepest
from pages.shell.state.reader import LECTURES
from tests.support.app import ROOT

LECTURE_FILES = ROOT / "pages" / "shell" / "lectures"
GOOD = 'title = "T"\nminutes = 5\n\n[[stop]]\npage = "masks"\n'

# The number of repetitions in a hostile file, which stays small.
MANY = 20_000
# Small files that would take gigabytes or minutes, or that Python itself refuses.
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
    ('title = "T"\n[[stop]\n', "line 2: this is not valid TOML"),
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
    (GOOD + "screen = { mask = [1] }\n", "line 4: mask cannot be [1]; the nearest is 'preset'"),
    (GOOD + "question = 1\n", "line 4: question must be a text"),
    (GOOD + f'answer = "{"x" * (MOST_LETTERS + 1)}"\n', "line 4: answer must be a text of at most"),
    (GOOD + "choices = 'yes'\n", "line 4: choices must be a list of at most 8 texts"),
    (
        GOOD + "choices = ['yes', 'no']\nright = 'c'\n",
        "line 4: right must be the letter of one of its choices (a, b), got 'c'",
    ),
    (GOOD + "right = 'a'\n", "line 4: right must be the letter of one of its choices (), got 'a'"),
    (GOOD + "choices = ['yes']\nright = 1\n", "line 4: right must be the letter of one of its choices (a), got 1"),
    (GOOD + "cell = 1\n", "line 4: cell must be a text such as 'weights.3.1'"),
    (GOOD + "cover = 1\n", "line 4: cover must be true or false"),
    (GOOD + "play = 'yes'\n", "line 4: play must be true or false"),
    (GOOD + "at = 1\n", "line 4: at must be a text such as 'answers-future'"),
    (GOOD + "turn = 5\n", "line 4: turn must name one control"),
    (GOOD + "turn = { width = 3 }\n", "line 4: turn must name one control"),
    (GOOD + "turn = { width = [3], seed = [5] }\n", "line 4: turn must name one control"),
    (GOOD + "turn = { width = [3, 9999] }\n", "line 4: width cannot be 9999; the nearest is '64'"),
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


def test_a_lecture_may_be_short():
    on = read(GOOD)
    assert (on.title, on.minutes, on.stops[0].page, on.stops[0].screen) == ("T", 5, "masks", {})


def refusal(file: str) -> LectureError:
    with pytest.raises(LectureError) as caught:
        read(file)
    return caught.value


def test_every_reason_is_told_in_every_language():
    found = [refusal(file) for file, _ in BROKEN]
    ids = {id.removeprefix("lecture.wrong.") for id in catalogue("en") if id.startswith("lecture.wrong.")}
    # These two reasons are given before a file is read.
    assert {one.reason for one in found} == ids - {"large", "no_text"}
    for one in found:
        assert str(one) == one.told("en")
        assert str(one.line) in one.told("zh")
        assert re.search("[\u4e00-\u9fff]", one.told("zh"))
        assert all(str(value) in one.told("zh") for value in one.values.values())
