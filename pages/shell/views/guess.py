"""A question at its picture. A guess is one click on an answer, beside the picture or, if answers have places in a
chart, in the picture itself; then the right one is marked next to it. Nothing is hidden, and nobody has to guess.

The guess is a control like any other, so that the sentence and the chart are functions of the address.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from pages.shell.component.chart import Ghost
from pages.shell.i18n import listed, say
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.reader import Reader
from pages.shell.views import blocks
from pages.shell.views.answered import seen
from pages.shell.views.asked import (
    KEPT,
    STAY,
    instead,
    is_asked,
    is_moot,
    is_open,
    is_settled,
    is_tried,
    leads_to,
    shown,
)
from pages.shell.views.blocks import Block
from pages.shell.views.questions import QUESTIONS
from pages.shell.views.registry import VIEWS, View

# The answer of a reader who skips the guess: it is neither right nor wrong.
SKIPPED = "shown"


def draw(question: str, screen: Screen) -> Iterator[Block]:
    """The question with its answers; after a guess, what to try, or the verdict and the reason. A question that the
    figure has answered is not asked; nor one that does not fit the figure, in whose place a text may stand. A guess may
    stay beside such a figure, with its verdict."""
    asked = QUESTIONS[question]
    if asked.of not in ("", screen.config.preset) or not is_asked(question, screen.config):
        return
    guessed, right = guess(screen, question), say(f"predict.{question}.right")
    is_kept = question in KEPT and bool(guessed)
    if is_moot(question, screen) and not is_kept:
        if said := instead(question, screen):
            yield blocks.text(said)
        return
    if is_settled(question, screen) and ((is_tried(question) and question not in STAY) or not guessed):
        yield blocks.text(_settled(screen, question, guessed, right))
        return
    answers = {answer: say(f"predict.{question}.{answer}") for answer in asked.answers}
    said = ""
    if guessed and is_open(question, screen):
        said, right = say(f"predict.{question}.try"), ""
    elif guessed:
        said = _judged(screen, question, guessed)
    line = say(f"predict.{question}.question")
    yield ask(screen, question, line, answers, right, said, shown(question, screen))


def _why(screen: Screen, question: str) -> str:
    return listed("sentence", (say(f"predict.{question}.why"), *seen(question, screen)))


def _settled(screen: Screen, question: str, guessed: str, right: str) -> str:
    """The text once the figure shows the answer: the verdict on a guess, or else the question with its answer."""
    why = _why(screen, question)
    if guessed:
        return _judged(screen, question, guessed)
    answer = say("predict.settled", answer=say(f"predict.{question}.{right}"), why=why)
    return f"{say(f'predict.{question}.question')} {answer}"


def _judged(screen: Screen, question: str, guessed: str) -> str:
    """The verdict on a guess, the refutation of a wrong one, and the reason; beside another case, the text about that
    case instead of both."""
    is_right = guessed == say(f"predict.{question}.right")
    verdict = f"**{say('predict.right' if is_right else 'predict.wrong')}**"
    if is_moot(question, screen) and (told := instead(question, screen)):
        return f"{verdict} {told}"
    against = [say(f"refuted.{question}.{guessed}")] if guessed in QUESTIONS[question].refuted else []
    return f"{verdict} {listed('sentence', (*against, _why(screen, question)))}"


def ask(
    screen: Screen,
    question: str,
    said: str,
    answers: Mapping[str, str],
    right: str,
    told: str = "",
    shows: Mapping[str, str] | None = None,
) -> Block:
    """A question in one line with its answers, by id. right: the id of the right one, "" while it is not told; told:
    the text below; shows: the settings that show the answer without a guess."""
    guessed = guess(screen, question, answers)
    made = [
        {
            "line": line,
            "pressed": answer == guessed,
            "verdict": _verdict(answer, guessed, right),
            "sets": _sets(screen, question, answer, guessed),
        }
        for answer, line in answers.items()
        # A shown answer has no button to show it: a second click would hide it.
        if not (guessed and answer == SKIPPED)
    ]
    if shows:
        made.append({"line": say("predict.show"), "pressed": False, "verdict": "", "sets": dict(shows)})
    # Both texts are equally wide, so that the answers stay under the hand.
    line = said if guessed == SKIPPED else say("predict.guessed" if guessed else "predict.guess", question=said)
    return {"kind": "guess", "question": question, "line": line, "answers": made, "told": {"markdown": told}}


def unasked(question: str, line: str) -> Block:
    """A line in place of a question that makes no sense now, so that the content below it stays in place."""
    return {"kind": "guess", "question": question, "line": line, "answers": [], "told": {"markdown": ""}}


def several(screen: Screen, question: str, answers: Collection[str]) -> list[str]:
    """The chosen answers to a question with several right ones."""
    guessed = screen.own(Guesses).by_question.get(question, "").split("-")
    return [answer for answer in answers if answer in guessed]


def with_or_without(screen: Screen, question: str, answer: str, answers: Collection[str]) -> dict[str, str]:
    """The settings of a click on one of several answers: it is added to the others, or taken back."""
    guessed = several(screen, question, answers)
    return given(screen, question, "-".join(one for one in answers if (one in guessed) != (one == answer)))


def ghosts(screen: Screen, question: str, places: Mapping[str, tuple[float, float]]) -> list[Ghost]:
    """The answers in a chart, each at its place (x, y); after a guess only that one and the right one."""
    guessed, right = guess(screen, question), say(f"predict.{question}.right")
    return [
        Ghost(
            x,
            y,
            say(f"predict.{question}.{answer}"),
            _verdict(answer, guessed, right),
            _sets(screen, question, answer, guessed),
        )
        for answer, (x, y) in places.items()
        if not guessed or answer in (guessed, right)
    ]


def is_answered(screen: Screen, question: str) -> bool:
    """Whether a question has a chosen answer."""
    return bool(guess(screen, question))


def waits(screen: Screen, question: str) -> bool:
    """Whether a figure waits for the guess, on a page that asks first. A quiz covers the whole figure instead."""
    is_first = screen.own(Guesses).guess_first and not screen.own(Reader).quiz
    return is_first and not is_answered(screen, question)


def _verdict(answer: str, guessed: str, right: str) -> str:
    """The verdict on an answer after a guess: `right`, or `wrong` if it was guessed; "" for the others. A right answer
    that was shown without a guess is `told`, which is no success."""
    if not guessed or not right or answer == SKIPPED:
        return ""
    if guessed == SKIPPED:
        return "told" if answer == right else ""
    return "right" if answer == right else "wrong" if answer == guessed else ""


def guess(screen: Screen, question: str, answers: Collection[str] = ()) -> str:
    """The chosen answer to a question; "" if there is none, or if it is no answer. answers: their ids, if the question
    is in no list."""
    guessed = screen.own(Guesses).by_question.get(question, "")
    return guessed if guessed in (answers or QUESTIONS[question].answers) else ""


def _sets(screen: Screen, question: str, answer: str, guessed: str) -> dict[str, str]:
    """The settings of a click on an answer, including those that show it; a second click takes it back."""
    if answer == guessed:
        return given(screen, question, "")
    return given(screen, question, answer) | leads_to(question, screen)


def given(screen: Screen, question: str, answer: str) -> dict[str, str]:
    """The settings that answer a question and keep the answers to others; "" takes its answer back."""
    return screen.own(Guesses).answering(question, answer)


for _id, _one in QUESTIONS.items():
    View(f"{_one.page}.guess_{_id}", partial(draw, _id))


def of(question: str) -> View:
    """The view of a question."""
    return VIEWS[f"{QUESTIONS[question].page}.guess_{question}"]
