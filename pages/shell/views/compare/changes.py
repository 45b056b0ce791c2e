"""The one setting in which B may differ from A, and the steps of the settings with a scale."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pages.shell.runs import learned
from pages.shell.runs.offered import offered
from pages.shell.state.config import ALL_UPDATES, FILE, KNOBS, LEARNED, RANDOM, Config, stops
from pages.shell.state.fields import Range

# The value of each control in B, and the value if A already has that or is beyond it. The most visible changes are
# first.
_VALUES: Mapping[str, tuple[Any, Any]] = {
    "heads": (2, Config.heads),
    "updates": ("80", ALL_UPDATES),
    "dropout": (0.6, Config.dropout),
    "positions": ("none", "sinusoidal"),
    "mask": ("causal", "full"),
}
# The controls with a slider.
SCALED = ("heads", "updates", "dropout")


def others(a: Config) -> Iterator[tuple[str, Config]]:
    """A with another value of each control, by control; without controls that would change nothing."""
    for control, (value, back) in _VALUES.items():
        if _acts(a, control):
            yield control, replace(a, **{control: back if _has(a, control) else value})


def changed(a: Config, b: Config) -> str:
    """The control that alone makes B of A; "" if it is not offered, or if several differ."""
    own, now = a.complete().values(), b.complete().values()
    differs = [name for name in own if own[name] != now[name]]
    offers = dict(others(a))
    if len(differs) != 1 or differs[0] not in offers:
        return ""
    (control,) = differs
    is_offered = control in SCALED or offers[control].complete().values()[control] == now[control]
    return control if is_offered else ""


def named(a: Config, b: Config, control: str) -> str:
    """The name in the catalogue of the change from A to B."""
    if control not in SCALED:
        return f"not_{control}" if _has(a, control) else control
    own, other = (float(getattr(one, control)) for one in (a, b))
    if control == "dropout" and own == Config.dropout:
        return control
    return f"{'less' if other < own else 'more'}_{control}"


def steps(a: Config, b: Config, control: str) -> list[Any]:
    """The values of a slider, without that of A: those on B's side of A, if there are several."""
    own, now = getattr(a, control), getattr(b, control)
    there = [value for value in _scale(b, control) if value != own]
    side = [value for value in there if (float(value) < float(own)) == (float(now) < float(own))]
    return side if len(side) > 1 else there


def _scale(b: Config, control: str) -> list[Any]:
    if control == "heads":
        return list(offered(b)[0])
    if control == "updates":
        return sorted({*stops(b.updates), ALL_UPDATES}, key=int)
    knob = KNOBS[control]
    assert isinstance(knob, Range)
    count = round((knob.high - knob.low) / knob.step)
    return [round(knob.low + step * knob.step, 6) for step in range(count + 1)]


def _has(a: Config, control: str) -> bool:
    """Whether A already has the value that B would get, or is beyond it."""
    value, _ = _VALUES[control]
    match control:
        case "heads":
            return a.heads <= int(value)
        case "updates":
            return int(a.updates) <= int(value)
        case "dropout":
            return a.dropout >= float(value)
        case "positions":
            return not a.has_positions
        case _:
            return a.used_mask == str(value)


def _acts(a: Config, control: str) -> bool:
    """Whether a control acts in A. Presets and files bring their sizes and positions; most layers were kept only at the
    end of their training."""
    match control:
        case "heads":
            return a.preset in (LEARNED, RANDOM)
        case "updates":
            setting = learned.used(replace(a, updates=_VALUES[control][0]))
            return setting is not None and setting.taken is not None
        case "dropout":
            return a.mode == Config.mode
        case "positions":
            return a.preset != FILE
        case _:
            return True
