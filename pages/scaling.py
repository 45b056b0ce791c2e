"""Why divide by the square root of d_k: variance, saturation, gradients, layers, a race, and the wrong d."""

from pages.shell.layout import page
from pages.shell.sections.scaling import gradients, layers, minute, race, saturation

page.title("scaling")
minute.section()
saturation.section()
gradients.section()
layers.starts()
race.section()
layers.mistakes()
