"""Answers of a room: counted once a browser, for one room and one question, and bounded."""

import json
import urllib.error
import urllib.request

import pytest

from pages.shell.server.votes import CHOICES, MOST_ANSWERS, MOST_BYTES, MOST_QUESTIONS, Votes

QUESTION = ("hall 7", "tour-3")


def voter(number: int) -> str:
    return f"{number:016x}"


def asked(server: str, body: object) -> tuple[int, object]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(f"{server}/assets/votes", data, timeout=30) as answer:
            return answer.status, json.loads(answer.read())["counts"]
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_browser_counts_once_and_may_think_again():
    votes = Votes()
    for number, choice in ((1, 0), (2, 2), (3, 2), (1, 2), (2, 1)):
        votes.choose(QUESTION, voter(number), choice)
    assert votes.counts(QUESTION) == [0, 1, 2, *[0] * (CHOICES - 3)]
    assert not any(votes.counts(("hall 7", "tour-5")) + votes.counts(("hall 5", "tour-3")))


def test_what_is_kept_is_bounded():
    votes = Votes()
    for number in range(MOST_ANSWERS + 3):
        votes.choose(QUESTION, voter(number), 1)
    assert votes.counts(QUESTION)[1] == MOST_ANSWERS
    votes.choose(QUESTION, voter(2), 0)
    assert votes.counts(QUESTION)[:2] == [1, MOST_ANSWERS - 1]
    for number in range(MOST_QUESTIONS):
        votes.choose((f"room {number}", "tour-1"), voter(1), 0)
    assert not any(votes.counts(QUESTION))
    assert votes.counts(("room 0", "tour-1"))[0] == 1


def test_the_server_counts_by_room_and_question(server):
    question = {"room": "test_votes", "stop": "masks-2"}
    assert asked(server, question | {"voter": voter(5), "choice": 1}) == (200, [0, 1, 0, 0, 0, 0, 0, 0])
    assert asked(server, question | {"voter": voter(7), "choice": 1})[1] == [0, 2, 0, 0, 0, 0, 0, 0]
    assert asked(server, question)[1] == [0, 2, 0, 0, 0, 0, 0, 0]
    assert asked(server, question | {"stop": "masks-3"})[1] == [0] * CHOICES


WRONG = {
    "no json": b"\xff",
    "a list": [1],
    "no room": {"stop": "tour-1"},
    "an empty room": {"room": "", "stop": "tour-1"},
    "no stop": {"room": "a", "stop": "../etc"},
    "no voter": {"room": "a", "stop": "tour-1", "choice": 1},
    "no number": {"room": "a", "stop": "tour-1", "voter": "x" * 16, "choice": 1},
    "no choice": {"room": "a", "stop": "tour-1", "voter": voter(1), "choice": CHOICES},
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_anything_else_is_refused(server, body):
    assert asked(server, body)[0] == 400


def test_a_long_question_is_not_read(server):
    assert asked(server, b" " * (MOST_BYTES + 1)) == (413, f"at most {MOST_BYTES} bytes")
