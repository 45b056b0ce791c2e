"""What a head adds by itself to the score of the word that comes first: what it carries, beside where it looks."""

from torch import Tensor

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.views.models.alone import answer, is_measured
from pages.shell.views.models.common import request, soon, two

# Of a score, what is hardly a push: a probability is e to the power of it as large.
LITTLE = 0.5


def pushes(screen: Screen) -> Tensor | None:
    """Of every head (layer, head) of the model as trained; None where only another change could be told, and of a model
    that predicts no word."""
    wanted = request(screen)
    plain = soon(wanted.plain()) if is_measured(wanted) else None
    return None if plain is None or not plain.pushes.numel() else plain.pushes


def signed(push: float | Tensor) -> str:
    """As it is written: with its sign."""
    written = two(float(push))
    return written if written.startswith("−") else f"+{written}"


def note(screen: Screen) -> str:
    """What the column is."""
    return say("models.carried.note", word=answer(request(screen)))
