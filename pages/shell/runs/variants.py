"""The modern variants that a screen asks for: the parts of its layer, and the keywords of its call."""

import copy
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention.cache import Cache
from attention.modules import MultiHeadAttention
from attention.positions import frequencies, slopes
from pages.shell.i18n import listed, say
from pages.shell.state.config import AUTO, FILE, OF_PRESET, OF_RANDOM, RANDOM, VARIANTS, Config


def possible(config: Config) -> tuple[Config, tuple[str, ...]]:
    """The screen with the variants that its weights allow, and a note of the others. Only random weights allow
    variants, since all other weights were made without them."""
    if config.preset == RANDOM:
        return config, ()
    dropped = [name for name in VARIANTS if getattr(config, name) != getattr(Config, name)]
    # A file has no X that a position vector could be added to.
    if config.positions in OF_RANDOM or (config.preset == FILE and config.positions == "sinusoidal"):
        dropped = ["positions", *dropped]
    if not dropped:
        return config, ()
    named = listed("comma", (say(f"control.{name}.label") for name in dropped))
    plain: dict[str, Any] = {name: getattr(Config, name) for name in dropped} | (
        {"positions": OF_PRESET} if "positions" in dropped else {}
    )
    return replace(config, **plain), (say("note.variants", names=named),)


def key_heads(config: Config) -> tuple[int, tuple[str, ...]]:
    """The number of heads of keys and values: the requested one, or the next smaller number that divides the heads."""
    if config.kv_heads == AUTO:
        return config.heads, ()
    asked = int(config.kv_heads)
    found = next(count for count in range(min(asked, config.heads), 0, -1) if config.heads % count == 0)
    return found, () if found == asked else (say("note.kv_heads", heads=config.heads, asked=asked, kv_heads=found),)


def turns(config: Config, d_k: int) -> tuple[str, ...]:
    """A note that explains why a requested rotation does not happen."""
    return (say("note.rotary_odd", d_k=d_k),) if config.positions == "rotary" and d_k % 2 else ()


def empty(config: Config, longest: int) -> tuple[str, ...]:
    """A note that explains why a requested cache is empty. longest: the tokens of the longest sentence."""
    new = new_tokens(config)
    return (say("note.kv_cache", new=new, tokens=longest),) if new >= longest else ()


def new_tokens(config: Config) -> int:
    """The number of new tokens, if a cache holds the keys and values of the others; 0 without a cache."""
    return int(config.kv_cache) if config.preset == RANDOM and config.kv_cache != "off" else 0


def cached(config: Config, module: MultiHeadAttention, x: Tensor) -> Cache:
    """The cache that a module of random weights leaves when x (..., n, d_model) has passed through it."""
    earlier, past = copy.copy(module), Cache()
    # Keys and values do not depend on dropout, and drawing would advance the generator.
    earlier.training = False
    earlier(x, past=past, **options(config, module, x.shape[-2], x.shape[-2]))
    return past


def options(config: Config, module: MultiHeadAttention, queries: int, keys: int) -> dict[str, Any]:
    """The keyword arguments for a call of a module of random weights. Positions are those of the tokens."""
    given: dict[str, Any] = {}
    rotary = config.positions == "rotary" and module.d_k % 2 == 0
    if rotary or config.positions == "alibi":
        given |= {"positions": torch.arange(keys - queries, keys), "key_positions": torch.arange(keys)}
    if rotary:
        given["rotary"] = frequencies(module.d_k)
    if config.positions == "alibi":
        given["slopes"] = slopes(module.heads)
    if config.softcap != "off":
        given["softcap"] = float(config.softcap)
    return given
