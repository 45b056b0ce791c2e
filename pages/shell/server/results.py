"""The results of a room, for its lecturer: a table of the questions, and every answer with its time as CSV."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

from pages.shell.lectures.format import LETTERS, in_language
from pages.shell.server.room import Room

COLUMNS = ("time", "lecture", "stop", "question", "choice", "text", "right")
# A spreadsheet computes cells that begin so. They are escaped, since a lecture may come from a stranger.
_COMPUTED = ("=", "+", "-", "@", "\t", "\r")


def table(room: Room, language: str) -> list[dict[str, Any]]:
    """The questions that were asked, each with its choices, the letter of the right one, and the counts."""
    return [
        {
            "lecture": lecture,
            "stop": stop,
            "question": in_language(question.asked.question, language),
            "choices": [in_language(choice, language) for choice in question.asked.choices],
            "right": question.asked.right,
            "counts": question.counts(),
        }
        for lecture, stop, question in room.questions()
    ]


def as_csv(room: Room, language: str, restarted: str) -> str:
    """One row for each answer, with its time (UTC). No column tells which answers came from one browser.

    restarted: the sentence for the first row if the process was started again during the lecture.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    if room.lost:
        rows.writerow((_time(room.opened), "", "", restarted, "", "", ""))
    for lecture, stop, question in room.questions():
        asked = _shown(in_language(question.asked.question, language))
        for second, choice in question.answers():
            letter = LETTERS[choice]
            text = _shown(in_language(question.asked.choices[choice], language))
            right = "" if not question.asked.right else int(letter == question.asked.right)
            rows.writerow((_time(room.opened + second), lecture, stop, asked, letter, text, right))
    return out.getvalue()


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _shown(text: str) -> str:
    return f"'{text}" if text.startswith(_COMPUTED) else text
