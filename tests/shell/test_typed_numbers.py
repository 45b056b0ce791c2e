"""Numbers typed by hand, as a text: it reads back as it was, and a damaged text reads as nothing."""

import base64
import math
import time
import tracemalloc
import zlib
from random import Random

import numpy as np
import pytest

from attention.inputs.edits import MATRICES, Typed
from attention.inputs.presets import PRESETS as PREPARED
from pages.shell.state.typed_numbers import LARGEST, LONGEST, MOST, PRESETS, SIDE, Edit, edits, of, text
from tests.support import refused

ONE = Edit("story", Typed("x", 0, 3, 2, 1.5))
TWO = (ONE, Edit("random", Typed("b_o", 15, 14, 13, -1000.0)))


def some(count: int) -> tuple[Edit, ...]:
    random = Random(count)
    places = random.sample(range(len(PRESETS) * len(MATRICES) * SIDE**3), count)
    found = []
    for place in sorted(places):
        place, column = divmod(place, SIDE)
        place, row = divmod(place, SIDE)
        place, block = divmod(place, SIDE)
        preset, matrix = divmod(place, len(MATRICES))
        number = float(np.float32(random.uniform(-LARGEST, LARGEST)))
        found.append(Edit(PRESETS[preset], Typed(MATRICES[matrix], block, row, column, number)))
    return tuple(found)


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


def planes(*records: tuple[int, int, int, int, int, float]) -> str:
    """A text of records that `text` would refuse to write."""
    raw = np.array(list(records), dtype="u1,u1,u1,u1,u1,>f4").view("u1").reshape(len(records), -1)
    return packed(raw.T.tobytes())


@pytest.mark.parametrize("count", [1, 2, 13, 256, MOST])
def test_any_edits_come_back_from_their_text(count):
    chosen = some(count)
    assert edits(text(chosen)) == chosen
    assert len(text(chosen)) <= LONGEST
    assert edits(text(reversed(chosen))) == chosen


def test_no_edits_are_no_text():
    assert text(()) == ""
    assert edits("") == ()


def test_a_link_of_today_means_the_same_tomorrow():
    assert edits("eNpjYGBgZrI_wMAAAANhAQU") == (ONE,)
    assert PRESETS == ("story", "notebook", "token_by_token", "random", "learned")
    assert MATRICES == ("x", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")


def test_every_preset_can_be_edited():
    assert set(PRESETS) == {*PREPARED, "random", "learned"}


def test_the_last_number_at_a_place_counts():
    again = ONE._replace(typed=ONE.typed._replace(value=7.0))
    assert edits(text((ONE, again))) == (again,)


def test_an_edit_belongs_to_its_preset():
    assert of(text(TWO), "story") == (ONE.typed,)
    assert of(text(TWO), "notebook") == ()


def test_a_whole_matrix_fits_into_an_address():
    square = [Edit("random", Typed("w_q", 0, i, j, 0.1 * i - 0.03 * j)) for i in range(SIDE) for j in range(SIDE)]
    assert len(text(square)) < 2000
    assert len(text([ONE])) < 30


def test_a_truncated_text_is_nothing():
    for cut in range(1, len(text(TWO))):
        assert edits(text(TWO)[:cut]) == (), cut


def test_a_text_with_a_wrong_character_is_nothing():
    """The checksum lets no damaged text pass as another number."""
    whole = text(some(13))
    for at in range(len(whole)):
        wrong = whole[:at] + ("A" if whole[at] != "A" else "Q") + whole[at + 1 :]
        # Some bits of the packed form have no meaning, so changing them changes nothing.
        assert edits(wrong) in ((), some(13)), at


@pytest.mark.parametrize(
    "raw",
    [
        "banana",
        "=",
        "====",
        "A",
        "é" * 4,
        "\ud800AAA",
        "eNpjYGBgZrI/wMAAAANhAQU",
        text([ONE]) + "=",
        text([ONE]) + "A",
        text([ONE]) + "AAAA",
        text([ONE]) + "\n",
        packed(b""),
        packed(b"12345678"),
        packed(b"1234567890"),
        base64.urlsafe_b64encode(b"no zlib at all").decode().rstrip("="),
        planes((0, 0, 0, 3, 2, math.nan)),
        planes((0, 0, 0, 3, 2, math.inf)),
        planes((0, 0, 0, 3, 2, -math.inf)),
        planes((0, 0, 0, 3, 2, 1001.0)),
        planes((0, 0, 0, 3, 2, 3e38)),
        planes((len(PRESETS), 0, 0, 3, 2, 1.0)),
        planes((0, len(MATRICES), 0, 3, 2, 1.0)),
        planes((0, 0, SIDE, 3, 2, 1.0)),
        planes((0, 0, 0, 255, 2, 1.0)),
        planes((0, 0, 0, 3, SIDE, 1.0)),
        planes((0, 0, 0, 3, 2, 1.0), (0, 0, 0, 3, 2, 1.0)),
        planes((0, 0, 0, 3, 2, 1.0), (0, 0, 0, 3, 1, 1.0)),
        planes((0, 0, 0, 3, 2, 1.0), (255, 255, 255, 255, 255, math.nan)),
    ],
    ids=repr,
)
def test_what_nothing_can_be_made_of_is_nothing(raw):
    assert edits(raw) == ()


def test_one_number_too_many_is_nothing():
    assert len(some(MOST + 1)) == MOST + 1
    records = [(PRESETS.index(e.preset), MATRICES.index(e.typed.matrix), *e.typed[1:]) for e in some(MOST + 1)]
    assert edits(planes(*records[:-1])) == some(MOST + 1)[:-1]
    assert edits(planes(*records)) == ()


@pytest.mark.parametrize("raw", ["A" * 10_000_000, packed(bytes(4_000_000))], ids=["long", "bomb"])
def test_a_text_that_would_become_large_costs_little(raw):
    tracemalloc.start()
    start = time.thread_time()
    assert edits(raw) == ()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000
    assert time.thread_time() - start < 1


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (ONE.typed._replace(row=SIDE), "a place must lie within (5, 9, 16, 16, 16), got (0, 0, 0, 16, 2)"),
        (ONE.typed._replace(column=-1), "a place must lie within (5, 9, 16, 16, 16), got (0, 0, 0, 3, -1)"),
        (ONE.typed._replace(value=1001.0), "numbers must lie between -1000 and 1000, got 1001.0"),
        (ONE.typed._replace(value=math.nan), "numbers must lie between -1000 and 1000, got nan"),
    ],
)
def test_what_a_text_cannot_hold_is_refused(typed, message):
    with refused(message):
        text([Edit("story", typed)])


def test_more_than_the_most_are_refused():
    with refused(f"at most {MOST} numbers, got {MOST + 1}"):
        text(some(MOST + 1))
