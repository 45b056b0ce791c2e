"""The layers of a model by kind: the keys that each sees, and the numbers that it keeps of a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from attention import checks

# full: every earlier key; window: the nearest; chunk: those of the query's own piece of the text; chosen: those that a
# small scorer picks; linear: none, since the layer reads a state of fixed size.
KINDS = ("full", "window", "chunk", "chosen", "linear")


@dataclass(frozen=True)
class LayerKind:
    """One layer of self-attention.

    kind: one of KINDS. reach: the most keys that a query sees, 0 for no limit. kv_heads: heads of keys and values, 0 if
    a latent stands for them. cached: numbers that a token leaves in the cache. state: numbers that the layer keeps
    whatever the number of tokens. of: the layer, from 0, whose keys and values this one reads, None for its own.
    positions: whether its scores depend on the place of a token. ValueError: a kind that is not in KINDS, a negative
    number.
    """

    kind: str
    reach: int = 0
    kv_heads: int = 0
    cached: int = 0
    state: int = 0
    of: int | None = None
    positions: bool = True

    def __post_init__(self) -> None:
        checks.choice("kind", self.kind, KINDS)
        checks.at_least(0, reach=self.reach, kv_heads=self.kv_heads, cached=self.cached, state=self.state)

    def kept(self, tokens: int) -> int:
        """The numbers that the layer keeps of a text of `tokens` tokens. ValueError: tokens below 0."""
        checks.at_least(0, tokens=tokens)
        if self.of is not None:
            return 0
        return self.state + self.cached * (min(tokens, self.reach) if self.reach else tokens)


@dataclass(frozen=True)
class Strip:
    """The layers of a model in order, from the input on. heads: heads of queries of a layer with scores."""

    name: str
    heads: int
    layers: Sequence[LayerKind]

    def bytes(self, tokens: int, number: int = 2) -> int:
        """Bytes that all layers keep of a text. number: bytes of a number, 2 for bfloat16. ValueError: number below
        1."""
        checks.positive(number=number)
        return number * sum(layer.kept(tokens) for layer in self.layers)

    @property
    def producers(self) -> int:
        """The number of layers that make their own keys and values, or a state of their own."""
        return sum(layer.of is None for layer in self.layers)
