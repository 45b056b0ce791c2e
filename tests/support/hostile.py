"""Links of a stranger who means harm: seeded, so that a case that fails can be had again by its number."""

import base64
import math
import zlib
from functools import cache
from random import Random
from typing import Any

import torch
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
from tests.support.app import PAGES
from tests.support.random_screens import value as valid

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
# What Python refuses to read as an integer.
_DIGITS = "9" * 5000
# The most that Streamlit reads of a query.
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
# A link is bytes: what is no text comes as the mark of damage.
_TEXTS = [text.encode(errors="replace").decode() for text in HOSTILE.values()]
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
        return len(value) <= knob.most and screen is not None and value == screen.bundled()
    number = type(first)(value)
    steps = (number - knob.low) / knob.step
    return knob.low <= number <= knob.high and math.isclose(steps, round(steps), abs_tol=1e-6) and str(number) == value


class Largest(TorchFunctionMode):
    """The largest tensor that any operation made while it was on, in elements, and by which operation."""

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
    """The numbers that the memory of a tensor holds."""
    return tensor.untyped_storage().nbytes() // tensor.element_size()


# As much as there can be of everything.
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
# The largest tensors that any screen has: the weights of all heads, and the features of all tokens in all of them.
MOST = max(HEADS * SIZE * SIZE, SENTENCES * HEADS * TOKENS * max(SIZE, TOKENS))
# As much as there can be in the laboratory.
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
# Its largest tensors are the keys of the race's test examples.
LABORATORY = TEST * SLOTS * 1024
# Those of the page on costs are the weights of the most heads and the longest text that its button measures.
COSTS = max(int(heads) for heads in Costs.knobs()["cost_heads"].options) * 2048 * 2048


def link(number: int) -> tuple[str, dict[str, list[str]]]:
    """A page, and the parameters that it is opened with: some are what a control holds, some are at its far end."""
    random = Random(f"hostile link {number}")
    # The laboratory computes for seconds what it is asked for: few links ask it.
    page = random.choices(PAGES, [0.2 if page == "scaling" else 1 for page in PAGES])[0]
    names = random.sample([*ALL_FIELDS], random.choice((1, 2, 5, 12, len(ALL_FIELDS))))
    asked = {name: [_value(random, name) for _ in range(random.choice((1, 1, 1, 1, 2, 7)))] for name in names}
    if random.random() < 0.1:
        asked |= {name: [value] for name, value in GREEDY.items()}
    if random.random() < 0.3:
        asked["cell"] = [random.choice(_CELLS)]
    if random.random() < 0.3:
        asked[random.choice(_NAMES)] = [random.choice(_TEXTS)]
    return page, asked


def _value(random: Random, name: str) -> str:
    """What a link says of a control."""
    kind = random.random()
    if kind < 0.25 and name != "device":
        return written(valid(random, name))
    if kind < 0.5:
        return far(random, name)
    if kind < 0.51:
        return _LONG
    return random.choice(_TEXTS)


def far(random: Random, name: str) -> str:
    """The most that a control holds, and what lies just beyond it or damages it."""
    match ALL_FIELDS[name]:
        case Choice(options):
            return random.choice((options[-1], options[0], f"{options[-1]}0", options[-1].upper(), f" {options[0]}"))
        case Range(low, high):
            return written(random.choice((low, high, high + 1, low - 1, high * 1e6, -high, (low + high) / 3)))
        case Flag():
            return random.choice(("true", "True", "1", "on", "null"))
        case Listed() | CellName():
            return random.choice(
                ("nonsense", "1.2,,3 4", "9" * 5000, "output.3.2", "output.3.99999", "猫.1.2", "1;2;x")
            )
        case Text():
            words, lines = random.choice((64, 65, 900)), random.choice((1, 8, 99))
            tokens = [" ".join(f"w{i}" for i in range(words))] * lines
            return random.choice(("\n".join(tokens), "猫" * 9000, "\n" * 5000, "🏳️‍🌈" * 900, "[PAD] " * 64, "a" * 4000))
        case Cells(most):
            return "AB_-z9!猫\x00"[random.randrange(9) :] * random.choice((1, 7, most))
        case Configuration():
            layers = random.choice(("3", "1e9", "-1", "[]", '"many"'))
            entry = f'"num_attention_heads":2,"num_hidden_layers":{layers},"no_rope_layers":[{layers}]'
            return random.choice(
                (f"{{{entry}}}", f"{{{entry}", "[" * 9000, f'{{"text_config":{{{entry}}}}}', "9" * 9000)
            )
        case Digest(digits):
            return random.choice(("0", "f", "F", "é", "../")) * digits
        case Edits():
            return damaged(random, valid(random, "edited"))
        case Bundle():
            return _bundle(random)


def damaged(random: Random, packed: str) -> str:
    """A compressed value that somebody worked on, or a small one that would be large."""
    place = random.randrange(len(packed))
    return random.choice(
        (
            packed[:place],
            packed[:place] + random.choice("A_-=+/ \x00猫") + packed[place + 1 :],
            packed * 3,
            _bomb(10_000_000),
            _bomb(9 * 513),
            _packed(random.randbytes(9 * random.randrange(1, 600))),
            base64.urlsafe_b64encode(random.randbytes(300)).decode(),
        )
    )


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


@cache
def _bomb(size: int) -> str:
    return _packed(bytes(size))


def _bundle(random: Random) -> str:
    """A pinned screen: within it, each control is as hostile as outside."""
    shared = [name for name in Config.knobs() if name != "device"]
    names = random.sample(shared, random.choice((1, 4, len(shared))))
    inside = "&".join(f"{name}={random.choice(_TEXTS)}" for name in names)
    return random.choice(
        (inside, f"pinned={inside}", "preset=random&" * 9000, "%" * 5000, "%00%ff&=&&==", f"text={'%F0%9F' * 5000}")
    )
