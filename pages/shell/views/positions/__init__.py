"""Positions: the scores that stay when words move, and the rotation of queries."""

from pages.shell.views.positions import circles, rotation, two_words
from pages.shell.views.positions import kinds as side_by_side
from pages.shell.views.registry import View

dragged = View("positions.dragged", two_words.dragged)
turning = View("positions.turning", circles.turning)
pairs = View("positions.pairs", circles.pairs)
kinds = View("positions.kinds", side_by_side.kinds)
shifted = View("positions.shifted", two_words.shifted)
fading = View("positions.fading", two_words.fading)
waves = View("positions.waves", rotation.waves)
stretched = View("positions.stretched", rotation.stretched)
mixed = View("positions.mixed", rotation.mixed)
wrong = View("positions.wrong", rotation.wrong)
