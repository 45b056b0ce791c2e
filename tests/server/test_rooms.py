"""A room: its lecturer opens it, each browser has one vote, and it is bounded and independent of other rooms."""

import csv
import io
import json
import random

import pytest
from starlette.requests import Request

from pages.shell.lectures.format import LETTERS, lecture, read
from pages.shell.lectures.room_names import LONGEST, MOST_TYPED, normalised
from pages.shell.server import asked_of_rooms, room, rooms
from pages.shell.server.asked_of_rooms import MOST_BYTES, MOST_LECTURE, answered
from pages.shell.server.room import MOST_OF_ONE_ADDRESS, MOST_VOTERS, RefusedError
from pages.shell.server.rooms import GONE, MOST_ROOMS, SILENT, Rooms
from tests.support.app import awaited

KEY, OTHER_KEY = "5a" * 16, "7b" * 16
MASKS = lecture("masks")
HALL, AT = "hall 7", 1_700_000_000.0
OWN = 'title = "T"\n[[stop]]\npage = "masks"\nquestion = "=1+1?"\nchoices = ["−5", "=3"]\nright = "b"\n'


def voter(number: int) -> str:
    return f"{number:016x}"


class Hall:
    """A room without a server, at a time that the test sets."""

    def __init__(self) -> None:
        self.rooms, self.now = Rooms(), AT
        self.open()

    def ask(self, do: str, name: str = HALL, address: str = "10.0.0.2", **more) -> dict:
        given = {"voter": voter(0), "stop": 1, "lecture": "masks"} | more
        held = lecture(given["lecture"]) if given["lecture"] != "own" else read(given.get("text", OWN))
        return answered(self.rooms, name, {"do": do} | given, address, self.now, held if do == "open" else None)

    def open(self, name: str = HALL, key: str = KEY, **more) -> dict:
        return self.ask("open", name, key=key, **more)

    def lead(self, stop: int, *, revealed: bool = False, key: str = KEY) -> dict:
        return self.ask("lead", stop=stop, revealed=revealed, key=key)

    def choose(self, number: int, choice: int, stop: int = 1, **more) -> dict:
        return self.ask("choose", voter=voter(number), choice=choice, stop=stop, **more)

    def counts(self, stop: int = 1) -> list[int]:
        found = self.ask("results", key=KEY, language="en")["questions"]
        return next((one["counts"] for one in found if one["stop"] == stop), [0, 0, 0])


@pytest.fixture
def hall() -> Hall:
    return Hall()


def refusal(act, *arguments, **more) -> str:
    with pytest.raises(RefusedError) as caught:
        act(*arguments, **more)
    return caught.value.reason


def test_a_browser_counts_once_and_may_think_again(hall):
    for number, choice in ((1, 0), (2, 2), (3, 2), (1, 2), (2, 1)):
        hall.choose(number, choice)
    assert hall.counts() == [0, 1, 2]
    assert hall.counts(stop=2) == [0, 0, 0]
    assert hall.ask("look", voter=voter(2))["mine"] == 1


def test_counts_are_seen_by_nobody_until_the_answer_is_and_nothing_is_counted_after_it(hall):
    hall.choose(1, 2)
    for asked in ({}, {"key": KEY}):
        assert (hall.ask("look", **asked)["answered"], hall.ask("look", **asked)["counts"]) == (1, None)
    hall.lead(1, revealed=True)
    assert hall.ask("look")["counts"] == [0, 0, 1]
    assert refusal(hall.choose, 1, 0) == "revealed"
    hall.lead(1, revealed=False)
    assert hall.choose(1, 0)["counts"] is None
    assert hall.counts() == [1, 0, 0]


def test_the_room_says_where_the_lecture_is(hall):
    hall.lead(3)
    seen = hall.ask("look", stop=2)
    assert (seen["lecture"], seen["stop"], seen["revealed"]) == ("masks", 3, False)


@pytest.mark.parametrize("do", ["lead", "results", "close", "look"])
def test_only_the_lecturer_leads_and_has_the_results(hall, do):
    assert refusal(hall.ask, do, key=OTHER_KEY, revealed=True, language="en") == "taken"
    assert refusal(hall.open, key=OTHER_KEY) == "taken"
    assert hall.ask("look")["stop"] == 1


def test_a_room_that_nobody_opened_counts_nothing(hall):
    assert refusal(hall.choose, 1, 0, name="another") == "closed"
    assert refusal(hall.ask, "look", name="another") == "closed"
    hall.ask("close", key=KEY)
    assert refusal(hall.choose, 1, 0) == "closed"


@pytest.mark.parametrize(("stop", "choice", "reason"), [(0, 0, "no_stop"), (7, 0, "no_stop"), (1, 3, "no_choice")])
def test_stops_and_choices_are_those_of_the_lecture(hall, stop, choice, reason):
    assert refusal(hall.choose, 1, choice, stop=stop) == reason


def test_the_stop_of_another_lecture_is_not_counted(hall):
    assert refusal(hall.choose, 1, 0, lecture="tour") == "other_lecture"
    hall.choose(1, 0)
    hall.open(lecture="tour")
    hall.choose(1, 1, stop=2, lecture="tour")
    found = hall.ask("results", key=KEY, language="en")["questions"]
    assert [(one["lecture"], one["stop"], sum(one["counts"])) for one in found] == [
        ("masks", 1, 1), ("tour", 2, 1)
    ]  # fmt: skip


def test_a_flood_from_one_address_leaves_room_for_the_others_and_is_told(hall):
    for number in range(MOST_OF_ONE_ADDRESS):
        hall.choose(number, 1, address="10.6.6.6")
    assert refusal(hall.choose, MOST_VOTERS + 1, 1, address="10.6.6.6") == "full"
    # A counted voter may still change the choice.
    hall.choose(0, 0, address="10.6.6.6")
    for number in range(MOST_OF_ONE_ADDRESS, MOST_VOTERS):
        hall.choose(number, 2)
    assert hall.counts() == [1, MOST_OF_ONE_ADDRESS - 1, MOST_VOTERS - MOST_OF_ONE_ADDRESS]
    assert refusal(hall.choose, MOST_VOTERS + 1, 1, address="10.7.7.7") == "full"


def test_made_up_rooms_do_not_touch_a_room_that_is_in_use(hall):
    hall.choose(1, 0)
    reasons = []
    for number in range(300):
        try:
            hall.open(f"room {number}", OTHER_KEY, address=f"10.1.{number // rooms.MOST_OF_ONE_ADDRESS}.1")
        except RefusedError as refused:
            reasons.append(refused.reason)
    assert set(reasons) == {"no_room"}
    assert len(hall.rooms) == MOST_ROOMS
    # One address may open a few rooms; silent ones without voters are removed first.
    hall.now += SILENT + 1
    hall.lead(1)
    for number in range(300, 600):
        hall.now += 1
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(rooms, "MOST_OF_ONE_ADDRESS", 300)
            try:
                hall.open(f"room {number}", OTHER_KEY, address="10.2.0.1")
            except RefusedError as refused:
                reasons.append(refused.reason)
    assert len(hall.rooms) == MOST_ROOMS
    assert hall.counts() == [1, 0, 0]
    assert refusal(hall.open, "one more", address="10.1.0.1") == "no_room"


def test_a_client_has_a_few_rooms_at_a_time(hall):
    for number in range(1, rooms.MOST_OF_ONE_ADDRESS):
        hall.open(f"room {number}")
    assert refusal(hall.open, "one more") == "no_room"
    assert len(hall.rooms) == rooms.MOST_OF_ONE_ADDRESS


def test_of_silent_rooms_the_one_with_the_fewest_voters_gives_way(hall):
    hall.choose(1, 0)
    hall.now += 1
    for number in range(1, rooms.MOST_OF_ONE_ADDRESS):
        hall.open(f"room {number}")
    hall.now += SILENT + 1
    hall.open("new")
    assert hall.counts() == [1, 0, 0]
    assert refusal(hall.ask, "look", name="room 1") == "closed"


def test_a_room_that_is_forgotten_is_gone(hall):
    hall.now += GONE + 1
    assert refusal(hall.ask, "look") == "closed"
    assert len(hall.rooms) == 0


def test_a_question_that_the_lecturer_changed_begins_anew_and_the_file_is_held(hall):
    hall.open(lecture="own", text=OWN)
    hall.choose(1, 1, lecture="own")
    assert hall.ask("lecture") == {"text": OWN}
    hall.open(lecture="own", text=OWN)
    assert hall.counts() == [0, 1]
    hall.open(lecture="own", text=OWN.replace("1+1", "1+2"))
    assert not any(hall.counts())
    hall.open(lecture="masks")
    assert refusal(hall.ask, "lecture") == "no_lecture"


def test_the_number_of_questions_of_a_room_is_bounded(hall, monkeypatch):
    monkeypatch.setattr(room, "MOST_QUESTIONS", 2)
    hall.choose(1, 0, stop=2)
    assert refusal(hall.choose, 1, 0, stop=3) == "full"
    hall.choose(2, 0, stop=2)


def test_the_results_have_every_answer_with_its_time_and_nothing_that_a_spreadsheet_computes(hall):
    hall.open(lecture="own", text=OWN)
    hall.now += 61
    hall.choose(1, 1, lecture="own")
    hall.now += 7
    hall.choose(2, 0, lecture="own")
    rows = list(csv.DictReader(io.StringIO(hall.ask("results", key=KEY, language="en")["csv"])))
    assert [(row["time"], row["choice"], row["text"], row["right"]) for row in rows] == [
        ("2023-11-14T22:14:21Z", "b", "'=3", "1"),
        ("2023-11-14T22:14:28Z", "a", "−5", "0"),
    ]
    assert {row["question"] for row in rows} == {"'=1+1?"}


def test_after_a_restart_the_lecturers_window_opens_the_room_again_and_everybody_is_told(hall):
    hall.rooms, hall.now = Rooms(), AT + 90
    hall.open(again=True, stop=4)
    assert (hall.ask("look")["lost"], hall.ask("look")["stop"]) == (AT + 90, 4)
    first = next(csv.DictReader(io.StringIO(hall.ask("results", key=KEY, language="en")["csv"])))
    assert "started again" in first["question"]


@pytest.mark.parametrize("typed", ["Straße 7", " STRASSE 7\t", "strasse 7"])
def test_a_room_is_what_is_heard_and_not_how_it_is_typed(typed):
    assert normalised(typed) == "strasse 7"
    assert normalised("Cafe\u0301") == normalised("CAFÉ")


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "a\nb", "a\x00", "x" * (LONGEST + 1)])
def test_what_cannot_be_typed_is_no_room(typed):
    with pytest.raises(ValueError, match=f"1 to {MOST_TYPED} printable"):
        normalised(typed)


# The route, in this process.


def sent(body: object, name: str = "hall", client: str = "10.0.0.1", **headers: str) -> tuple[int, dict]:
    given = {"host": "app.example", "content_type": "application/json"} | headers
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def receive():
        return {"type": "http.request", "body": data, "more_body": False}

    scope = {
        "type": "http", "method": "POST", "path": "/room", "client": (client, 1),
        "query_string": f"name={name}".encode(),
        "headers": [(key.replace("_", "-").encode(), value.encode()) for key, value in given.items()],
    }  # fmt: skip
    reply = awaited(asked_of_rooms.answer(Request(scope, receive)))
    return reply.status_code, json.loads(reply.body)


@pytest.fixture
def route(monkeypatch):
    monkeypatch.setattr(asked_of_rooms, "_rooms", Rooms())
    opens = {"do": "open", "key": KEY, "lecture": "masks", "stop": 2, "voter": voter(0)}
    assert sent(opens, origin="https://app.example")[0] == 200


CHOICE = {"do": "choose", "lecture": "masks", "voter": voter(5), "stop": 2, "choice": 1}


def test_a_page_of_another_site_cannot_vote(route):
    for origin in ("http://evil.example", "null", "https://app.example.evil"):
        assert sent(CHOICE, origin=origin)[0] == 403
    assert sent(CHOICE, content_type="text/plain")[0] == 415
    assert sent(CHOICE)[1]["answered"] == 1


WRONG = {
    "no json": b"\xff",
    "deep json": b"[" * 100_000,
    "a list": [1],
    "nothing to do": {"stop": 1},
    "no voter": CHOICE | {"voter": "x" * 16},
    "a choice that is a switch": CHOICE | {"choice": True},
    "a stop that is a text": CHOICE | {"stop": "2"},
    "a negative choice": CHOICE | {"choice": -1},
    "no key": {"do": "results", "key": 7, "language": "en"},
    "no lecture": {"do": "open", "key": KEY, "lecture": "nowhere", "stop": 1, "voter": voter(0)},
    "a file that is none": {"do": "open", "key": KEY, "lecture": "own", "text": "x", "stop": 1, "voter": voter(0)},
    "half a character": {"do": "open", "key": KEY, "lecture": "own", "text": "\ud800", "stop": 1, "voter": voter(0)},
    "no language": {"do": "results", "key": KEY, "language": "xx"},
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_anything_else_is_refused_with_a_sentence(route, body):
    status, told = sent(body)
    assert status == 400
    assert told["error"]
    assert sent(CHOICE | {"voter": voter(7)})[1]["answered"] == 1


def test_what_is_too_long_is_not_read(route):
    assert sent(b" " * (MOST_BYTES + 1))[0] == 413
    own = {"do": "open", "key": KEY, "lecture": "own", "text": "#" * (MOST_LECTURE + 1), "stop": 1, "voter": voter(0)}
    assert sent(own) == (409, {"refused": "large"})
    assert sent(CHOICE, name="%20")[0] == 400


def test_two_hundred_answer_while_twenty_do_what_they_can(route):
    """All votes of the class are counted and in its CSV, although hostile clients use the hall's address, too."""
    rng = random.Random(11)
    wanted = {number: rng.randrange(3) for number in range(200)}
    hostile = [
        *({"do": "choose", **CHOICE, "voter": voter(9000 + n), "choice": 3 + n} for n in range(5)),
        *({"do": "choose", **CHOICE, "voter": voter(9100 + n), "stop": 7 + n} for n in range(4)),
        *({"do": "lead", "key": OTHER_KEY, "stop": 5, "revealed": True, "lecture": "masks"} for n in range(3)),
        {"do": "results", "key": OTHER_KEY, "language": "en"},
        {"do": "close", "key": OTHER_KEY},
        {"do": "open", "key": OTHER_KEY, "lecture": "tour", "stop": 1, "voter": voter(1)},
        *WRONG.values(),
    ]
    order = [*wanted.items(), *((None, body) for body in hostile * 4), *rng.sample(list(wanted.items()), 23)]
    rng.shuffle(order)
    for number, given in order:
        if number is None:
            assert sent(given)[0] in (400, 403, 409)
        else:
            status, told = sent(CHOICE | {"voter": voter(number), "choice": given})
            assert (status, told["counts"]) == (200, None)
    for number in range(300):
        sent({"do": "open", "key": OTHER_KEY, "lecture": "tour", "stop": 1, "voter": voter(1)}, f"room{number}")
    status, found = sent({"do": "results", "key": KEY, "language": "en"})
    (one,) = found["questions"]
    expected = [list(wanted.values()).count(choice) for choice in range(3)]
    assert one["counts"] == expected
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [sum(row["choice"] == letter for row in rows) for letter in LETTERS[:3]] == expected
    assert {(row["stop"], row["question"]) for row in rows} == {("2", MASKS.stops[1].question["en"])}


def test_the_server_has_the_route(server):
    import urllib.error
    import urllib.request

    body = json.dumps({"do": "look", "voter": voter(1), "stop": 1}).encode()
    request = urllib.request.Request(f"{server}/room?name=nobody", body, {"content-type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert (refused.value.code, json.loads(refused.value.read())) == (404, {"refused": "closed"})
