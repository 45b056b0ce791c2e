"""Why divide by the square root of d_k: variance, saturation, gradients, layers, a race, and the wrong d."""

from pages.shell import show
from pages.shell.lab import gradients, layers, race, saturation, variance

show.title("scaling")
variance.section()
saturation.section()
gradients.section()
layers.starts()
race.section()
layers.mistakes()
