"""The controls beside an embedded figure, as data; the browser makes an input for each (alone_controls.js)."""

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

# A range with more steps than this gets a number field in place of a slider.
_MOST_STEPS = 1000
# Characters of the longest text that gets a single-line field.
_ONE_LINE = 99


def described(name: str, screen: Screen) -> dict[str, Any]:
    """A control as data for the browser. label: HTML; kind: range, number, steps, choice, flag, text or lines; first:
    the text without a setting in the address; options: text and word of each, for a choice and for steps; low, high,
    step: those of a range."""
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
    """The control of a size: a choice among the sizes that exist, or the only size if a preset brings it."""
    if config.preset in PRESETS:
        size = str(getattr(prepared(config)[0].module, name))
        return {"kind": "steps", "first": size, "options": [[size, size]]}
    heads, sizes = offered(config)
    return {"kind": "steps", "options": _words(name, tuple(map(str, heads if name == "heads" else sizes)), language)}


def _words(name: str, options: tuple[str, ...], language: str) -> list[list[str]]:
    return [[option, word(name, option, language)] for option in options]


def _most(name: str, screen: Screen) -> int:
    """The number of heads, or of sentences, of the screen."""
    most = {"head": str(HEADS), "sentence": str(SENTENCES)}
    config, *_ = possible(screen.page, dict(screen.parameters) | {name: most[name]})
    return int(getattr(config, name))
