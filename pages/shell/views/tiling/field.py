"""Layers of a sliding window: which inputs a position depends on, layer by layer."""

from collections.abc import Iterator
from typing import Any

from attention.analysis.receptive_field import reach, receptive_field, sliding
from attention.cache import PUBLISHED
from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Tiles
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# A published model with a window in all of its layers.
_MODEL = next(model for model in PUBLISHED if model.windowed == model.layers)


def lead(screen: Screen) -> Iterator[Block]:
    yield blocks.heading(say("tiles.field.title"))
    yield blocks.text(say("tiles.field.lead"))


def fan(screen: Screen) -> Iterator[Block]:
    """A row a layer: the inputs that the chosen position depends on after it. A click chooses another position."""
    chosen, tokens = screen.own(Tiles), screen.run.labels["key"]
    n = len(tokens)
    at = min(chosen.field_position or n, n) - 1
    full = (chosen.field_layers // 2,) if chosen.field_global else ()
    masks = sliding(n, chosen.field_width, chosen.field_layers, full=full)
    field = receptive_field(masks)[:, at]
    drawn = heatmap_of("receptive-field", field, "layer", "key", "binary")
    names = [
        say("tiles.field.layer_full" if layer in full else "tiles.field.layer", layer=layer + 1)
        for layer in range(len(masks))
    ]
    counts = ", ".join(str(int(each.sum())) for each in field)
    formula = reach(chosen.field_width, chosen.field_layers)
    note = say("tiles.field.note", token=tokens[at], counts=counts, place=at + 1, reach=formula)
    figure = Figure(drawn, say("tiles.field.figure"), names, tokens, note)
    yield blocks.figures(figure, click={"field_position": "{column_number}"})
    window, layers = _MODEL.window, _MODEL.layers
    numbers = {"window": window, "product": window * layers, "reach": reach(window, layers)}
    told: dict[str, Any] = {name: f"{number:,}" for name, number in numbers.items()}
    yield blocks.text(say("tiles.field.wrong", model=_MODEL.name, layers=layers, **told))
