"""The gradient of a chosen number with respect to every step, beside its value, and what gradients teach.

A view whose figures explain a cell has the name that the address uses for its part of the page.
"""

from collections.abc import Iterator

from pages.shell.screen import Screen
from pages.shell.views import head_arcs
from pages.shell.views import ledger as ledgers
from pages.shell.views.backward import alone, attribution, figures, lessons, target, whole
from pages.shell.views.backward.asked import asked as draw_asked
from pages.shell.views.backward.chosen import chosen as draw_chosen
from pages.shell.views.backward.course import course as draw_course
from pages.shell.views.backward.flow import flow as draw_flow
from pages.shell.views.blocks import Block
from pages.shell.views.registry import View, view


@view
def ledger(screen: Screen) -> Iterator[Block]:
    yield from ledgers.sizes(screen)


@view
def notes(screen: Screen) -> Iterator[Block]:
    yield from ledgers.typed(screen)
    yield from ledgers.notes(screen)


def _pairs(*ids: str) -> View:
    key = f"backward-{ids[0]}"
    return View(f"backward.{key}", lambda screen: figures.pairs(screen, key, *ids))


warning = View("backward.warning", head_arcs.warning)
asked = View("backward.asked", draw_asked)
learned = View("backward.learned", alone.played)
course = View("backward.course", draw_course)
flow = View("backward.flow", draw_flow)
chosen = View("backward.chosen", draw_chosen)
whole_lead = View("backward.whole_lead", whole.lead)
played = View("backward.played", whole.played)
told = View("backward.target", target.told)
projected = _pairs("projected", "w_o", "b_o")
output = _pairs("output", "concat")
weights = _pairs("weights", "dropped", "sink")
scores = _pairs("scores", "scaled", "softcapped", "slopes", "bias", "biased", "masked")
normed = _pairs("queries_normed", "keys_normed", "g_q", "g_k")
rotated = _pairs("queries_rotated", "keys_rotated")
projections = _pairs("queries", "keys", "values")
parameters = _pairs("w_q", "w_k", "w_v")
biases = _pairs("b_q", "b_k", "b_v")
inputs = _pairs("x", "context")
jacobian = View("backward.jacobian", lessons.jacobian)
hidden_pairs = View("backward.pairs", lessons.pairs)
scaled = View("backward.backward-scaled", lessons.scaled)
attributed = View("backward.backward-attribution", attribution.section)
answered = View("backward.backward-answers", attribution.answered)
