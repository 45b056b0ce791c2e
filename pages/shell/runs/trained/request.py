"""The request of a screen to a trained model: a text, and the changes of the model."""

import re
from dataclasses import dataclass, replace
from typing import Any

import torch

from attention.inputs import trained
from attention.inputs.trained.changes import Sizes
from attention.masks import MASKS
from pages.shell.state.config import OF_PRESET
from pages.shell.state.page_controls import Models

TEXTS = {"minilm": "a fluffy blue creature roamed the verdant forest", "smollm2": "The capital of France is"}
OTHER = "a furry animal walked through the green woods"
UNRELATED = "the train to the airport leaves at seven"
REPEATED = "a fluffy creature roamed quickly. A fluffy creature roamed"
EXAMPLES: dict[str, dict[str, Any]] = {
    "capital": {"model": "smollm2", "model_text": ""},
    # A text without a record: a visitor who edits a sentence sees another answer.
    "japan": {"model": "smollm2", "model_text": "The capital of Japan is"},
    "unscaled": {"model": "smollm2", "model_text": "", "model_scale": "none"},
    # The head that finds the token that followed the same token last time.
    "repeated": {"model": "smollm2", "model_text": REPEATED, "model_layer": 18, "model_head": 6},
}
# The controls that change a model.
CHANGES = (
    "model_scale",
    "model_mask",
    "model_width",
    "hide_first",
    "model_dropout",
    "model_draw",
    "rank",
    "everywhere",
    "model_off",
)
# The layer and the head, from 1, that a model opens with: one that attends to the token before. Which head the answer
# needs most is a question of the page, so it is not the one that is shown.
OPENED = {"minilm": (1, 3), "smollm2": (17, 1)}


@dataclass(frozen=True)
class Request:
    """A model, a text and changes. mask: its name, and its parameter if it takes one; draw: the draw of dropout; off:
    heads that are off as (layer, head), from 0; rank: (layer, head, directions); layer: the only layer that scale,
    mask, dropout and hidden concern, None for all."""

    model: str
    text: str
    scale: str = "sqrt_d_k"
    mask: tuple[str, int | None] | None = None
    dropout: float = 0.0
    off: tuple[tuple[int, int], ...] = ()
    rank: tuple[int, int, int] | None = None
    hidden: bool = False
    layer: int | None = None
    draw: int = 0

    def plain(self) -> "Request":
        """The same text without changes of the model."""
        return Request(self.model, self.text)

    def of(self, text: str) -> "Request":
        return replace(self, text=text)

    @property
    def changes(self) -> dict[str, Any]:
        """The changes as keyword arguments of a model."""
        common: dict[str, Any] = {
            "scale": None if self.scale == "sqrt_d_k" else self.scale,
            "mask": self._mask,
            "dropout": self.dropout,
            "hidden": (0,) if self.hidden else (),
        }
        if self.layer is not None:
            common = {name: {self.layer: value} for name, value in common.items()}
        off: dict[int, tuple[int, ...]] = {}
        for layer, head in self.off:
            off[layer] = (*off.get(layer, ()), head)
        rank = {self.rank[0]: {self.rank[1]: self.rank[2]}} if self.rank else None
        return common | {"off": off, "rank": rank, "generator": torch.Generator().manual_seed(self.draw)}

    @property
    def _mask(self) -> Any:
        if self.mask is None or self.mask[1] is None:
            return self.mask and self.mask[0]
        name, number = self.mask
        return name, dict.fromkeys(MASKS[name].parameters, number)


def as_trained() -> dict[str, Any]:
    """The controls of an unchanged model."""
    return {name: getattr(Models, name) for name in CHANGES}


def first_head(model: str) -> dict[str, int]:
    """The controls that open the first head of a model to show."""
    return dict(zip(("model_layer", "model_head"), OPENED[model], strict=True))


def example(name: str) -> dict[str, Any]:
    """The controls of an example of the page."""
    return as_trained() | first_head(EXAMPLES[name]["model"]) | EXAMPLES[name]


def chosen(screen: Models) -> str:
    """The example with the model, text and changes of a screen, whichever head is open or off; "" for none."""
    asked = requested(replace(screen, model_off=""))
    return next((name for name in EXAMPLES if requested(Models(**example(name))) == asked), "")


def sizes_of(name: str) -> Sizes:
    return trained.SIZES[name]


def last_word(tokens: int, *, is_causal: bool) -> int:
    """The place, from 0, of the last token that stands for a word; an encoder adds a further token that does not."""
    return max(tokens - (1 if is_causal else 2), 0)


def own_mask(name: str) -> str:
    """The mask that a model was trained with."""
    return "causal" if sizes_of(name).causal else "full"


def possible(screen: Models) -> Models:
    """The screen limited to layers and heads that its model has, those that are off included."""
    sizes, wrong = sizes_of(screen.model), not_heads(screen)
    off = ", ".join(word for word in _named(screen) if word not in wrong) if wrong else screen.model_off
    layer, head = min(screen.model_layer, sizes.layers), min(screen.model_head, sizes.heads)
    return replace(screen, model_layer=layer, model_head=head, model_off=off)


def place_of(screen: Models) -> tuple[int, int]:
    """The layer and the head of a screen, from 0, limited to those of its model."""
    there = possible(screen)
    return there.model_layer - 1, there.model_head - 1


def requested(screen: Models) -> Request:
    """The request of a screen, within the sizes of its model."""
    sizes = sizes_of(screen.model)
    layer, head = place_of(screen)
    changed = {
        "scale": screen.model_scale,
        "mask": _mask(screen),
        "dropout": screen.model_dropout,
        "hidden": screen.hide_first,
    }
    is_changed = any(value != getattr(Request, name) for name, value in changed.items())
    return Request(
        screen.model,
        screen.model_text.strip() or TEXTS[screen.model],
        off=tuple(sorted(_heads(screen.model_off, sizes))),
        rank=(layer, head, screen.rank) if screen.rank < sizes.d_k else None,
        layer=None if screen.everywhere or not is_changed else layer,
        draw=screen.model_draw if screen.model_dropout else 0,
        **changed,  # type: ignore[arg-type]
    )


def not_heads(screen: Models) -> tuple[str, ...]:
    """The names among the switched-off heads that are no head of the model."""
    sizes = sizes_of(screen.model)
    return tuple(word for word in _named(screen) if not _heads(word, sizes))


def _named(screen: Models) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", screen.model_off) if word]


def _heads(text: str, sizes: Sizes) -> set[tuple[int, int]]:
    """The heads of a model that a text names as layer.head, counted from 1."""
    named = ((int(layer) - 1, int(head) - 1) for layer, head in re.findall(r"(\d{1,3})\.(\d{1,3})", text))
    return {(layer, head) for layer, head in named if 0 <= layer < sizes.layers and 0 <= head < sizes.heads}


def _mask(screen: Models) -> tuple[str, int | None] | None:
    """The wanted mask; None for the model's own."""
    if screen.model_mask in (OF_PRESET, own_mask(screen.model)):
        return None
    return screen.model_mask, screen.model_width if MASKS[screen.model_mask].parameters else None
