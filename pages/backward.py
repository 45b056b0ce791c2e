"""Backward: the gradient of a chosen number with respect to every step."""

from pages.shell.layout import page
from pages.shell.layout.live import show
from pages.shell.sections.backward import attribution, takeaway, target, training
from pages.shell.views import backward

page.title("backward")
target.controls()
show(backward.ledger)
page.training_offer("backward")
show(backward.told, backward.projected, backward.output)
with page.predict("hidden", "most", "little", "none"):
    show(backward.weights, backward.scores)
show(
    backward.jacobian,
    backward.hidden_pairs,
    backward.scaled,
    backward.normed,
    backward.rotated,
    backward.projections,
    backward.parameters,
    backward.biases,
    backward.inputs,
    backward.attributed,
)
attribution.task()
training.section()
takeaway.section()
