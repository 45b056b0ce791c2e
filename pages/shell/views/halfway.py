"""The length of a text from which its pairs are half of a layer, and whether the reader knows it."""

from attention.analysis import costs
from attention.analysis.costs import MODELS, Layer
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.guesses import Guesses
from pages.shell.state.todays_controls import OWN, Costs

LENGTHS = tuple(2**exponent for exponent in range(4, 18))


def layers(run: Run) -> dict[str, Layer]:
    """Published sizes, and those of the screen, with a feed-forward part four times as wide as the model."""
    module = run.module
    own = Layer(module.d_model, module.heads, module.d_k, d_v=module.d_v, hidden=4 * module.d_model)
    return {**MODELS, OWN: own}


def half(screen: Screen, model: str = "") -> float:
    """The length at which the pairs are half. model: the layer, by default that of the picture."""
    return costs.overtakes_layer(layers(screen.run)[model or screen.own(Costs).cost_model])


def question(screen: Screen, model: str = "") -> str:
    """The id of the picture's question, which each layer has for itself."""
    return f"half_{model or screen.own(Costs).cost_model}"


def zones(screen: Screen) -> list[int]:
    """The pairs of lengths between which half may lie, by the shorter one: those that the text has not passed."""
    n = int(screen.own(Costs).cost_n)
    return [length for length in LENGTHS[:-1] if length >= n]


def guessed(screen: Screen, model: str = "") -> int | None:
    """The shorter of the two guessed lengths."""
    found = screen.own(Guesses).by_question.get(question(screen, model), "")
    return next((length for length in LENGTHS[:-1] if str(length) == found), None)


def is_told(screen: Screen, model: str = "") -> bool:
    """Whether the length is told: after a guess, or when the text has reached it, since the page asks for it."""
    has_come = int(screen.own(Costs).cost_n) >= half(screen, model)
    return has_come or guessed(screen, model) is not None or "costs" in screen.own(Guesses).by_question
