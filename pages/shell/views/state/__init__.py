"""The page about a state: facts that are told and read again, its steps, its matrix beside A, its memory."""

from pages.shell.views.registry import View
from pages.shell.views.state import film, guessed, steps
from pages.shell.views.state import memory as kept

filmstrip = View("state.filmstrip", film.filmstrip)
asked = View("state.asked", guessed.asked)
memories = View("state.memories", steps.memories)
player = View("state.player", steps.player)
step = View("state.step", steps.step)
matrices = View("state.matrices", steps.matrices)
memory = View("state.memory", kept.memory)
models = View("state.models", kept.models)
wrong = View("state.wrong", kept.wrong)
