"""Answers of a room to the questions of a lecture: counted in memory, anonymous, and gone with the process.

A browser draws a random number for each question, with which its user can change the answer.
Several processes count separately: a room that is to be counted needs a single one.
"""

import json
import re
from collections import OrderedDict
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pages.shell.server.body import read

CHOICES = 8
# Questions that are remembered, the one that was longest not asked for going first, and answers to one of them: below
# 50 MB for all.
MOST_QUESTIONS, MOST_ANSWERS, MOST_BYTES = 300, 1000, 400


class Votes:
    """Question to the answers that were given to it: the number that a browser drew, and the last choice of it."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], dict[str, int]] = OrderedDict()

    def choose(self, question: tuple[str, str], voter: str, choice: int) -> None:
        """Count a choice, in place of one of the same voter. Of a question that is full, no more voters are counted."""
        given = self._answers.setdefault(question, {})
        if voter in given or len(given) < MOST_ANSWERS:
            given[voter] = choice
        self._answers.move_to_end(question)
        while len(self._answers) > MOST_QUESTIONS:
            self._answers.popitem(last=False)

    def counts(self, question: tuple[str, str]) -> list[int]:
        """How many chose each of the choices."""
        given = list(self._answers.get(question, {}).values())
        return [given.count(choice) for choice in range(CHOICES)]


_votes = Votes()


async def answer(request: Request) -> Response:
    """The counts of a question: {room, stop}, and with {voter, choice}, after that choice; 400 for anything else."""
    body = await read(request, MOST_BYTES)
    if body is None:
        return PlainTextResponse(f"at most {MOST_BYTES} bytes", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        asked = json.loads(body)
    except ValueError:
        asked = None
    match asked:
        case {"room": str(room), "stop": str(stop), **rest} if room and re.fullmatch(r"\w{1,40}-\d{1,2}", stop):
            question = (room[:24], stop)
        case _:
            return PlainTextResponse("no question", HTTPStatus.BAD_REQUEST)
    match rest:
        case {"voter": str(voter), "choice": int(choice)} if re.fullmatch(r"[0-9a-f]{16}", voter):
            if not 0 <= choice < CHOICES:
                return PlainTextResponse(f"a choice is 0 to {CHOICES - 1}", HTTPStatus.BAD_REQUEST)
            _votes.choose(question, voter, choice)
        case _ if rest:
            return PlainTextResponse("no answer", HTTPStatus.BAD_REQUEST)
    return JSONResponse({"counts": _votes.counts(question)}, headers={"cache-control": "no-store"})
