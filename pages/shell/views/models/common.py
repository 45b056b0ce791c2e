"""What the views of the page share: what is asked of a model, what the model makes of it, and words about heads."""

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
    """What is asked for or, of a model that is not there, what is kept of it."""
    return recorded.there(screen.own(Models))


def place(screen: Screen) -> tuple[int, int]:
    """The layer and the head that are opened, from 0."""
    return place_of(screen.own(Models))


def is_ready(screen: Screen) -> bool:
    """Whether the model of the screen is there: of one that is not, the page has a few records."""
    return loaded(request(screen).model) is not None


def found(asked: Request) -> Outputs | None:
    """What a model makes of a text; of one that is not there what is kept of it, None where nothing is.

    NotYetError: a task of the page has it loaded, or asks it, first.
    """
    if is_lacking(asked.model):
        return recorded.recorded(asked)
    outputs = known(asked)
    if outputs is None:
        raise NotYetError
    return outputs


def soon(asked: Request) -> Outputs | None:
    """As `found`, and until the model is loaded what is kept of the page's own texts: nobody waits for the first
    picture."""
    if loaded(asked.model) is None and asked in recorded.WHOLE:
        return recorded.recorded(asked)
    return found(asked)


def others(screen: Models) -> tuple[str, str]:
    """The texts beside that of a screen: one of the visitor's, where the model is there, and one on something else."""
    own = "" if is_lacking(screen.model) else screen.other_text.strip()
    return own or OTHER, UNRELATED


def before(screen: Screen) -> Outputs | None:
    """What the model makes of the text as it was trained."""
    return found(request(screen).plain())


def after(screen: Screen) -> Outputs | None:
    """What the model makes of the text as it was changed."""
    return found(request(screen))


def run(screen: Screen) -> Run | None:
    """The opened layer with its head; None of a model that is not there."""
    after(screen)
    return screen.run if is_ready(screen) else None


def asks_at(screen: Screen, outputs: Outputs) -> int:
    """The token (from 0) that is looked at: the one of the named cell, else the last word."""
    wanted, named = request(screen), screen.place
    if named is not None and named.figure == "weights" and named.row < len(outputs.tokens):
        return named.row
    asked = screen.query() if loaded(wanted.model) is not None else None
    return last_word(len(outputs.tokens), is_causal=sizes_of(wanted.model).causal) if asked is None else asked


def spelled(model: str, tokens: Sequence[str]) -> list[str]:
    """Tokens as one reads them: a word without the space before it, with a hyphen what goes on with a word."""
    made = list(tokens[:1])
    for before, token in pairwise(tokens):
        bare = token.removeprefix("##").removeprefix("␣") or token
        in_word = bare.isascii() and bare.isalpha() and before[-1:].isalpha()
        goes_on = token.startswith("##") or (model == "smollm2" and token == bare and in_word)
        made.append(f"-{bare}" if goes_on else bare)
    return made


def words(model: str, ids: list[int]) -> tuple[str, ...]:
    """Tokens of a model by their numbers, to be read."""
    there = loaded(model)
    return recorded.words(model, ids) if there is None else there.shown(ids)


def first(model: str, outputs: Outputs) -> tuple[str, str]:
    """What a decoder takes for the most likely next token, and its probability."""
    return words(model, [int(outputs.output.argmax())])[0], two(float(outputs.output.max()))


def measured(outputs: Outputs) -> Patterns:
    return patterns(outputs.weights, outputs.tokens, outputs.mask)


def name(layer: int, head: int) -> str:
    """A head in words; layer and head from 0."""
    return say("models.head", layer=layer + 1, head=head + 1)


def numbers(told: Patterns, layer: int, head: int) -> str:
    """What a head does, in numbers."""
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
    """What opens a head, both from 1."""
    return {"model_layer": str(layer), "model_head": str(head), "cell": ""}


def two(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")
