"""The controls that a figure may bring with it, as data; the browser makes an input of each (alone_controls.js)."""

from dataclasses import replace
from typing import Any

from attention.inputs.presets import PRESETS
from attention.masks import MASKS
from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.runs.offered import offered
from pages.shell.runs.possible import possible
from pages.shell.runs.preparation import prepared
from pages.shell.screen import Screen
from pages.shell.state.changes import at_first
from pages.shell.state.config import HEADS, OF_PRESET, SENTENCES, Config, looked_at, looks
from pages.shell.state.fields import Choice, Flag, Range, Text
from pages.shell.state.registry import ALL_FIELDS
from pages.shell.views.prose import inline

# The number of steps from which on a range is no slider.
_MOST_STEPS = 1000
# Letters of a text that is one line.
_ONE_LINE = 99


def described(name: str, screen: Screen) -> dict[str, Any]:
    """A control as it travels. label: HTML; kind: range, number, steps, choice, flag, text or lines; first: the text
    that it shows where the address has none; options: of a choice and of steps, text and word of each; low, high,
    step: of a range."""
    knob = ALL_FIELDS[name]
    label = inline(say(f"control.{name}.label", screen.language))
    told: dict[str, Any] = {"name": name, "label": label, "first": at_first(name, screen.page)}
    config = looked_at(screen.page, screen.own(Config)) if looks(screen.page) else screen.own(Config)
    if name in ("heads", "d_k"):
        return told | _size(name, config, screen.language)
    if name == "mask":
        first = replace(config, mask=OF_PRESET).used_mask
        return told | {"first": first, "kind": "choice", "options": _words(name, tuple(MASKS), screen.language)}
    match knob:
        case Choice(options):
            kind = "steps" if knob.ordered else "choice"
            return told | {"kind": kind, "options": _words(name, options, screen.language)}
        case Range(low, high, step):
            most = _most(name, screen) if name in ("head", "sentence") else high
            kind = "range" if (high - low) / step <= _MOST_STEPS else "number"
            return told | {"kind": kind, "low": low, "high": most, "step": step}
        case Flag():
            return told | {"kind": "flag"}
        case Text(most):
            sentence = config.sentence_of_preset if name == "text" else ""
            return told | {"kind": "lines" if most > _ONE_LINE else "text", "most": most, "placeholder": sentence}
    raise ValueError(f"{name}: no input holds a {type(knob).__name__}")


def _size(name: str, config: Config, language: str) -> dict[str, Any]:
    """A size that the visitor chooses among those that there are or, where a preset brings it, that one alone."""
    if config.preset in PRESETS:
        size = str(getattr(prepared(config)[0].module, name))
        return {"kind": "steps", "first": size, "options": [[size, size]]}
    heads, sizes = offered(config)
    return {"kind": "steps", "options": _words(name, tuple(map(str, heads if name == "heads" else sizes)), language)}


def _words(name: str, options: tuple[str, ...], language: str) -> list[list[str]]:
    return [[option, word(name, option, language)] for option in options]


def _most(name: str, screen: Screen) -> int:
    """How many heads, or sentences, the screen has."""
    most = {"head": str(HEADS), "sentence": str(SENTENCES)}
    config, *_ = possible(screen.page, dict(screen.parameters) | {name: most[name]})
    return int(getattr(config, name))
