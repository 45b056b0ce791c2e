"""A model while it is recorded: its running modules, and each call of attention."""

from collections.abc import Collection
from typing import Any

from torch import Tensor, nn

from attention import checks
from attention.functional import scaled_dot_product_attention
from attention.models.observed import Observed, alike
from attention.models.records import Layer, Records


class Recording:
    """A model while it is recorded: its running modules, and the calls whose records are kept."""

    def __init__(self, model: nn.Module, layers: Collection[Layer] | None, steps: Collection[int] | None) -> None:
        _check("layers", layers, "names of modules, or places")
        _check("steps", steps, "places")
        self.names = {module: name for name, module in model.named_modules()}
        for layer in layers or ():
            if isinstance(layer, str) and layer not in self.names.values():
                raise ValueError(f"layers: the model has no module {layer!r}")
        self.records = Records(type(model).__name__)
        self.running: list[nn.Module] = []
        self.ran: set[str] = set()
        self.calls: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self._layers, self._steps = layers, steps

    def next_call(self, module: nn.Module) -> "Call":
        """A call of attention by a module."""
        name = self.names[module]
        step = self.calls.get(name, 0)
        self.calls[name] = step + 1
        place = self.records.called(name, type(module).__name__)
        of_layer = self._layers is None or name in self._layers or place in self._layers
        return Call(self, module, name, step, of_layer and (self._steps is None or step in self._steps))

    @property
    def absent(self) -> tuple[Layer, ...]:
        """The chosen layers without a record."""
        return tuple(layer for layer in self._layers or () if layer not in self.records)


def _check(name: str, given: object, what: str) -> None:
    """Raise ValueError unless `given` is a collection of places from 0 or, for layers, of names."""
    if given is None:
        return
    if isinstance(given, str) or not isinstance(given, Collection):
        raise ValueError(f"{name} must be a list of {what}, got {type(given).__name__}")
    for each in given:
        if not (name == "layers" and isinstance(each, str)):
            checks.at_least(0, **{f"a place in {name}": each})


class Call:
    """One call of attention by a module. chosen: whether its record is kept."""

    def __init__(self, run: Recording, module: nn.Module, name: str, step: int, chosen: bool) -> None:
        self._run, self._module, self._name, self._step, self.chosen = run, module, name, step, chosen

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, *, dropout: float = 0.0, **keywords: Any
    ) -> tuple[Tensor, Tensor]:
        """The output (..., L, d_v) and its weights (..., L, S), both with gradients."""
        query, key, value = alike(query, key, value)
        trace = Observed(dropout)
        keywords |= {"dropout": dropout, "generator": trace.discarded if dropout > 0 else None, "trace": trace}
        output = scaled_dot_product_attention(query, key, value, **keywords)
        weights = trace.take()
        if self.chosen:
            self._run.records.keep(self._name, self._step, trace)
        return output, weights

    def refused(self, reason: str) -> None:
        """Note why a call could not be recorded."""
        self._run.refused[self._name] = f"{type(self._module).__name__}: {reason}"
