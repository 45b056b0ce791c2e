"""Backward: the gradient of a chosen number with respect to every step."""

from pages.shell.layout import page
from pages.shell.layout.drawer import drawer
from pages.shell.layout.live import show
from pages.shell.sections.backward import attribution, target, training
from pages.shell.views import backward, files

SOFTMAX = (backward.jacobian, backward.hidden_pairs, backward.scaled)
GRADIENTS = (
    backward.output,
    backward.normed,
    backward.rotated,
    backward.projections,
    backward.parameters,
    backward.biases,
    backward.inputs,
)

page.title("backward")
target.controls()
show(backward.ledger)
page.training_offer("backward")
show(backward.told, backward.projected)
with page.predict("hidden", "most", "little", "none"):
    show(backward.weights, backward.scores)
with drawer("softmax", *SOFTMAX):
    show(*SOFTMAX)
with drawer("gradients", *GRADIENTS):
    show(*GRADIENTS)
with drawer("attribution", backward.attributed):
    show(backward.attributed)
    attribution.task()
with drawer("training", "sgd_rate", "sgd_steps"):
    training.section()
with drawer("takeaway"):
    show(files.of_backward)
