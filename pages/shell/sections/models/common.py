"""What the rows of the page share: the model and its text, as trained and as changed, and the opened head."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import streamlit as st

from attention.analysis.head_patterns import PATTERNS, Patterns, patterns
from pages.shell.i18n import listed, say, spoken
from pages.shell.layout.rows import row
from pages.shell.runs.sources import Source
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.layer_run import opened
from pages.shell.runs.trained.loaded import is_lacking, loaded
from pages.shell.runs.trained.outputs import outputs
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, place_of, requested
from pages.shell.state.page_controls import Models
from pages.shell.state.parameters import set_parameter
from pages.shell.state.pending import set_controls


def _request() -> Request:
    """What is asked for or, of a model that is not there, what is kept of it."""
    found = requested(Models.opened())
    return recorded.nearest(found) if is_lacking(found.model) else found


# As the link has it: some widgets come later.
request = Source(_request)
place = Source(lambda: place_of(Models.opened()))
before: Source[Outputs | None] = Source(lambda: outputs(request().plain()), key=lambda: request().plain())
after: Source[Outputs | None] = Source(lambda: outputs(request()), key=lambda: request())
shown: Source[Any] = Source(lambda: opened(request(), *place()), key=lambda: (request(), place(), spoken()))


def is_ready() -> bool:
    """Whether the model of the screen is there: of one that is not, the page has a few records."""
    return loaded(request().model) is not None


def headed(title: str) -> Callable[[Callable[[Outputs], None]], Callable[[], None]]:
    """Make a function of what the model makes of the text, as changed, a row of the page under its heading."""

    def made(draw: Callable[[Outputs], None]) -> Callable[[], None]:
        @row
        @wraps(draw)
        def drawn() -> None:
            found = after.read()
            if found is not None:
                st.subheader(say(f"models.{title}.title"), anchor=False)
                draw(found)

        return drawn

    return made


def words(ids: list[int]) -> tuple[str, ...]:
    """Tokens of the model by their numbers, to be read."""
    name = request().model
    model = loaded(name)
    return recorded.words(name, ids) if model is None else model.shown(ids)


def first(found: Outputs) -> tuple[str, str]:
    """What a decoder takes for the most likely next token, and its probability."""
    return words([int(found.output.argmax())])[0], two(float(found.output.max()))


def measured(found: Outputs) -> Patterns:
    return patterns(found.weights, found.tokens, found.mask)


def name(layer: int, head: int) -> str:
    """A head in words; layer and head from 0."""
    return say("models.head", layer=layer + 1, head=head + 1)


def numbers(found: Patterns, layer: int, head: int) -> str:
    """What a head does, in numbers."""
    parts = ((kind, float(found.numbers[kind][layer, head])) for kind in PATTERNS)
    return listed(
        "comma",
        (
            say("models.measure", what=say(f"models.pattern.{kind}.title"), number=two(number))
            for kind, number in parts
            if number == number
        ),
    )


def open_head(layer: int, head: int) -> None:
    """Open a head, both from 1, input from outside like any other."""
    screen = Models.of({"model_layer": str(layer), "model_head": str(head)})
    set_parameter("cell", "")
    set_controls({"model_layer": screen.model_layer, "model_head": screen.model_head})


def two(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")
