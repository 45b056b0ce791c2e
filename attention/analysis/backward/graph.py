"""A forward pass whose steps stay in autograd's graph, so that any of them can be differentiated by any other."""

import copy
from collections.abc import Iterable
from typing import Any

import torch
from torch import Generator, Tensor

from attention import state
from attention.analysis.rerun import variant
from attention.cache import Cache
from attention.functional import scaled_dot_product_attention
from attention.modules import MultiHeadAttention
from attention.trace import Quantity, Trace


class Graph(Trace):
    """A record that also keeps each step in autograd's graph.

    kept: the keep-mask of an earlier run, used in place of a new one. parameters: those of the module that ran, by
    name, as leaves; none of the function alone.
    """

    def __init__(self, kept: Tensor | None = None) -> None:
        super().__init__()
        self.parameters: dict[str, Tensor] = {}
        with torch.inference_mode(False):
            # Cloned, since a tensor from inference mode cannot be saved for a gradient.
            self._kept = None if kept is None else kept.clone()
        self._live: dict[str, Tensor] = {}

    def record(self, quantity: Quantity, value: Tensor) -> Tensor:
        if quantity.id == "kept" and self._kept is not None:
            value = self._kept
        super().record(quantity, value)
        self._live[quantity.id] = value
        return value

    def empty(self) -> Trace:
        """Gradients are no graph."""
        return Trace()

    def live(self, id: str) -> Tensor:
        """A step with its graph. KeyError: no such step."""
        return self._live[self[id].id]

    def differentiate(self, result: Tensor, upstream: Tensor | None = None) -> dict[str, Tensor]:
        """The gradients of sum(result * upstream), of the same shapes as the steps, by id, in the order of the record.

        Left out are steps that the result does not depend on, and those without a gradient: boolean masks, and numbers
        (scale, dropout) that are not tensors where they are used. upstream: None for a result that is one number.
        """
        if not result.requires_grad:
            return {}
        steps = {id: value for id, value in self._live.items() if value.requires_grad}
        # A parameter is recorded head by head, as a view that the forward pass does not read.
        bases = {id: base for id, value in steps.items() if (base := value._base) is not None and base.is_leaf}
        found = torch.autograd.grad(
            result,
            [*steps.values(), *bases.values()],
            upstream,
            allow_unused=True,
            retain_graph=True,
        )
        own, whole = dict(zip(steps, found, strict=False)), dict(zip(bases, found[len(steps) :], strict=True))
        gradients = {}
        for id, value in steps.items():
            gradient = own[id]
            if gradient is None and whole.get(id) is not None:
                gradient = whole[id].contiguous().as_strided(value.shape, value.stride(), value.storage_offset())
            if gradient is not None:
                gradients[id] = gradient
        return gradients


def graph(
    module: MultiHeadAttention,
    x: Tensor,
    context: Tensor | None = None,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    generator: Generator | None = None,
    kept: Tensor | None = None,
    **others: Any,
) -> Graph:
    """Run a module like its `forward`, on leaves of its own: neither the arguments nor the parameters are changed.

    kept: bool, of the shape of the weights: the keep-mask of dropout, in place of one that `generator` draws; others:
    further arguments of `forward`.
    """
    made = Graph(kept)
    if kept is not None:
        # Its draws are discarded, and no other generator advances.
        generator = Generator()
    with torch.inference_mode(False), torch.enable_grad():
        twin = copy.deepcopy(module)
        for parameter in twin.parameters():
            parameter.data = parameter.data.contiguous()
            parameter.requires_grad_(True)
        made.parameters = dict(twin.named_parameters())
        twin(
            _leaf(x),
            None if context is None else _leaf(context),
            mask=_mask(mask),
            scale=scale,
            generator=generator,
            trace=made,
            **_leaves(others),
        )
    return made


def recorded(trace: Trace, module: MultiHeadAttention | None = None, added: Tensor | None = None) -> Graph:
    """Repeat the run of a record, with its mask, its scale and its keep-mask.

    module: the one that made the record, with the same parameters; None for a record of the function alone. added: a
    number for each scaled score, added as a float mask is. ValueError: a record of a module without the module.
    """
    if (module is None) != ("x" not in trace):
        raise ValueError("the record of a module needs the module, that of the function alone has none")

    def value(id: str) -> Tensor | None:
        return trace[id].value if id in trace else None

    if "beta" in trace:
        return _of_state(trace)
    scale, kept = value("scale"), value("kept")
    dropout = float(trace["dropout"].value) if kept is not None else 0.0
    factor = None if scale is None else float(scale)
    if module is None:
        made = Graph(kept)
        with torch.inference_mode(False), torch.enable_grad():
            Q, K, V = (_leaf(trace[id].value) for id in ("queries", "keys", "values"))
            scaled_dot_product_attention(
                Q,
                K,
                V,
                **_leaves(variant(trace)),
                mask=_mask(_with(value("mask"), added)),
                scale=factor,
                dropout=dropout,
                generator=Generator(),
                trace=made,
            )
        return made
    twin = copy.copy(module)
    twin.training, twin.dropout = kept is not None, dropout
    mask = _with(value("mask"), added)
    return graph(twin, trace["x"].value, value("context"), mask=mask, scale=factor, kept=kept, **of_module(trace))


def _with(mask: Tensor | None, added: Tensor | None) -> Tensor | None:
    """A mask with `added` on its scores; hidden pairs stay hidden."""
    if mask is None or added is None:
        return mask if added is None else added
    return added.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else mask + added


def _of_state(trace: Trace) -> Graph:
    made, givens = Graph(), ("queries", "keys", "values", "beta", "decay", "past_state")
    with torch.inference_mode(False), torch.enable_grad():
        state.again(trace, {id: _leaf(trace[id].value) for id in givens if id in trace}, made)
    return made


def of_module(trace: Trace) -> dict[str, Any]:
    """The arguments of a call that make a run a variant, without those that the module holds itself."""
    own = ("qk_norm", "enable_gqa", "sink", "difference", "gate")
    return {name: held for name, held in variant(trace).items() if name not in own}


def last(ids: Iterable[str]) -> str:
    """The last id of a record: the output of the run."""
    *_, id = ids
    return id


def _leaves(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments as leaves. Slopes, sinks, lambda and gates have a gradient, as parameters do; positions and angles
    are held fixed, and a past has been computed. Tensors from inference mode cannot be saved for a gradient."""
    made = {name: _cloned(held) for name, held in given.items()}
    for name in ("slopes", "sink", "difference", "gate"):
        if made.get(name) is not None:
            made[name] = _leaf(made[name])
    return made


def _cloned(held: Any) -> Any:
    if isinstance(held, Cache):
        return Cache(_cloned(held.keys), _cloned(held.values))
    if isinstance(held, tuple):
        return tuple(map(_cloned, held))
    return held.clone() if isinstance(held, Tensor) else held


def _leaf(tensor: Tensor) -> Tensor:
    return tensor.detach().clone(memory_format=torch.contiguous_format).requires_grad_(True)


def _mask(mask: Tensor | None) -> Tensor | None:
    """The mask as a leaf. A float mask is added, and has a gradient; a tensor from inference mode cannot be saved for
    one."""
    if mask is None:
        return None
    return mask.clone() if mask.dtype == torch.bool else _leaf(mask)
