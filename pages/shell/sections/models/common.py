"""What the rows of the page share: the model and its text, as trained and as changed, and the head that is opened."""

from typing import Any

from attention.analysis.head_patterns import PATTERNS, Patterns, patterns
from attention.inputs.trained import COMMAND, FOLDER, missing
from pages.shell.i18n import listed, say, spoken
from pages.shell.i18n.markdown import code
from pages.shell.runs import trained
from pages.shell.runs.sources import Source
from pages.shell.runs.trained import Seen
from pages.shell.state.page_controls import Models
from pages.shell.state.parameters import set_parameter
from pages.shell.state.pending import set_controls

# As the link has it: some widgets come later.
asked = Source(lambda: trained.asked(Models.opened()))
place = Source(lambda: trained.place(Models.opened()))
before: Source[Seen | None] = Source(lambda: trained.seen(asked().plain()), key=lambda: asked().plain())
after: Source[Seen | None] = Source(lambda: trained.seen(asked()), key=lambda: asked())
shown: Source[Any] = Source(lambda: trained.opened(asked(), *place()), key=lambda: (asked(), place(), spoken()))


def is_ready() -> bool:
    """Whether the model of the screen is there."""
    return trained.loaded(asked().model) is not None


def lacking(model: str) -> str:
    """How to get a model that is not installed, in one sentence; "" for one that is."""
    return say("models.missing", command=code(COMMAND), folder=code(FOLDER)) if missing(model) else ""


def measured(found: Seen) -> Patterns:
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
