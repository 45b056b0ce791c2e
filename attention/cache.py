"""A KV cache: the keys and values of the positions so far, kept for later queries."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attention import checks, tensor_checks


class Cache:
    """Keys (..., n, d_k) and values (..., n, d_v) of the first n positions, None before there are any.

    A query needs the keys and values of its own and of earlier positions, but no earlier query (Shazeer 2019, section
    2.4). The caller passes the cache as `past`, and each call appends to it. It is truthy, also while it is empty.
    ValueError: keys without values, or another number of keys than of values.
    """

    def __init__(self, keys: Tensor | None = None, values: Tensor | None = None) -> None:
        if (keys is None) != (values is None):
            raise ValueError("a cache has keys and values, or neither")
        self.keys, self.values = keys, values
        if keys is not None and values is not None and keys.shape[-2] != values.shape[-2]:
            raise ValueError(f"a cache of {keys.shape[-2]} keys needs as many values, got {values.shape[-2]}")

    def __len__(self) -> int:
        return 0 if self.keys is None else self.keys.shape[-2]

    def __bool__(self) -> bool:
        return True

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Keep the keys (..., k, d_k) and values (..., k, d_v) of k further positions, and return those of all.

        ValueError, with nothing kept: features, heads, sentences or dtype differ from those in the cache, or there are
        more or fewer keys than values.
        """
        if keys.shape[-2] != values.shape[-2]:
            raise ValueError(f"{keys.shape[-2]} new keys need as many values, got {values.shape[-2]}")
        # One assignment for both, so that a refused call leaves the cache as it was.
        self.keys, self.values = _joined("keys", self.keys, keys), _joined("values", self.values, values)
        return self.keys, self.values


def _joined(name: str, kept: Tensor | None, new: Tensor) -> Tensor:
    if kept is None:
        return new
    if kept.shape[:-2] != new.shape[:-2] or kept.shape[-1] != new.shape[-1]:
        raise ValueError(f"the cache holds {name} of shape {tuple(kept.shape)}, the new ones have {tuple(new.shape)}")
    tensor_checks.same_kind({f"cached {name}": kept, f"new {name}": new})
    return torch.cat((kept, new), -2)


@dataclass(frozen=True)
class Model:
    """The sizes of a published model that determine how many bytes a token takes in its cache.

    source: where the sizes are published. latent: numbers cached per token and layer in place of keys and values
    (multi-head latent attention, DeepSeek 2024), 0 for none; d_v: features of a value, 0 for d_k; window: the keys that
    a query sees in `windowed` of the layers, 0 for no window.
    """

    name: str
    layers: int
    heads: int
    kv_heads: int
    d_k: int
    source: str
    latent: int = 0
    d_v: int = 0
    window: int = 0
    windowed: int = 0

    def bytes(self, number: int = 2) -> int:
        """Bytes of a token in all layers, as long as every window holds it. number: bytes of a number."""
        return cached_bytes(self.layers, self.kv_heads, self.d_k, d_v=self.d_v, latent=self.latent, number=number)

    def text(self, tokens: int, number: int = 2) -> int:
        """Bytes of a text of `tokens` tokens; a layer with a window keeps no more tokens than the window holds."""
        kept = (self.layers - self.windowed) * tokens + self.windowed * min(tokens, self.window)
        return self.bytes(number) // self.layers * kept

    def unshared(self, number: int = 2) -> int:
        """Bytes of a token in all layers, if every query head had its own key head and value head."""
        return cached_bytes(self.layers, self.heads, self.d_k, d_v=self.d_v, number=number)


def cached_bytes(layers: int, kv_heads: int, d_k: int, *, d_v: int = 0, latent: int = 0, number: int = 2) -> int:
    """Bytes that a token takes in the cache: a key of d_k and a value of d_v numbers per layer and key head, or
    `latent` numbers per layer. d_v: 0 for d_k; number: bytes of a number, 2 for bfloat16. ValueError: a size below
    1."""
    checks.positive(layers=layers, kv_heads=kv_heads, d_k=d_k, number=number)
    checks.at_least(0, d_v=d_v, latent=latent)
    return layers * (latent or kv_heads * (d_k + (d_v or d_k))) * number


# DeepSeek-V3 caches a latent of 512 numbers and a rotary key of 64.
PUBLISHED: Sequence[Model] = (
    Model("GPT-2 small", 12, 12, 12, 64, "config.json of openai-community/gpt2"),
    Model("Llama-2-7B", 32, 32, 32, 128, "config.json of meta-llama/Llama-2-7b-hf"),
    Model("Llama-3-8B", 32, 32, 8, 128, "Grattafiori et al. 2024, table 3"),
    Model("Mistral-7B v0.1", 32, 32, 8, 128, "Jiang et al. 2023, table 1", window=4096, windowed=32),
    Model("Llama-3-70B", 80, 64, 8, 128, "Grattafiori et al. 2024, table 3"),
    Model("Falcon-7B", 32, 71, 1, 64, "config.json of tiiuae/falcon-7b"),
    Model("gpt-oss-20b", 24, 64, 8, 64, "config.json of openai/gpt-oss-20b", window=128, windowed=12),
    Model("gpt-oss-120b", 36, 64, 8, 64, "config.json of openai/gpt-oss-120b", window=128, windowed=18),
    Model("DeepSeek-V3", 61, 128, 128, 192, "DeepSeek-AI 2024, section 4.2", latent=576, d_v=128),
)


@dataclass(frozen=True)
class Hybrid:
    """A published model with layers that keep a state (`attention.state`) among layers with a cache.

    heads, d_k, d_v: of a layer with a state; token: numbers that a layer with a cache keeps of a token; source: where
    the sizes are published.
    """

    name: str
    heads: int
    d_k: int
    d_v: int
    token: int
    source: str

    @property
    def state(self) -> int:
        """Numbers of the state of a layer, for a text of any length."""
        return self.heads * self.d_k * self.d_v

    @property
    def equal(self) -> float:
        """The number of tokens at which the cache of one layer has as many numbers as the state of another layer."""
        return self.state / self.token


# Keys and values of two heads of 256 features; a latent of 512 numbers and a rotary key of 64.
HYBRIDS: Sequence[Hybrid] = (
    Hybrid("Qwen3-Next", 32, 128, 128, 2 * 2 * 256, "Qwen3NextConfig of transformers 5.23, its defaults"),
    Hybrid("Kimi Linear", 32, 128, 128, 512 + 64, "KimiLinearConfig of transformers 5.23, its defaults"),
)


def dot_products(n: int, *, cached: bool) -> int:
    """Dot products of queries and keys, per head and layer, to decode n tokens one by one: with a cache each new query
    meets the keys so far; without one all queries so far are computed again. ValueError: n below 1."""
    checks.positive(n=n)
    return n * (n + 1) // 2 if cached else n * (n + 1) * (n + 2) // 6


def projected_tokens(n: int, *, cached: bool) -> int:
    """The number of projections of a token needed to decode n tokens one by one. ValueError: n below 1."""
    checks.positive(n=n)
    return n if cached else n * (n + 1) // 2
