"""A visitor's own queries, keys and values: in one form, ready for attention, and cut to a part of them."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attention.functional import scaled_dot_product_attention
from attention.trace import Trace


@dataclass(frozen=True)
class Given:
    """The tensors of a file: queries, keys and values (batch, heads, n, d), floating-point.

    Queries belong to the last tokens or, if there are more queries than keys, to another text. mask: boolean, (batch or
    1, heads or 1, L, S), True = may attend. sink: (heads,). slopes: (heads,), with the positions of queries and keys.
    tokens: the words of the keys, one sentence for each of the batch, () if the file has none. weights: as in the file,
    (batch, heads, L, S). before: the steps of a record that made queries, keys and values, or refined them.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    mask: Tensor | None = None
    scale: float | None = None
    softcap: float | None = None
    sink: Tensor | None = None
    slopes: Tensor | None = None
    positions: tuple[Tensor, Tensor] | None = None
    tokens: tuple[tuple[str, ...], ...] = ()
    weights: Tensor | None = None
    before: tuple[str, ...] = ()

    @property
    def heads(self) -> int:
        return self.queries.shape[1]

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Sentences, heads, queries, keys."""
        return (*self.queries.shape[:3], self.keys.shape[2])

    @property
    def crosses(self) -> bool:
        """Whether queries and keys are surely of two texts, since more queries than keys cannot be their last
        tokens."""
        return self.queries.shape[2] > self.keys.shape[2]

    def attend(
        self,
        trace: Trace,
        *,
        mask: Tensor | None = None,
        scale: float | None = None,
        dropout: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Attention of these tensors, recorded. mask, scale: None takes their own."""
        places, key_places = self.positions or (None, None)
        return scaled_dot_product_attention(
            self.queries,
            self.keys,
            self.values,
            enable_gqa=self.keys.shape[1] != self.heads,
            scale=self.scale if scale is None else scale,
            softcap=self.softcap,
            sink=self.sink,
            slopes=self.slopes,
            positions=places,
            key_positions=key_places,
            mask=self.mask if mask is None else mask,
            dropout=dropout,
            generator=generator,
            trace=trace,
        )

    def difference(self) -> float | None:
        """The largest difference between the weights in the file and those of its queries and keys; None without
        weights."""
        if self.weights is None:
            return None
        trace = Trace()
        with torch.inference_mode():
            self.attend(trace)
        return float((trace["weights"].value - self.weights).abs().max())

    def last(self, queries: int) -> "Given":
        """The tensors with only the last `queries` queries; 0 for all of them."""
        asks = slice(-queries, None) if queries else slice(None)
        return replace(
            self,
            queries=self.queries[:, :, asks],
            mask=None if self.mask is None else self.mask[:, :, asks],
            positions=None if self.positions is None else (self.positions[0][asks], self.positions[1]),
            weights=None if self.weights is None else self.weights[:, :, asks],
        )

    def alone(self, sentence: int, head: int) -> "Given":
        """The tensors of one sentence and one query head, each from 0, with batch and head axes of 1."""
        own = head // (self.heads // self.keys.shape[1])
        at, here, key = slice(sentence, sentence + 1), slice(head, head + 1), slice(own, own + 1)
        mask = self.mask
        if mask is not None:
            mask = mask[at if mask.shape[0] > 1 else slice(1), here if mask.shape[1] > 1 else slice(1)]
        return replace(
            self,
            queries=self.queries[at, here],
            keys=self.keys[at, key],
            values=self.values[at, key],
            mask=mask,
            sink=None if self.sink is None else self.sink[here],
            slopes=None if self.slopes is None else self.slopes[here],
            tokens=self.tokens[at],
            weights=None if self.weights is None else self.weights[at, here],
        )

    def first(self, tokens: int, heads: int, sentences: int) -> "Given":
        """The tensors of the first tokens, heads and sentences. Groups of heads that share keys stay whole."""
        group = self.heads // self.keys.shape[1]
        kept = max(1, heads // group)
        at, here = slice(sentences), slice(kept * group)
        # Queries are the last tokens, unless they belong to another text.
        missing = 0 if self.crosses else self.keys.shape[2] - self.queries.shape[2]
        asks, keys = slice(max(0, tokens - missing)), slice(tokens)
        mask, weights = self.mask, self.weights
        return replace(
            self,
            queries=self.queries[at, here, asks],
            keys=self.keys[at, :kept, keys],
            values=self.values[at, :kept, keys],
            mask=None if mask is None else mask[at, here, asks, keys],
            sink=None if self.sink is None else self.sink[here],
            slopes=None if self.slopes is None else self.slopes[here],
            positions=None if self.positions is None else (self.positions[0][asks], self.positions[1][keys]),
            tokens=tuple(words[keys] for words in self.tokens[at]),
            weights=None if weights is None else weights[at, here, asks, keys],
        )
