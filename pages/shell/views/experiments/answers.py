"""What can be answered to the question of an intervention, which answer is right, and what the verdict says of it."""

from collections.abc import Mapping, Sequence

from pages.shell.i18n import say, with_and
from pages.shell.i18n.markdown import quoted
from pages.shell.screen import Screen
from pages.shell.state.page_controls import WhatIf
from pages.shell.views.experiments.after import After, spoken

# By question, its answers in the order in which they are offered. `moves`: the arcs are others.
_ANSWERS: Mapping[str, Sequence[str]] = {
    "sentence": ("stays", "places", "moves"),
    "importance": ("stays", "less", "moves"),
    "tied": ("stays", "others", "moves"),
    "nothing": ("stays", "moves"),
    "keys": ("nowhere", "stays", "moves"),
    "queries": ("nowhere", "stays", "moves"),
    "values": ("nowhere", "stays", "moves"),
    "mistakes": ("less", "stays", "moves"),
    "columns": ("stays", "numbers", "moves"),
    "basis": ("stays", "scores", "moves"),
}
# Of these it is asked where arcs end.
_WHERE = ("tied", "sentence")


def question(chosen: WhatIf) -> str:
    """What is asked of the open experiment, by id."""
    return chosen.shifted if chosen.what_if == "bias" else chosen.what_if


def named(screen: Screen) -> str:
    """The id of the words of what is asked: of nothing that is added, it is asked only whether arcs move."""
    chosen = screen.own(WhatIf)
    return "nothing" if chosen.what_if == "bias" and not chosen.shift else question(chosen)


def offered(asked: str) -> dict[str, str]:
    return {answer: say(f"what_if.answer.{asked}.{answer}") for answer in _ANSWERS[asked]}


def right(made: After, asked: str) -> str:
    """The right answer, by id."""
    if asked == "nothing" or (asked not in _WHERE and not made.found):
        return "moves" if made.moves else "stays"
    if asked not in _WHERE:
        return made.found
    if not made.ends:
        return "stays"
    if asked == "tied":
        return "moves" if any(made.ends) else "others"
    return "places" if len(_in_place(made)) == len(made.was) else "moves"


def so(made: After, asked: str, answer: str) -> str:
    """What the arcs do; where they end, if that is at the word that asks, or at the same words with other weights."""
    if asked in _WHERE and any(made.ends):
        is_all = len(made.ends) == len(made.was) and all(made.ends)
        word = quoted(spoken(made.run, "query", made.query))
        return say(f"what_if.itself.{'all' if is_all else 'some'}", word=word)
    if asked in _WHERE and made.moves and not made.ends:
        return say("what_if.so.weights")
    return say(f"what_if.so.{asked}.{answer}")


def in_part(made: After, guessed: str, answer: str) -> str:
    """What is right in a wrong guess: which heads do end at the same places; "" where there is nothing of the kind."""
    heads = [str(head + 1) for head in _in_place(made)] if (guessed, answer) == ("places", "moves") else []
    return say(f"what_if.places.{'one' if len(heads) == 1 else 'more'}", heads=with_and(heads)) if heads else ""


def _in_place(made: After) -> list[int]:
    """The heads whose largest weight lies at the same place of both sentences."""
    return [
        head for head, (was, now) in enumerate(zip(made.was, made.now, strict=True)) if was.argmax() == now.argmax()
    ]
