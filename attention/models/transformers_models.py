"""The one implementation as the attention of models of transformers, by its registry of attention functions."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from torch import Tensor, nn

from attention.functional import scaled_dot_product_attention
from attention.models.calls import Recording

# The name of this implementation in the registries of transformers.
NAME = "recorded"
# The recordings under way in this thread, the innermost last.
_RUNS: ContextVar[tuple[Recording, ...]] = ContextVar("recordings", default=())


@contextmanager
def standing_in(model: nn.Module, run: Recording) -> Iterator[None]:
    """Make every transformers model within a model compute with our implementation, and restore its own afterwards."""
    found = _of_transformers(model)
    if not found:
        yield
        return
    _register()
    before = [(each, _implementations(each.config)) for each in found]
    token = _RUNS.set((*_RUNS.get(), run))
    try:
        for each in found:
            each.set_attn_implementation(NAME)
        yield
    finally:
        _RUNS.reset(token)
        for each, chosen in before:
            each.set_attn_implementation(chosen)


def _of_transformers(model: nn.Module) -> list[Any]:
    """The outermost transformers models; none if transformers was never imported, since importing it takes seconds."""
    transformers = sys.modules.get("transformers")
    if transformers is None:
        return []
    every = {name: each for name, each in model.named_modules() if isinstance(each, transformers.PreTrainedModel)}
    return [each for name, each in every.items() if not any(_within(name, other) for other in every)]


def _within(name: str, other: str) -> bool:
    return name != other and (not other or name.startswith(f"{other}."))


def _implementations(config: Any) -> dict[str, Any]:
    """The argument of `set_attn_implementation` that restores a model: a name for the model and for each part."""
    # The documented place of this setting (docs/decisions/recording.md); transformers has no function that returns it.
    chosen = {"": config._attn_implementation}
    parts = {name: getattr(config, name) for name in config.sub_configs}
    return chosen | {name: _implementations(part) for name, part in parts.items() if part is not None}


def _register() -> None:
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    def mask(*args: Any, **kwargs: Any) -> Tensor | None:
        """Boolean, True = may attend. It is never left out, as no later function knows that a mask was meant."""
        whole = {"allow_is_causal_skip": False, "allow_is_bidirectional_skip": False}
        made: Tensor | None = sdpa_mask(*args, **kwargs | whole)
        return made

    AttentionInterface.register(NAME, attention)
    AttentionMaskInterface.register(NAME, mask)


def attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    is_causal: bool | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    position_bias: Tensor | None = None,
    indices: Tensor | None = None,
    **others: Any,
) -> tuple[Tensor, Tensor | None]:
    """An attention function as transformers calls it: query (batch, heads, L, d_k), key and value (batch, key heads, S,
    d); returns (batch, L, heads, d_v) and the weights.

    Some models pass softcap, s_aux (the logits of a sink), position_bias (added to the scores) or indices (batch, L,
    k), the keys that a query may attend to. A sliding window is part of the mask.
    """
    if attention_mask is None and query.shape[-2] > 1:
        causal = getattr(module, "is_causal", False) if is_causal is None else is_causal
    else:
        causal = False
    mask = _one_mask(query, key, attention_mask, position_bias, indices, causal)
    d_k = query.shape[-1]
    keywords: dict[str, Any] = {
        "mask": mask,
        # The scale of the paper is recorded as the paper writes it.
        "scale": None if scaling == d_k**-0.5 else scaling,
        "softcap": softcap,
        "sink": s_aux,
        "enable_gqa": key.shape[-3] != query.shape[-3],
    }
    p = dropout if module.training else 0.0
    for run in reversed(_RUNS.get()):
        if module in run.names:
            output, weights = run.next_call(module).attend(query, key, value, dropout=p, **keywords)
            return output.transpose(1, 2).contiguous(), weights
    output = scaled_dot_product_attention(query, key, value, dropout=p, **keywords)
    return output.transpose(1, 2).contiguous(), None


def _one_mask(
    query: Tensor, key: Tensor, mask: Tensor | None, bias: Tensor | None, indices: Tensor | None, causal: bool
) -> Tensor | str | None:
    """The mask with all that hides a key or is added to a score; None without any of them."""
    L, S = query.shape[-2], key.shape[-2]
    if indices is not None:
        chosen = torch.zeros(len(query), 1, L, S, dtype=torch.bool, device=query.device)
        chosen = chosen.scatter(-1, indices.long()[:, None], True)
        mask = chosen if mask is None else mask & chosen
    if bias is None:
        if mask is not None and mask.dtype == torch.bool and bool(mask.all()):
            return None
        return "causal" if mask is None and causal else mask
    if mask is None and causal:
        mask = torch.ones(L, S, dtype=torch.bool, device=query.device).tril()
    if mask is None:
        return bias
    return bias.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else bias + mask
