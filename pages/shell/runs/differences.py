"""The controls in which two screens differ: those with an effect, with the values that they really have."""

from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell.runs.run import Run
from pages.shell.state.config import LEARNED, OF_PRESET, RANDOM, TURNED, VARIANTS
from pages.shell.state.url import written

# What the presets that have positions bring.
_POSITIONS = {"story": "preset", LEARNED: "sinusoidal"}


def differing(a: Run, b: Run) -> dict[str, tuple[str | None, str | None]]:
    """Control to its values on both sides, None on a side where it has no effect."""
    left, right = _values(a), _values(b)
    dropping = any("kept" in run.trace for run in (a, b))
    idle = [_idle(run) | (set() if dropping else {"dropout", "mode", "draw"}) for run in (a, b)]
    return {
        name: (None if name in idle[0] else left[name], None if name in idle[1] else right[name])
        for name in left
        if left[name] != right[name] and not (name in idle[0] and name in idle[1])
    }


def _values(run: Run) -> dict[str, str]:
    """As a link has them; what a preset fixes, and what was chosen automatically or cut, as it came out."""
    module, config, sizes = run.module, run.config, run.trace.sizes
    made = {
        "text": " / ".join(" ".join(sentence) for sentence in run.inputs.tokens),
        "positions": _positions(run),
        "d_model": module.d_model,
        "heads": module.heads,
        "d_k": module.d_k,
        "d_v": module.d_v,
        "d_out": module.d_out,
        "bias": module.b_q is not None,
        "kv_heads": module.kv_heads,
        "last": 0 if sizes["query"] == sizes["key"] else sizes["query"],
        "sentence": run.sentence + 1,
        "head": run.head + 1,
    }
    return {name: written(value) for name, value in (config.values() | made).items()}


def _positions(run: Run) -> str:
    """Those that act: weights that are given leave out a rotation or a bias, and an odd d_k a rotation."""
    asked = run.config.positions
    if asked in TURNED and not {"queries_rotated", "biased"} & run.trace.keys():
        asked = OF_PRESET
    return _POSITIONS.get(run.config.preset, "none") if asked == OF_PRESET else asked


def _idle(run: Run) -> set[str]:
    """The controls that change nothing on this screen."""
    module, config, sizes = run.module, run.config, run.trace.sizes
    idle = {"width", "length"} - set(MASKS[config.mask].parameters)
    idle |= {"corner"} if sizes["query"] == sizes["key"] else set()
    idle |= {"padding"} if len(set(run.inputs.lengths)) == 1 else set()
    idle |= {"mode"} if config.dropout == 0 else {"dropout"} if config.mode == "inference" else set()
    idle |= {"kv_heads"} if module.kv_heads == module.heads else set()
    idle |= set(VARIANTS) if config.preset != RANDOM else set()
    idle |= {"draw"} if "kept" not in run.trace else set()
    idle |= {"afterwards", "heads_off"} if config.preset != LEARNED else set()
    idle |= {"seed"} if config.preset in PRESETS and "kept" not in run.trace else set()
    return idle
