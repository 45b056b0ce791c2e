"""Real models: any head of a trained transformer, opened like our own, with controls that change the model itself."""

from pages.shell.layout import page
from pages.shell.sections.models import (
    attribution,
    effects,
    heads_wall,
    importance,
    induction,
    one_head,
    output,
    sinks,
    spread,
    start,
    take,
)

page.title("models")
start.section()
output.section()
heads_wall.section()
one_head.section()
with page.predict("importance", "largest", "not_always", "never"):
    importance.section()
attribution.section()
with page.predict("sink", "tenth", "third", "most"):
    sinks.section()
induction.section()
effects.section()
spread.section()
take.section()
