"""The controls in which two screens differ, if that has an effect, with the values that were really used."""

from dataclasses import replace

from attention.analysis.movement import first_change
from pages.shell.runs import brought, learned
from pages.shell.runs.run import Run, computed
from pages.shell.state.config import LEARNED, OF_PRESET, RANDOM, TURNED
from pages.shell.state.url import written

# Presets that bring positions, and which ones.
_POSITIONS = {"story": "preset", LEARNED: "sinusoidal"}


def differing(a: Run, b: Run, is_same: bool | None = None) -> dict[str, tuple[str | None, str | None]]:
    """The values of both sides, by control. A value is None where the control has no effect: the other side's value
    would leave all numbers as they are. is_same: whether both sides have the same numbers, if the caller knows."""
    if is_same is None:
        is_same = _is_same(a, b)
    left, right = _outcome(a), _outcome(b)
    told = left.keys() & right.keys()
    found: dict[str, tuple[str | None, str | None]] = {
        name: (left[name], right[name]) for name in told if left[name] != right[name]
    }
    others = () if is_same else a.config.values().keys() - told
    for name in others:
        values = _value(name, a, b), _value(name, b, a)
        if values != (None, None):
            found[name] = values
    return {name: found[name] for name in a.config.values() if name in found}


def _value(name: str, run: Run, other: Run) -> str | None:
    """The value of a control in a run; None where the other run's value would leave all numbers as they are."""
    own, others = getattr(run.config, name), getattr(other.config, name)
    if own == others:
        return None
    exchanged = replace(run.config, **{name: others})
    # If the two differ in this control alone, exchanging it gives the other run, which is known to differ.
    return written(own) if exchanged == other.config or not _is_same(run, computed(exchanged)) else None


def _is_same(a: Run, b: Run) -> bool:
    return first_change(a.trace, b.trace) is None


def _outcome(run: Run) -> dict[str, str | None]:
    """The values in use, if the preset or the app decides them or cuts them; None for those that a file lacks."""
    module, sizes, file, layer = run.module, run.trace.sizes, brought.of(run.config), learned.used(run.config)
    made = {
        "text": " / ".join(" ".join(sentence) for sentence in run.inputs.tokens),
        "tensors": file.name if file else None,
        "positions": _positions(run),
        "d_model": module.d_model if run.has_layer else None,
        "heads": module.heads,
        "d_k": module.d_k,
        "d_v": module.d_v,
        "d_out": module.d_out if run.has_layer else None,
        "bias": module.b_q is not None if run.has_layer else None,
        # With a cache, the number of queries follows from the control of the cache.
        "last": 0 if sizes["query"] == sizes["key"] or "past" in sizes else sizes["query"],
        "sentence": run.sentence + 1,
        "head": run.head + 1,
        # Many layers are kept at the end of their training only, and at no moment before it.
        **({} if layer is None else {"updates": layer.updates}),
    }
    return {name: None if value is None else written(value) for name, value in made.items()}


def _positions(run: Run) -> str:
    """The positions that act. Weights that were not drawn allow no rotation and no bias, an odd d_k no rotation."""
    asked = run.config.positions
    is_left_out = asked == "learned" and run.config.preset != RANDOM and run.context is None
    if is_left_out or (asked in TURNED and not {"queries_rotated", "biased"} & run.trace.keys()):
        asked = OF_PRESET
    return _POSITIONS.get(run.config.preset, "none") if asked == OF_PRESET else asked
