"""The one setting that B may have otherwise than A, and the steps of those that have a scale."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pages.shell.runs import learned
from pages.shell.runs.offered import offered
from pages.shell.state.config import ALL_UPDATES, FILE, KNOBS, LEARNED, RANDOM, Config, stops
from pages.shell.state.fields import Range

# By control, what B has otherwise than A, and what it has where A has that, or still less, already. First what one sees
# best.
_VALUES: Mapping[str, tuple[Any, Any]] = {
    "heads": (2, Config.heads),
    "updates": ("80", ALL_UPDATES),
    "dropout": (0.6, Config.dropout),
    "positions": ("none", "sinusoidal"),
    "mask": ("causal", "full"),
}
# Those that a slider changes.
SCALED = ("heads", "updates", "dropout")


def others(a: Config) -> Iterator[tuple[str, Config]]:
    """By control, A with another value of it; without controls that would change nothing."""
    for control, (value, back) in _VALUES.items():
        if _acts(a, control):
            yield control, replace(a, **{control: back if _has(a, control) else value})


def changed(a: Config, b: Config) -> str:
    """The control that alone makes B of A, "" where it is none of those that are offered, or where several differ."""
    own, now = a.complete().values(), b.complete().values()
    differs = [name for name in own if own[name] != now[name]]
    offers = dict(others(a))
    if len(differs) != 1 or differs[0] not in offers:
        return ""
    (control,) = differs
    is_offered = control in SCALED or offers[control].complete().values()[control] == now[control]
    return control if is_offered else ""


def named(a: Config, b: Config, control: str) -> str:
    """What the change from A to B is called in the catalogue."""
    if control not in SCALED:
        return f"not_{control}" if _has(a, control) else control
    own, other = (float(getattr(one, control)) for one in (a, b))
    if control == "dropout" and own == Config.dropout:
        return control
    return f"{'less' if other < own else 'more'}_{control}"


def steps(a: Config, b: Config, control: str) -> list[Any]:
    """The values of a slider, without that of A: those on the side of A where B is, if there are several."""
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
    """Whether A has what B would get, or goes beyond it."""
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
    """Presets and files bring their sizes and positions; of most layers, the end of the training alone was kept."""
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
