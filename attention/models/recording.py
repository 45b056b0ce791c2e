"""Record any model: the one implementation stands in for its attention while it runs."""

import warnings
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from torch import nn

from attention import checks
from attention.models import transformers_models
from attention.models.calls import Recording
from attention.models.functions import StandIn
from attention.models.records import Layer, Records
from attention.models.unrecorded import unrecorded


@contextmanager
def record(
    model: nn.Module, *, layers: Collection[Layer] | None = None, steps: Collection[int] | None = None
) -> Iterator[Records]:
    """Record the layers of a model while the block runs: `with record(model) as records: model(...)`.

    Recorded is every attention that goes through `F.scaled_dot_product_attention` or `nn.MultiheadAttention`, and each
    layer of a model of transformers that follows its `AttentionInterface`. The model's output and gradients are the
    same as without, up to the last digits of the dtype; dropout drops the weights that torch drops on the CPU. A query
    that may attend to nothing has zero weights and a zero output. After the block the model is as before. layers: names
    of modules, or places in the order in which the layers are called; steps: the calls of each layer, from 0. None is
    all of them. A record holds each step of its computation, about six matrices (batch, heads, L, S) of the dtype of
    the model for one call: for long texts choose. Modules that run without a record are named in `records.unrecorded`,
    and in a warning at the end of the block. A chosen layer that computed no attention is named in a warning, too. The
    model runs in the thread that opened the block. ValueError: model is no module, a name is none of its modules, a
    place is no whole number from 0.
    """
    checks.kinds(nn.Module, model=model)
    run = Recording(model, layers, steps)
    with ExitStack() as stack:
        for module, name in run.names.items():
            stack.callback(module.register_forward_pre_hook(partial(_entered, run, name)).remove)
            stack.callback(module.register_forward_hook(partial(_left, run), always_call=True).remove)
        stack.enter_context(transformers_models.standing_in(model, run))
        stack.enter_context(StandIn(run))
        yield run.records
    run.records.unrecorded = unrecorded(model, run.ran, run.calls) | run.refused
    if run.ran and (run.records.unrecorded or not run.calls):
        named = ", ".join(f"{name} ({why})" for name, why in run.records.unrecorded.items())
        warnings.warn(f"not recorded: {named or 'no layer computed attention'}", stacklevel=3)
    elif run.absent:
        there = ", ".join(f"{place} ({name})" for place, name in enumerate(run.records.called_layers))
        warnings.warn(f"layers: no record of {', '.join(map(repr, run.absent))}; there is {there}", stacklevel=3)


def _entered(run: Recording, name: str, module: nn.Module, args: Any) -> None:
    run.running.append(module)
    run.ran.add(name)


def _left(run: Recording, module: nn.Module, args: Any, output: Any) -> None:
    # A module that raised an error may have left others behind it.
    while run.running and run.running.pop() is not module:
        pass
