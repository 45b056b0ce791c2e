"""The records of a model: by layer and, for a layer with several calls, by step."""

from collections.abc import Iterator

from attention.reading import Trace

Layer = int | str
_MEGABYTE = 1_000_000


class Records:
    """`records[layer]` is the `Trace` of a layer, `records[layer, step]` that of one of its calls.

    layer: the name of the module, as in `model.named_modules()`, or its place, from 0, among the layers in the order in
    which they were first called. step: the number of the call of this layer, from 0; a model that generates calls each
    layer once a step. unrecorded: by name, the modules that ran, look like attention and could not be recorded: their
    class, and the reason if there is one.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._called: dict[str, str] = {}
        self._steps: dict[str, dict[int, Trace]] = {}
        self.unrecorded: dict[str, str] = {}

    def called(self, layer: str, kind: str) -> int:
        """Note that a layer of a class computes attention, and return its place among the layers."""
        self._called.setdefault(layer, kind)
        return list(self._called).index(layer)

    @property
    def called_layers(self) -> tuple[str, ...]:
        """The names of all layers that computed attention, recorded or not, in the order in which they first did."""
        return tuple(self._called)

    def keep(self, layer: str, step: int, trace: Trace) -> None:
        self._steps.setdefault(layer, {})[step] = trace

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the recorded layers, in the order of their first calls."""
        return tuple(layer for layer in self._called if layer in self._steps)

    def steps(self, layer: Layer) -> tuple[int, ...]:
        """The calls of a layer that were recorded. KeyError: no such layer."""
        return tuple(self._steps[self._name(layer)])

    @property
    def nbytes(self) -> int:
        """The bytes of all recorded tensors."""
        traces = (trace for steps in self._steps.values() for trace in steps.values())
        return sum(step.value.nbytes for trace in traces for step in trace.values())

    def __getitem__(self, at: Layer | tuple[Layer, int]) -> Trace:
        layer, step = at if isinstance(at, tuple) else (at, None)
        name = self._name(layer)
        steps = self._steps[name]
        if step is None and len(steps) > 1:
            raise KeyError(
                f"layer {name!r} has {len(steps)} records: name the step, as in records[{layer!r}, {min(steps)}]"
            )
        chosen = next(iter(steps)) if step is None else step
        if chosen not in steps:
            raise KeyError(f"layer {name!r} has no record of step {chosen}; it has {', '.join(map(str, steps))}")
        return steps[chosen]

    def _name(self, layer: Layer) -> str:
        called = list(self._called)
        name = layer if isinstance(layer, str) else called[layer] if -len(called) <= layer < len(called) else None
        if name is None or name not in self._steps:
            there = ", ".join(f"{called.index(each)} ({each})" for each in self.layers) or "none"
            lacks = "".join(f"; not recorded: {said}" for said in self._lacking())
            raise KeyError(f"no record of layer {layer!r}; there is {there}{lacks}")
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def __contains__(self, layer: object) -> bool:
        if isinstance(layer, int):
            return 0 <= layer < len(self._called) and list(self._called)[layer] in self._steps
        return layer in self._steps

    def _lacking(self) -> list[str]:
        return [f"{name} ({kind})" for name, kind in self.unrecorded.items()]

    def __repr__(self) -> str:
        count = f"{len(self)} layer{'' if len(self) == 1 else 's'}"
        size = f"{self.nbytes / 1e6:.1f} MB" if self.nbytes >= _MEGABYTE else f"{self.nbytes / 1e3:.1f} kB"
        lines = [f"Records of {self._model}: {count}, {size}"]
        for layer in self.layers:
            steps = self._steps[layer]
            sizes = " × ".join(f"{axis} {size}" for axis, size in steps[min(steps)]["weights"].sizes.items())
            more = f"; {len(steps)} steps" if len(steps) > 1 else ""
            lines.append(f"{list(self._called).index(layer)} {layer} ({self._called[layer]}): {sizes}{more}")
        return "\n".join(lines + [f"not recorded: {said}" for said in self._lacking()])
