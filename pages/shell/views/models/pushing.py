"""A head's direct contribution to the score of the first word: the value that it carries, not the place where it
looks."""

from torch import Tensor

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.views.models.alone import answer, is_measured
from pages.shell.views.models.common import request, soon, two

# A smaller score is hardly a push: the probability changes by the factor e to this power.
LITTLE = 0.5


def pushes(screen: Screen) -> Tensor | None:
    """The pushes of all heads (layer, head) of the trained model; None if another change interferes, or if the model
    predicts no word."""
    wanted = request(screen)
    plain = soon(wanted.plain()) if is_measured(wanted) else None
    return None if plain is None or not plain.pushes.numel() else plain.pushes


def signed(push: float | Tensor) -> str:
    """The number with its sign."""
    written = two(float(push))
    return written if written.startswith("−") else f"+{written}"


def note(screen: Screen) -> str:
    """The explanation of the column."""
    return say("models.carried.note", word=answer(request(screen)))
