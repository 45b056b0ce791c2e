"""Common parts of the page's views: the request to a model, its outputs, and words about heads."""

from collections.abc import Sequence
from itertools import pairwise

from attention.analysis.head_patterns import PATTERNS, Patterns, patterns
from pages.shell.i18n import listed, say
from pages.shell.runs.run import Run
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import is_lacking, loaded
from pages.shell.runs.trained.outputs import known
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import OTHER, UNRELATED, Request, last_word, place_of, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views.registry import NotYetError


def request(screen: Screen) -> Request:
    """The chosen request or, if its model is missing, a recorded one."""
    return recorded.there(screen.own(Models))


def place(screen: Screen) -> tuple[int, int]:
    """The layer and the head that are open, from 0."""
    return place_of(screen.own(Models))


def is_ready(screen: Screen) -> bool:
    """Whether the model of the screen is loaded: of a missing one the page has only a few records."""
    return loaded(request(screen).model) is not None


def found(asked: Request) -> Outputs | None:
    """The outputs of a model for a text; for a missing model the record, None if there is none.

    NotYetError: a task of the page loads the model or asks it first.
    """
    if is_lacking(asked.model):
        return recorded.recorded(asked)
    outputs = known(asked)
    if outputs is None:
        raise NotYetError
    return outputs


def soon(asked: Request) -> Outputs | None:
    """As `found`, but until the model is loaded the record of the page's own texts, so that the first picture does not
    wait."""
    if loaded(asked.model) is None and asked in recorded.WHOLE:
        return recorded.recorded(asked)
    return found(asked)


def others(screen: Models) -> tuple[str, str]:
    """The texts beside that of a screen: the visitor's, if the model is there, and one about something else."""
    own = "" if is_lacking(screen.model) else screen.other_text.strip()
    return own or OTHER, UNRELATED


def before(screen: Screen) -> Outputs | None:
    """The outputs of the trained model for the text."""
    return found(request(screen).plain())


def after(screen: Screen) -> Outputs | None:
    """The outputs of the changed model for the text."""
    return found(request(screen))


def run(screen: Screen) -> Run | None:
    """The opened layer with its head; None if the model is not loaded."""
    after(screen)
    return screen.run if is_ready(screen) else None


def asks_at(screen: Screen, outputs: Outputs) -> int:
    """The chosen token (from 0): that of the named cell, else the last word."""
    wanted, named = request(screen), screen.place
    if named is not None and named.figure == "weights" and named.row < len(outputs.tokens):
        return named.row
    asked = screen.query() if loaded(wanted.model) is not None else None
    return last_word(len(outputs.tokens), is_causal=sizes_of(wanted.model).causal) if asked is None else asked


def spelled(model: str, tokens: Sequence[str]) -> list[str]:
    """Tokens for a reader: a word without the space before it, and a hyphen before a token that continues a word."""
    made = list(tokens[:1])
    for before, token in pairwise(tokens):
        bare = token.removeprefix("##").removeprefix("␣") or token
        in_word = bare.isascii() and bare.isalpha() and before[-1:].isalpha()
        goes_on = token.startswith("##") or (model == "smollm2" and token == bare and in_word)
        made.append(f"-{bare}" if goes_on else bare)
    return made


def words(model: str, ids: list[int]) -> tuple[str, ...]:
    """Tokens of a model by their numbers, for a reader."""
    there = loaded(model)
    return recorded.words(model, ids) if there is None else there.shown(ids)


def first(model: str, outputs: Outputs) -> tuple[str, str]:
    """A decoder's most likely next token, and its probability."""
    return words(model, [int(outputs.output.argmax())])[0], two(float(outputs.output.max()))


def measured(outputs: Outputs) -> Patterns:
    return patterns(outputs.weights, outputs.tokens, outputs.mask)


def name(layer: int, head: int) -> str:
    """The name of a head; layer and head from 0."""
    return say("models.head", layer=layer + 1, head=head + 1)


def numbers(told: Patterns, layer: int, head: int) -> str:
    """The measures of a head."""
    parts = ((kind, float(told.numbers[kind][layer, head])) for kind in PATTERNS)
    return listed(
        "comma",
        (
            say("models.measure", what=say(f"models.pattern.{kind}.title"), number=two(number))
            for kind, number in parts
            if number == number
        ),
    )


def opens(layer: int | str, head: int | str) -> dict[str, str]:
    """The settings that open a head; layer and head from 1."""
    return {"model_layer": str(layer), "model_head": str(head), "cell": ""}


def two(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")
