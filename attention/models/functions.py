"""The one implementation in place of torch's own functions of attention, while a model runs."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from attention.models.calls import Call, Recording
from attention.models.multihead import of_torchs_layer


class StandIn(TorchFunctionMode):
    """Takes the calls of `F.scaled_dot_product_attention` and `F.multi_head_attention_forward` by modules of a model.

    A call outside of the model, or of a layer or step that was not chosen, is torch's own.
    """

    def __init__(self, run: Recording) -> None:
        super().__init__()
        self._run = run

    def __torch_function__(
        self, func: Callable[..., Any], types: Iterable[Any], args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        stand_in = _STAND_INS.get(func)
        if stand_in is None or not self._run.running:
            return func(*args, **kwargs)
        call = self._run.next_call(self._run.running[-1])
        if not call.chosen:
            return func(*args, **kwargs)
        try:
            return stand_in(call, *args, **kwargs)
        # torch computes a call that our implementation refuses, and the record names the call.
        except ValueError as error:
            call.refused(str(error))
            return func(*args, **kwargs)


def _fused(
    call: Call,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    if attn_mask is not None and attn_mask.dtype != torch.bool:
        attn_mask = attn_mask.to(query.dtype)
    lead = query.shape[:-3]
    if len(lead) > 1:
        # A record has one axis of sentences.
        query, key, value = (each.expand(*lead, *each.shape[-3:]).flatten(0, -4) for each in (query, key, value))
        if attn_mask is not None and attn_mask.ndim > 3:
            attn_mask = attn_mask.expand(*lead, *attn_mask.shape[-3:]).flatten(0, -4)
    keywords = {"attn_mask": attn_mask, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    output, _ = call.attend(query, key, value, dropout=dropout_p, **keywords)
    return output.unflatten(0, lead) if len(lead) > 1 else output


def _layer(call: Call, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor | None]:
    given = inspect.signature(F.multi_head_attention_forward).bind(*args, **kwargs)
    given.apply_defaults()
    return of_torchs_layer(call.attend, **given.arguments)


_STAND_INS: dict[Callable[..., Any], Callable[..., Any]] = {
    F.scaled_dot_product_attention: _fused,
    F.multi_head_attention_forward: _layer,
}
