"""Random screens, as strategies of hypothesis: any page, with any values of its controls.

Hypothesis reduces a failing screen to the few settings that make it fail. Every run draws the same screens.
"""

import json
import time
from collections.abc import Callable
from functools import cache, wraps
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from attention.inputs.edits import MATRICES, Typed
from pages.shell.lectures.format import lecture
from pages.shell.runs.preparation import prepared
from pages.shell.runs.trained.request import possible
from pages.shell.runs.translating import context_of
from pages.shell.state import typed_numbers
from pages.shell.state.config import Config, looked_at, looks
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import CellName, Cells, Choice, Configuration, Digest, Edits, Flag, Listed, Range
from pages.shell.state.page_controls import CROSS, CrossAttention, Models
from pages.shell.state.painted_cells import SIZE, text
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default
from pages.shell.state.url import written

Link = dict[str, str]

WORDS = (
    "a",
    "über",
    "naïve",
    "猫",
    "坐在垫子上",
    "🦊",
    "<b>",
    "&amp;",
    "100%",
    "a+b",
    "#1",
    "?",
    "=",
    "'",
    '"',
    "\\",
    "`",
    ".",
)
# Small sizes, because larger ones compute for seconds.
QUICK = {
    "d": 256,
    "samples": 2048,
    "keys": 64,
    "gradient_d": 64,
    "layer": 128,
    "race_d": 64,
    "race_steps": 50,
    "race_seeds": 1,
    "draws": 300,
}


# Hypothesis would reduce an example for up to five minutes. A few settings too many are better than that wait.
SECONDS_TO_REDUCE = 15.0

Test = Callable[..., None]


def drawn(count: int) -> Callable[[Test], Test]:
    """Run a test on `count` examples, the same in every run, without a deadline; its fixtures serve all examples.

    A failing example is reduced for SECONDS_TO_REDUCE, and then reported.
    """

    def decorated(test: Test) -> Test:
        test.hypothesis.inner_test = _told_soon(test.hypothesis.inner_test)  # type: ignore[attr-defined]
        return _of(count)(test)

    return decorated


def _of(count: int) -> settings:
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[*HealthCheck],
    )


def _told_soon(test: Test) -> Test:
    """The test, limited to known failures after the time to reduce: other examples then pass unrun. Hypothesis runs the
    smallest failing example once more, so it must still run."""
    failed: set[str] = set()
    end = float("inf")

    @wraps(test)
    def run(**example: Any) -> None:
        nonlocal end
        name = repr(example)
        if time.monotonic() > end and name not in failed:
            return
        try:
            test(**example)
        except Exception:
            failed.add(name)
            end = min(end, time.monotonic() + SECONDS_TO_REDUCE)
            raise

    return run


def screens(page: str) -> SearchStrategy[Link]:
    """The parameters of screens of a page; the simplest has none."""
    return st.builds(lambda link, reader: link | reader if link else link, _links(page), READERS)


def one_screen(page: str, number: int) -> Link:
    """A screen with some settings, for a test that needs a single one; each number gives a different screen."""
    once = settings(_of(100), phases=[Phase.generate], derandomize=False)
    return find(screens(page), lambda link: len(link) > 4, settings=once, random=Random(f"{page} {number}"))


@cache
def _links(page: str) -> SearchStrategy[Link]:
    controls = {*(Config.knobs() if looks(page) else ()), *(BY_PAGE[page].knobs() if page in BY_PAGE else ())}
    return moved(sorted(controls - {"device"})).map(lambda settings: _there(page, settings))


def moved(names: list[str]) -> SearchStrategy[dict[str, Any]]:
    """Some of these controls, with values."""
    return st.fixed_dictionaries({}, optional={name: values(name) for name in names})


def values(name: str) -> SearchStrategy[Any]:
    """Any value of a control; the ends of a range are as frequent as all values between them."""
    knob, first, most = ALL_FIELDS[name], default(name), QUICK.get(name)
    if name == "model_off":
        # Every model has these layers and heads; a link drops all others.
        switched_off = st.builds("{}.{}".format, st.integers(1, 6), st.integers(1, 9))
        return st.lists(switched_off, max_size=2).map("; ".join)
    match knob:
        case Choice(options):
            return st.sampled_from([one for one in options if not most or int(one) <= most])
        case Range(low, high, step):
            count = round(((most or high) - low) / step)
            places = st.sampled_from((0, count)) | st.integers(0, count)
            return places.map(lambda place: type(first)(round(low + step * place, 6)))
        case Flag():
            return st.booleans()
        case Cells():
            cell = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
            return st.lists(cell, min_size=1, max_size=40).map(lambda cells: text(tuple(cells)))
        case Listed():
            return st.lists(st.integers(1, 16), max_size=3).map(lambda numbers: ",".join(map(str, numbers)))
        case CellName():
            return st.builds("output.{}.{}".format, st.integers(0, 7), st.integers(0, 7))
        case Digest(digits):
            return st.text("0123456789abcdef", min_size=digits, max_size=digits)
        case Configuration():
            step = st.sampled_from(("full_attention_interval", "sliding_window_pattern", "vocab_size"))
            return st.builds(lambda layers, step: _configuration(knob.nearest, layers, step), st.integers(1, 9), step)
        case Edits(_):
            place = st.integers(0, 2)
            typed = st.builds(Typed, st.sampled_from(MATRICES), st.just(0), place, place, st.just(0.5))
            edits = st.builds(typed_numbers.Edit, st.sampled_from(typed_numbers.PRESETS), typed)
            return st.lists(edits, min_size=1, max_size=5).map(typed_numbers.text)
        case Bundle(of):
            return moved(sorted({*of.knobs()} - {"device"})).map(lambda settings: of(**settings).bundled())
    line = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
    return st.lists(line, min_size=1, max_size=4).map(lambda lines: "\n".join(lines)[: knob.most])


def _configuration(nearest: Callable[[str, str], str], layers: int, step: str) -> str:
    return nearest(json.dumps({"num_hidden_layers": layers, "num_attention_heads": 2, step: 3}), "")


def _off_default(held: dict[str, Any]) -> Link:
    return {name: written(value) for name, value in held.items() if written(value) != written(default(name))}


def _there(page: str, held: dict[str, Any]) -> Link:
    """The link of these settings, limited to sentences, heads and layers that the page and the model have."""
    link = _off_default(held)
    opened = possible(Models.of(link))
    link |= {name: written(getattr(opened, name)) for name in ("model_layer", "model_head") if name in link}
    link = _off_default(link)
    if not looks(page):
        return link
    config = Config.of(link)
    shown = looked_at(page, config)
    ready = prepared(shown, context_of(shown, CrossAttention.of(link).context) if page == CROSS else None)[0]
    most = {"sentence": len(ready.inputs.tokens), "head": ready.module.heads}
    return _off_default({name: min(int(value), most[name]) if name in most else value for name, value in link.items()})


# Settings of the reader: language, projector, quiz.
_ALONE = st.fixed_dictionaries(
    {},
    optional={
        "lang": st.sampled_from(ALL_FIELDS["lang"].options),  # type: ignore[union-attr]
        "present": st.just("true"),
        "quiz": st.just("true"),
    },
)


@st.composite
def _lectures(draw: st.DrawFn) -> Link:
    """A lecture at a stop, on a screen of the visitor's own, alone or in a room."""
    options = ALL_FIELDS["lecture"].options  # type: ignore[union-attr]
    name = draw(st.sampled_from([one for one in options if one not in ("none", "own")]))
    stop = draw(st.integers(1, len(lecture(name).stops)))
    moved = {"lecture": name, "stop": stop, "room": draw(st.sampled_from(("", *WORDS)))}
    return {name: written(held) for name, held in moved.items() if written(held) != written(getattr(Reader, name))}


READERS: SearchStrategy[Link] = st.builds(
    lambda alone, led: {name: value for name, value in alone.items() if value != written(getattr(Reader, name))} | led,
    _ALONE,
    st.just({}) | _lectures(),
)
