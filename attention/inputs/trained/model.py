"""A trained transformer around the one implementation of attention: one record per layer, and the output of the
model."""

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
    """A record that shares the parameters of its layer, which are never changed: thirty copies would take 100 MB."""

    def kept(self, quantity: Quantity, value: Tensor) -> Tensor:
        return value.detach() if quantity.id.startswith(("w_", "b_")) else super().kept(quantity, value)


@dataclass(frozen=True)
class Passed:
    """One layer of a run: its record, and the hidden states (batch, n, d_model) before and after the whole layer."""

    trace: Trace
    before: Tensor
    after: Tensor


class TrainedModel(ABC):
    """A transformer as it was trained, on the CPU, in float32. Shared by all callers, and never changed."""

    name: str
    sizes: Sizes
    # The largest number of tokens of a text.
    positions: int
    # Keywords of the module beside those of changes: the rotation of queries and keys.
    turning: dict[str, Any]

    @abstractmethod
    def ids(self, text: str) -> list[int]:
        """The token ids of a text."""

    @abstractmethod
    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        """The tokens of some ids, as in the vocabulary of the model."""

    @abstractmethod
    def shown(self, ids: list[int]) -> tuple[str, ...]:
        """The tokens of some ids, for display: a space before a word becomes ␣."""

    @abstractmethod
    def embed(self, ids: list[int]) -> Tensor:
        """The input of the first layer: (1, n, d_model)."""

    @abstractmethod
    def attention(self, layer: int) -> MultiHeadAttention:
        """The attention of a layer, as it was trained."""

    @abstractmethod
    def read(self, layer: int, x: Tensor) -> Tensor:
        """The input of the attention of a layer, from the hidden states x (..., n, d_model)."""

    @abstractmethod
    def finish(self, layer: int, x: Tensor, y: Tensor) -> Tensor:
        """The hidden states after a layer, from those before it and the output of its attention."""

    @abstractmethod
    def say(self, x: Tensor) -> Tensor:
        """The output of the model from the last hidden states (..., n, d_model): for a decoder the probabilities (...,
        vocabulary) of the next token, for an encoder a sentence vector (..., d_model) of length 1."""

    @abstractmethod
    def warm(self, layer: int) -> None:
        """Prepare a layer."""

    def pushed(self, x: Tensor, parts: Tensor, word: int) -> Tensor:
        """The contribution (...) of each of some vectors (..., d_model), which are added to the last hidden state x
        (d_model,) of the last token, to the score of a next word, the logarithm of its probability, beyond its
        contribution to the mean word. Empty for a model without a next word."""
        return parts.new_zeros(0)

    def tokens(self, text: str) -> tuple[str, ...]:
        """The word pieces of a text. ValueError: a text without tokens, or with more than the model has positions."""
        return self.pieces(self.checked(text))

    def traces(self, text: str, **changes: Any) -> tuple[Trace, ...]:
        """The record of every layer's attention, the first layer first. changes: those of `Changes`.

        ValueError: a text without tokens or with too many, a change that does not fit.
        """
        return tuple(passed.trace for passed in self.run(text, **changes))

    def output(self, text: str, **changes: Any) -> Tensor:
        """The output of the model for a text, as in `say`: (vocabulary,) or (d_model,). changes, ValueError: as in
        `traces`."""
        *_, last = self.run(text, **changes)
        return self.said(last.after)

    def run(self, text: str, **changes: Any) -> Iterator[Passed]:
        """Run layer by layer, so that not all records have to be kept. changes, ValueError: as in `traces`."""
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
        """The hidden states after a layer, from those before it (batch, n, d_model). trace: records its attention."""
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
        """The output of the model from the last hidden states of one text (1, n, d_model)."""
        with torch.inference_mode():
            return self.say(x)[0]

    def changed(self, layer: int, at: AtLayer) -> MultiHeadAttention:
        """The attention of a layer with changed parameters; unchanged ones are shared."""
        module = self.attention(layer)
        if not (at.off or at.ranks or at.dropout):
            return module
        module = copy(module)
        module.dropout, module.training = at.dropout, at.dropout > 0
        # Changes a copy, so that the layer keeps its own parameters.
        module._parameters = dict(module._parameters)
        if at.off:
            w_o = module.w_o.clone()
            w_o.unflatten(0, (module.heads, -1))[list(at.off)] = 0
            module.w_o = torch.nn.Parameter(w_o, requires_grad=False)
        if at.ranks:
            projected(module, at.ranks)
        return module

    def checked(self, text: str) -> list[int]:
        """The token ids, checked to be at least one and not too many."""
        ids = self.ids(text)
        if not ids:
            raise ValueError("the text has no tokens")
        if len(ids) > self.positions:
            raise ValueError(f"the text has {len(ids)} tokens, {self.name} takes {self.positions}")
        return ids
