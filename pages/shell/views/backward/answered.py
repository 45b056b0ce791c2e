"""The lines of the heads when an answer is differentiated: their texts, the meaning of bars and signs, and the settings
of a click on a bar."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attention.inputs.grammar import Asked
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks
from pages.shell.views.backward import alone, answer, by_hand, guessed, prices, pushed
from pages.shell.views.blocks import Block


@dataclass(frozen=True)
class Part:
    """after: the run that is shown; row, question: of the answer; pushes (heads, keys): of the layer at rest;
    strongest: the strongest drawn push; waits: whether the arrows wait for a guess."""

    screen: Screen
    after: Run
    row: int
    question: int | None
    pushes: Tensor
    strongest: pushed.Strongest
    waits: bool

    @property
    def run(self) -> Run:
        return self.screen.run

    @property
    def one(self) -> Asked | None:
        return answer.of_question(self.run, self.row, self.question)

    @property
    def has_learned(self) -> bool:
        return alone.steps(self.screen) > 0 and self.after is not self.run

    @property
    def is_moved(self) -> bool:
        """Whether the weights can be moved by hand."""
        return self.question is not None and not self.has_learned and not self.waits

    @property
    def is_visit(self) -> bool:
        return alone.is_visit(self.screen, self.row, self.question)

    @property
    def held(self) -> by_hand.Held | None:
        return alone.held(self.screen, self.row, self.question)

    @property
    def guess(self) -> guessed.Guess | None:
        return guessed.made(self.screen, self.row, self.question, self.pushes)


def said(part: Part) -> str:
    """The sentence of the picture: the question; the result of a guess, of steps or of a hand; or the strongest
    push."""
    run, one = part.run, part.one
    if one is None:
        return pushed.nothing(run, part.row)
    if part.waits:
        return say("backward.guess.asked", answer=answer.right_named(run, one))
    if part.has_learned:
        source = alone.learned_from(part.screen) if part.is_visit else ""
        return alone.said(run, part.after, part.row, one, alone.steps(part.screen), source)
    if part.held is not None:
        return by_hand.said(run, part.after, part.row, one, part.held, part.pushes)
    if part.guess is not None:
        return guessed.judged(run, part.row, one, part.guess)
    return pushed.said(run, part.row, one, part.strongest, part.pushes)


def beside(part: Part) -> Iterator[Block]:
    """The further text and the next actions."""
    run, one = part.run, part.one
    if one is None or part.waits:
        # The block is there even if it is empty, so that the content below it stays in place.
        yield blocks.text(say("backward.guess.why") if part.waits else "")
    else:
        told = [*(_came_of if part.after is not run else _at_rest)(part, one)]
        yield blocks.text(listed("sentence", told) if told else "")
    if buttons := _buttons(part):
        yield blocks.buttons(*buttons)


def _at_rest(part: Part, one: Asked) -> Iterator[str]:
    """The strongest push, if a guess was wrong, and its reason or that of the bar that is looked at; while no weight
    matters, what is learned instead."""
    strongest = part.strongest
    if not strongest.has_arrow:
        yield from pushed.first(part.run, part.row, one)
        return
    if part.held is None and part.guess is not None and part.guess.verdict == "wrong":
        yield pushed.way(part.run, strongest, part.pushes)
    looked_at = part.held or strongest
    if reason := _whys(part)[looked_at.head][looked_at.key]:
        yield reason


def _came_of(part: Part, one: Asked) -> Iterator[str]:
    """The result for the arrows; for a weight that is moved by hand, why it had none, the price, and who pays it."""
    run, after, row = part.run, part.after, part.row
    if part.held is not None:
        yield from by_hand.without_arrow(run, after, row, one, part.held, part.pushes)
        if price := prices.said(run, after, row, one):
            yield price
        yield from pushed.against(run, row, one, part.pushes, part.held.head, part.held.key)
    elif part.has_learned and not part.is_visit:
        yield from alone.arrows(run, after, row, part.pushes)


def _buttons(part: Part) -> list[tuple[str, bool | None, Any]]:
    """The buttons: see the arrows without a guess; move the strongest one by hand, or back; learn from this answer."""
    if part.question is None:
        return []
    if part.waits:
        return [guessed.skipped(part.screen, part.row, part.question)]
    if part.is_visit:
        return [(say("backward.alone.instead"), None, alone.at_rest(part.row, part.question))]
    if part.held is not None:
        return [(say("backward.hand.back"), None, {"pushed": ""})]
    if not part.strongest.has_arrow:
        return []
    if part.has_learned:
        # The button replaces the other one, so that the content below it stays in place.
        return [(say("backward.hand.back"), None, {"answer_steps": "", "pushed": ""})]
    push, head, key = part.strongest.push, part.strongest.head, part.strongest.key
    return [by_hand.offered(part.run, part.row, head, key, 1 if push > 0 else -1)]


def bars(part: Part, shown: int) -> dict[str, Any]:
    """The settings of a click on each weight and of a drag, and the bars that are marked."""
    run, row = part.run, part.row
    if part.question is None or part.has_learned:
        return {}
    question, held, guess = part.question, part.held, part.guess
    places = [(head, key) for head in range(part.pushes.shape[0]) for key in range(shown)]
    if part.waits:
        return {"bars": [guessed.sets(part.screen, row, question, *place) for place in places]}
    return {
        "bars": [by_hand.sets(run, row, *place) for place in places],
        "drags": by_hand.DRAGS,
        **({} if held is None else {"held": (held.head, held.key)}),
        **({} if guess is None or held is not None else {"marked": guess}),
    }


def answers(part: Part, shown: int, earlier: int) -> dict[str, Any]:
    """The line of all right answers of the sentence; if the layer has learned, also the gain by its weights alone."""
    run, after, row, one = part.run, part.after, part.row, part.one
    drawn, told = prices.line(run, after, row, part.question, range(-earlier, shown - earlier))
    gain = {}
    if one is not None and part.has_learned and not part.is_visit:
        gain = prices.by_weights(run, after, row, one, alone.weights(after, row))
    return {"answers": drawn, "answered": told, "gain": gain}


def labels(part: Part, tokens: Sequence[str], earlier: int) -> dict[str, Any]:
    """The meaning of the signs of the picture, the tooltip of an arrow, and each word's wrong answer with whether it
    was right at rest."""
    run, now = part.run, part.after
    names: dict[str, Any] = {
        name: say(f"backward.lane.{name}")
        for name in ("weight", "before", "wrong", "wrong_newly", "answers", "answers_alone")
    }
    if part.is_moved:
        names["weight"] = say("backward.lane.drag")
    has_arrows = not (part.waits or part.is_visit)
    names["missed"] = say("backward.lane.missed")
    names["ways"] = "" if not has_arrows else say(f"backward.lane.{'asked' if part.has_learned else 'ways'}")
    # The browser fills these placeholders.
    holes = {name: f"{{{{{name}}}}}" for name in ("head", "word", "weight", "push")}
    names["told"] = say("backward.lane_told" if has_arrows else "backward.lane_weight", **holes)
    names["whys"] = _whys(part) if has_arrows else [[""] * len(tokens) for _ in part.pushes]
    if not (part.question is None or part.has_learned):
        names["keys"] = say("backward.guess.keys" if part.waits else "backward.hand.keys")
    mistakes, newly = [], []
    for row, token in enumerate(tokens, -earlier):
        wrong = answer.wrong(now, row) if row >= 0 else []
        lost = prices.lost(run, now, row) if wrong else []
        named = asking.name_of((lost or wrong)[0].question) if wrong else ""
        kind = "backward.mistake_new" if lost else "backward.mistake"
        mistakes.append(say(kind, word=token, question=named) if wrong else "")
        newly.append(bool(lost))
    return names | {"mistakes": mistakes, "newly": newly}


def _whys(part: Part) -> list[list[str]]:
    return pushed.whys(part.run, part.question, part.row, part.pushes)
