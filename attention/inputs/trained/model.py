"""A trained transformer around the one implementation of attention: one record a layer, and what the model says."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor

from attention.inputs.trained.changes import AtLayer, Changes, Sizes
from attention.inputs.trained.directions import projected
from attention.modules import MultiHeadAttention
from attention.trace import Quantity, Trace


class LayerTrace(Trace):
    """The record of a layer that shares the layer's parameters: nobody changes them, and thirty copies are 100 MB."""

    def kept(self, quantity: Quantity, value: Tensor) -> Tensor:
        return value.detach() if quantity.id.startswith(("w_", "b_")) else super().kept(quantity, value)


@dataclass(frozen=True)
class Passed:
    """One layer of a run: its record, and the hidden states (batch, n, d_model) before and after the whole layer."""

    trace: Trace
    before: Tensor
    after: Tensor


class TrainedModel(ABC):
    """A transformer as it was trained, on the CPU, in float32. Shared by all who ask: nobody may change it."""

    name: str
    sizes: Sizes
    # Tokens that a text may have.
    positions: int
    # Keywords of the module beside those that changes set: how positions turn queries and keys.
    turning: dict[str, Any]

    @abstractmethod
    def ids(self, text: str) -> list[int]:
        """The numbers of the tokens of a text."""

    @abstractmethod
    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        """Tokens by their numbers, as the vocabulary of the model has them."""

    @abstractmethod
    def shown(self, ids: list[int]) -> tuple[str, ...]:
        """Tokens by their numbers, to be read: a space before a word as ␣."""

    @abstractmethod
    def embed(self, ids: list[int]) -> Tensor:
        """What the first layer reads: (1, n, d_model)."""

    @abstractmethod
    def attention(self, layer: int) -> MultiHeadAttention:
        """The attention of a layer, as it was trained."""

    @abstractmethod
    def read(self, layer: int, x: Tensor) -> Tensor:
        """What the attention of a layer reads of the hidden states x (..., n, d_model)."""

    @abstractmethod
    def finish(self, layer: int, x: Tensor, y: Tensor) -> Tensor:
        """The hidden states after a layer, from those before it and from what its attention made of them."""

    @abstractmethod
    def say(self, x: Tensor) -> Tensor:
        """What the model says, from the last hidden states (..., n, d_model): a decoder the probabilities (...,
        vocabulary) of the next token, an encoder a sentence vector (..., d_model) of length 1."""

    @abstractmethod
    def warm(self, layer: int) -> None:
        """Have a layer ready."""

    def tokens(self, text: str) -> tuple[str, ...]:
        """The word pieces of a text. ValueError: a text without tokens, or with more than the model has positions."""
        return self.pieces(self.checked(text))

    def traces(self, text: str, **changes: Any) -> tuple[Trace, ...]:
        """The record of every layer's attention, the first layer first. changes: those of `Changes`.

        ValueError: a text without tokens or with too many, a change that does not fit.
        """
        return tuple(passed.trace for passed in self.run(text, **changes))

    def output(self, text: str, **changes: Any) -> Tensor:
        """What the model says of a text, as `say`: (vocabulary,) or (d_model,). changes, ValueError: as `traces`."""
        *_, last = self.run(text, **changes)
        return self.said(last.after)

    def run(self, text: str, **changes: Any) -> Iterator[Passed]:
        """Layer by layer, so that nobody need keep all records. changes, ValueError: as `traces`."""
        ids = self.checked(text)
        changed = Changes.named(changes)
        changed.check(self.sizes, len(ids))
        with torch.inference_mode():
            x = self.embed(ids)
        return self._layers(x, changed)

    def _layers(self, x: Tensor, changed: Changes) -> Iterator[Passed]:
        for layer, generator in enumerate(changed.drawn(self.sizes.layers)):
            trace = LayerTrace()
            at = changed.at(layer, self.sizes, x.shape[-2])
            after = self.through(layer, x, at, generator=generator, trace=trace)
            yield Passed(trace, x, after)
            x = after

    def through(
        self, layer: int, x: Tensor, at: AtLayer, *, generator: Generator | None = None, trace: Trace | None = None
    ) -> Tensor:
        """The hidden states after a layer, from those before it (batch, n, d_model). trace: keeps its attention."""
        with torch.inference_mode():
            module = self.changed(layer, at)
            y = module(
                self.read(layer, x),
                **self.turning,
                mask=at.mask,
                scale=at.scale,
                generator=generator,
                trace=trace,
            )
            return self.finish(layer, x, y)

    def said(self, x: Tensor) -> Tensor:
        """What the model says from the last hidden states of one text (1, n, d_model)."""
        with torch.inference_mode():
            return self.say(x)[0]

    def changed(self, layer: int, at: AtLayer) -> MultiHeadAttention:
        """The attention of a layer with what is changed in its parameters; the others are shared."""
        module = self.attention(layer)
        if not (at.off or at.ranks or at.dropout):
            return module
        module = copy(module)
        module.dropout, module.training = at.dropout, at.dropout > 0
        # Of a copy, so that the layer itself keeps its own.
        module._parameters = dict(module._parameters)
        if at.off:
            w_o = module.w_o.clone()
            w_o.unflatten(0, (module.heads, -1))[list(at.off)] = 0
            module.w_o = torch.nn.Parameter(w_o, requires_grad=False)
        if at.ranks:
            projected(module, at.ranks)
        return module

    def checked(self, text: str) -> list[int]:
        """The numbers of the tokens, of which there is at least one, and not too many."""
        ids = self.ids(text)
        if not ids:
            raise ValueError("the text has no tokens")
        if len(ids) > self.positions:
            raise ValueError(f"the text has {len(ids)} tokens, {self.name} takes {self.positions}")
        return ids
