"""Hostile links, as strategies of hypothesis, which reduces a failing link to the part that makes it fail."""

import base64
import math
import zlib
from functools import cache
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from attention.experiments.race import SLOTS, TEST
from pages.shell.state import painted_cells, typed_numbers
from pages.shell.state.config import HEADS, SENTENCES, SIZE, TOKENS, Config
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import CellName, Cells, Choice, Configuration, Digest, Edits, Flag, Listed, Range, Text
from pages.shell.state.registry import ALL_FIELDS, default
from pages.shell.state.todays_controls import Costs
from pages.shell.state.url import written
from tests.support.random_screens import values as valid

HOSTILE = {
    "large": "9999",
    "huge": "9" * 400,
    "negative": "-1",
    "zero": "0",
    "half": "0.5",
    "not a number": "nan",
    "infinite": "inf",
    "minus infinite": "-inf",
    "overflowing": "1e309",
    "tiny": "1e-320",
    "word": "banana",
    "empty": "",
    "spaces": "   ",
    "unicode": "größe 猫 🦊 \u202e",
    "full-width digits": "１２",
    "superscript": "²",
    "arabic digits": "٣",
    "underscores": "1_000",
    "signed": "+3",
    "padded": " 3 ",
    "leading zero": "007",
    "hexadecimal": "0x10",
    "nulls": "\x00causal\x00",
    "escape codes": "\x1b[31mred\x07",
    "lone surrogate": "\ud800",
    "line breaks": "a\r\nb\u2028c",
    "very long": "long " * 20_000,
    "upper case": "CAUSAL",
    "title case": "True",
    "upper case flag": "FALSE",
    "yes": "yes",
    "list": "[1, 2]",
    "html": "<img src=x onerror=alert(1)>",
    "markdown": "[x](javascript:alert(1))",
    "path": "../../etc/passwd",
    "braces": "{{x}} {0} %s",
}
# More digits than Python reads as an integer.
_DIGITS = "9" * 5000
# Streamlit reads at most this much of a query.
_LONG = "x" * 500_000
_CELLS = (
    "weights.0.0",
    "weights.-1.0",
    "weights.99999999.0",
    "weights.9999.9999.result",
    "weights.²..",
    "weights.١.٢",
    "w_q.511.511.parameters",
    "nothing.0.0",
    "." * 5000,
    f"weights.{_DIGITS}.0",
    "weights.1.1.`<b>`",
    "tilde.1.1.tied",
    "mean.0.0.mean",
)


def _as_bytes(text: str) -> str:
    """The text as it arrives in a link. A link is bytes, so characters that are no UTF-8 become U+FFFD."""
    return text.encode(errors="replace").decode()


_TEXTS = [_as_bytes(text) for text in HOSTILE.values()]
_NAMES = ("", "a" * 5000, "heds", "amp;seed", "\x00", "猫", "[]", "__class__", "st.session_state", "embed", "cell[]")


def holds(name: str, value: str) -> bool:
    """Whether the widget of a control could have written this value into the URL."""
    knob, first = ALL_FIELDS[name], default(name)
    if isinstance(knob, Choice):
        return value in knob.options
    if isinstance(knob, Flag):
        return value in ("true", "false")
    if isinstance(knob, Text):
        return len(value) <= knob.most and all(c == "\n" or c.isprintable() for c in value)
    if isinstance(knob, Cells):
        return len(value) <= knob.most and value == painted_cells.text(painted_cells.cells(value))
    if isinstance(knob, Configuration):
        return len(value) <= knob.most and value == knob.nearest(value, "")
    if isinstance(knob, Listed | CellName):
        return len(value) <= knob.most and value == knob.nearest(value, "")
    if isinstance(knob, Digest):
        return value == "" or (len(value) == knob.digits and value == knob.nearest(value, ""))
    if isinstance(knob, Edits):
        return len(value) <= knob.most and bool(typed_numbers.edits(value) or not value)
    if isinstance(knob, Bundle):
        screen = knob.of.unbundled(value)
        return not value or (len(value) <= knob.most and screen is not None and value == screen.bundled())
    number = type(first)(value)
    steps = (number - knob.low) / knob.step
    return knob.low <= number <= knob.high and math.isclose(steps, round(steps), abs_tol=1e-6) and str(number) == value


class Largest(TorchFunctionMode):
    """Records the largest tensor that an operation makes, in elements, and the operation."""

    def __init__(self) -> None:
        super().__init__()
        self.elements, self.by = 0, ""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, torch.Tensor) and (held := elements(tensor)) > self.elements:
                self.elements, self.by = held, str(func)
        return made


def elements(tensor: torch.Tensor) -> int:
    """How many numbers the memory of a tensor holds."""
    return tensor.untyped_storage().nbytes() // tensor.element_size()


# The largest value of every control.
GREEDY = {
    "preset": "random",
    "text": "\n".join(" ".join(f"w{i}" for i in range(TOKENS)) for _ in range(SENTENCES)),
    "d_model": "512",
    "d_k": "512",
    "d_v": "512",
    "heads": "16",
    "bias": "true",
    "dropout": "0.9",
    "draws": "10000",
    "samples": "20000",
    "matrix": "true",
}
# The largest tensors of any screen: the weights of all heads, and the features of all tokens in all heads.
MOST = max(HEADS * SIZE * SIZE, SENTENCES * HEADS * TOKENS * max(SIZE, TOKENS))
# The largest values of the page on scaling.
GREEDY_LABORATORY = {
    "d": "4096",
    "samples": "20000",
    "distribution": "t5",
    "correlation": "0.9",
    "keys": "1024",
    "gradient_d": "1024",
    "layer": "1024",
    "layer_heads": "1",
    "race_d": "1024",
    "race_steps": "1000",
    "race_seeds": "5",
    "race_twin": "true",
}
# The largest tensors of the page on scaling are the keys of the race's test examples.
LABORATORY = TEST * SLOTS * 1024
# The largest tensors of the page on costs are the weights of the most heads and its button's longest text.
COSTS = max(int(heads) for heads in Costs.knobs()["cost_heads"].options) * 2048 * 2048


@st.composite
def links(draw: st.DrawFn, *pages: str) -> tuple[str, dict[str, list[str]]]:
    """A page and the parameters of its link: some are valid values of a control, some are at or beyond its limits."""
    asked = draw(st.fixed_dictionaries({}, optional=_ASKED))
    if draw(st.sampled_from([False] * 9 + [True])):
        asked |= {name: [value] for name, value in GREEDY.items()}
    return draw(st.sampled_from(pages)), asked | draw(_STRANGE)


def _values(name: str) -> SearchStrategy[str]:
    """The values of a control in a hostile link."""
    known = st.nothing() if name == "device" else valid(name).map(written)
    return known | far(name) | st.sampled_from([*_TEXTS, _LONG]) | st.text().map(_as_bytes)


def far(name: str) -> SearchStrategy[str]:
    """The largest value of a control, values just beyond it, and damaged ones."""
    match ALL_FIELDS[name]:
        case Choice(options):
            return st.sampled_from((options[-1], options[0], f"{options[-1]}0", options[-1].upper(), f" {options[0]}"))
        case Range(low, high):
            return st.sampled_from((low, high, high + 1, low - 1, high * 1e6, -high, (low + high) / 3)).map(written)
        case Flag():
            return st.sampled_from(("true", "True", "1", "on", "null"))
        case Listed() | CellName():
            return st.sampled_from(
                ("nonsense", "1.2,,3 4", "9" * 5000, "output.3.2", "output.3.99999", "猫.1.2", "1;2;x")
            )
        case Digest(digits):
            return st.sampled_from(("0", "f", "F", "é", "../")).map(lambda sign: sign * digits)
        case Text():
            tokens = st.builds(
                lambda words, lines: "\n".join([" ".join(f"w{i}" for i in range(words))] * lines),
                st.sampled_from((64, 65, 900)),
                st.sampled_from((1, 8, 99)),
            )
            return st.sampled_from(("猫" * 9000, "\n" * 5000, "🏳️‍🌈" * 900, "[PAD] " * 64, "a" * 4000)) | tokens
        case Cells(most):
            return st.builds(
                lambda start, times: "AB_-z9!猫\x00"[start:] * times, st.integers(0, 8), st.sampled_from((1, 7, most))
            )
        case Configuration():
            return st.sampled_from(("3", "1e9", "-1", "[]", '"many"')).flatmap(_configurations)
        case Edits():
            return damaged()
        case Bundle():
            return _bundles()


def _configurations(layers: str) -> SearchStrategy[str]:
    entry = f'"num_attention_heads":2,"num_hidden_layers":{layers},"no_rope_layers":[{layers}]'
    return st.sampled_from((f"{{{entry}}}", f"{{{entry}", "[" * 9000, f'{{"text_config":{{{entry}}}}}', "9" * 9000))


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A compressed value that was tampered with, or that unpacks to a large one."""
    packed = draw(valid("edited"))
    place = draw(st.integers(0, len(packed) - 1))
    return draw(
        st.sampled_from((packed[:place], packed * 3, _bomb(10_000_000), _bomb(9 * 513)))
        | st.sampled_from("A_-=+/ \x00猫").map(lambda one: packed[:place] + one + packed[place + 1 :])
        | st.binary(min_size=1, max_size=9 * 600).map(_packed)
        | st.binary(min_size=1, max_size=300).map(lambda data: base64.urlsafe_b64encode(data).decode())
    )


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


@cache
def _bomb(size: int) -> str:
    return _packed(bytes(size))


@st.composite
def _bundles(draw: st.DrawFn) -> str:
    """A pinned screen: within it, each control is as hostile as outside."""
    shared = [name for name in Config.knobs() if name != "device"]
    held = draw(st.dictionaries(st.sampled_from(shared), st.sampled_from(_TEXTS), min_size=1))
    inside = "&".join(f"{name}={value}" for name, value in held.items())
    return draw(
        st.sampled_from(
            (inside, f"pinned={inside}", "preset=random&" * 9000, "%" * 5000, "%00%ff&=&&==", f"text={'%F0%9F' * 5000}")
        )
    )


_ASKED = {name: st.lists(_values(name), min_size=1, max_size=7) for name in ALL_FIELDS}
_ASKED["cell"] = st.sampled_from(_CELLS).map(lambda cell: [cell])
_STRANGE = st.dictionaries(st.sampled_from(_NAMES), st.sampled_from(_TEXTS).map(lambda text: [text]), max_size=1)
