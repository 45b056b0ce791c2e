"""One room: the lecture that is held in it, its current stop, and the answers to its questions.

The size of a room is bounded: voters and questions are numbered, and a question has one byte and one number for each
voter. Its answers take at most 0.7 MB, beside the file of the lecturer's own lecture.
"""

import zlib
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pages.shell.lectures.format import Lecture, Stop

# Most browsers that a room counts, and most from one address. A whole hall may share an address, and so does a client
# that invents voters; hence half.
MOST_VOTERS, MOST_OF_ONE_ADDRESS = 1000, 500
MOST_QUESTIONS = 120


class RefusedError(Exception):
    """A request that a room refuses; the reason is the key of a sentence in the browser."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Question:
    """The question of a stop with its answers, by the number of the voter: the choice, -1 for none, and its time in
    seconds since the room was opened."""

    asked: Stop
    revealed: bool = False
    choices: "array[int]" = field(default_factory=lambda: array("b", [-1]) * MOST_VOTERS)
    times: "array[int]" = field(default_factory=lambda: array("I", [0]) * MOST_VOTERS)

    def counts(self) -> list[int]:
        """The number of voters for each choice."""
        return [self.choices.count(choice) for choice in range(len(self.asked.choices))]

    def answers(self) -> list[tuple[int, int]]:
        """Time in seconds and choice of each answer, in the order of time."""
        given = zip(self.times, self.choices, strict=True)
        return sorted((second, choice) for second, choice in given if choice >= 0)


@dataclass
class Room:
    """A room. key: the digest of the secret that identifies its lecturer. opened, seen: when the room was opened, and
    when its lecturer was last heard of, in seconds since the epoch. lost: whether its lecturer had opened it before, in
    a process that is gone. text: the packed file of the lecturer's own lecture."""

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
        """Go on with a lecture; another one than before starts at its first stop."""
        if name != self.lecture or lecture.stops != self.stops:
            self.stop = 1
        self.lecture, self.stops, self.text = name, lecture.stops, zlib.compress(text.encode()) if text else b""

    def own_lecture(self) -> str:
        """The file of the lecturer's own lecture. RefusedError: the room has none."""
        if not self.text:
            raise RefusedError("no_lecture")
        return zlib.decompress(self.text).decode()

    @property
    def voters(self) -> int:
        """The number of browsers that have given an answer."""
        return len(self._voters)

    def lead(self, stop: int, *, revealed: bool) -> None:
        """Note the stop of the lecturer, and whether its answer is in sight."""
        self._checked(stop)
        self.stop = stop
        if (question := self._question(stop)) is not None:
            question.revealed = revealed

    def choose(self, voter: str, address: str, stop: int, choice: int, now: float) -> None:
        """Count a choice, in place of an earlier one of the same voter. RefusedError: the choice is not counted."""
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
        """The public state of the room: its current stop, and the answers to the question of the given stop."""
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
            # Counts stay hidden before Reveal, since the first answers would influence the others.
            "counts": counts if question is not None and question.revealed else None,
            "mine": mine if mine >= 0 else None,
            "lost": self.opened if self.lost else None,
        }

    def questions(self) -> Iterator[tuple[str, int, Question]]:
        """Lecture, stop and question, for each answered question, in the order of the lecture."""
        for (lecture, stop), question in sorted(self._questions.items(), key=lambda item: item[0]):
            if any(question.counts()):
                yield lecture, stop, question

    def _checked(self, stop: int) -> Stop:
        if not 1 <= stop <= len(self.stops):
            raise RefusedError("no_stop")
        return self.stops[stop - 1]

    def _question(self, stop: int) -> Question | None:
        """The question of a stop; None if the stop has no choices, or the room has too many questions. A question that
        the lecturer has changed starts anew."""
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
