"""One room: the lecture that is held in it, where the lecture is, and the answers to its questions.

A room is bounded, whoever asks: voters and questions are numbered, and a question has one byte and one number for each
voter. At most 0.7 MB for its answers, and the file of a lecture of somebody's own.
"""

import zlib
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pages.shell.lectures.format import Lecture, Stop

# Browsers that a room counts; of them, those that come from one address. A hall may have one address as a whole, and
# one client that makes up voters has one, too: so half.
MOST_VOTERS, MOST_OF_ONE_ADDRESS = 1000, 500
MOST_QUESTIONS = 120


class RefusedError(Exception):
    """What a room does not do; the reason is a word that the browser has a sentence for."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Question:
    """A question of a stop with the answers to it, by the numbers of the voters: the choice, -1 for none, and the
    second of the room at which it was given."""

    asked: Stop
    revealed: bool = False
    choices: "array[int]" = field(default_factory=lambda: array("b", [-1]) * MOST_VOTERS)
    times: "array[int]" = field(default_factory=lambda: array("I", [0]) * MOST_VOTERS)

    def counts(self) -> list[int]:
        """How many chose each of the choices."""
        return [self.choices.count(choice) for choice in range(len(self.asked.choices))]

    def answers(self) -> list[tuple[int, int]]:
        """Second and choice of each answer, in the order of time."""
        given = zip(self.times, self.choices, strict=True)
        return sorted((second, choice) for second, choice in given if choice >= 0)


@dataclass
class Room:
    """key: what its lecturer proves to be with, as a digest. opened, seen: seconds since the epoch at which it was
    opened, and at which its lecturer was last heard of. lost: whether its lecturer had opened it before, in a process
    that is gone. text: the packed file of a lecture of the lecturer's own."""

    key: bytes
    address: str
    opened: float
    seen: float
    lecture: str
    stops: tuple[Stop, ...]
    text: bytes = b""
    stop: int = 1
    lost: bool = False
    _voters: dict[str, int] = field(default_factory=dict)
    _addresses: Counter[str] = field(default_factory=Counter)
    _questions: dict[tuple[str, int], Question] = field(default_factory=dict)

    def holds(self, name: str, lecture: Lecture, text: str) -> None:
        """Go on with this lecture, from its first stop unless it is the same one."""
        if name != self.lecture or lecture.stops != self.stops:
            self.stop = 1
        self.lecture, self.stops, self.text = name, lecture.stops, zlib.compress(text.encode()) if text else b""

    def own_lecture(self) -> str:
        """The file of a lecture of the lecturer's own. RefusedError: the room has none."""
        if not self.text:
            raise RefusedError("no_lecture")
        return zlib.decompress(self.text).decode()

    @property
    def voters(self) -> int:
        """How many browsers have answered anything."""
        return len(self._voters)

    def lead(self, stop: int, *, revealed: bool) -> None:
        """The lecturer is at a stop, with its answer in sight or not."""
        self._checked(stop)
        self.stop = stop
        if (question := self._question(stop)) is not None:
            question.revealed = revealed

    def choose(self, voter: str, address: str, stop: int, choice: int, now: float) -> None:
        """Count a choice, in place of an earlier one of the same voter. RefusedError: it is not counted, and why."""
        if not 0 <= choice < len(self._checked(stop).choices):
            raise RefusedError("no_choice")
        question = self._question(stop)
        if question is None:
            raise RefusedError("full")
        if question.revealed:
            raise RefusedError("revealed")
        number = self._voters.get(voter)
        if number is None:
            number = self._registered(voter, address)
        question.choices[number] = choice
        question.times[number] = max(0, int(now - self.opened))

    def _registered(self, voter: str, address: str) -> int:
        if len(self._voters) >= MOST_VOTERS or self._addresses[address] >= MOST_OF_ONE_ADDRESS:
            raise RefusedError("full")
        self._addresses[address] += 1
        return self._voters.setdefault(voter, len(self._voters))

    def state(self, stop: int, voter: str) -> dict[str, Any]:
        """What anybody in the room may know: where the lecture is, and how the question of a stop is answered."""
        asked = self._checked(stop)
        question = self._questions.get((self.lecture, stop))
        if question is not None and question.asked != asked:
            question = None
        led = self._questions.get((self.lecture, self.stop))
        counts = [0] * len(asked.choices) if question is None else question.counts()
        number = self._voters.get(voter)
        mine = -1 if question is None or number is None else question.choices[number]
        return {
            "lecture": self.lecture,
            "stop": self.stop,
            "revealed": led is not None and led.revealed,
            "answered": sum(counts),
            # The first answers would steer the others.
            "counts": counts if question is not None and question.revealed else None,
            "mine": mine if mine >= 0 else None,
            "lost": self.opened if self.lost else None,
        }

    def questions(self) -> Iterator[tuple[str, int, Question]]:
        """Lecture, stop and question, of those that somebody has answered, in their order."""
        for (lecture, stop), question in sorted(self._questions.items(), key=lambda item: item[0]):
            if any(question.counts()):
                yield lecture, stop, question

    def _checked(self, stop: int) -> Stop:
        if not 1 <= stop <= len(self.stops):
            raise RefusedError("no_stop")
        return self.stops[stop - 1]

    def _question(self, stop: int) -> Question | None:
        """The question of a stop; None where there is none, or no more room. One that the lecturer has changed begins
        anew."""
        asked = self._checked(stop)
        if not asked.choices:
            return None
        place = (self.lecture, stop)
        if place in self._questions and self._questions[place].asked == asked:
            return self._questions[place]
        if place not in self._questions and len(self._questions) >= MOST_QUESTIONS:
            return None
        self._questions[place] = Question(asked)
        return self._questions[place]
