"""Pages run as Streamlit runs them, without a browser, and the numbers that they draw read off what they send."""

import asyncio
import base64
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from streamlit.testing.v1 import AppTest

from attention.inputs.edits import Typed
from pages.shell.runs.run import Run, run
from pages.shell.state.config import DEFAULTS, Config, looks
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import Choice, Flag, Range
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default, settled
from pages.shell.state.typed_numbers import Edit, text
from pages.shell.state.url import written
from tests.support import rounding, summed

ROOT = Path(__file__).resolve().parents[2]
FRAME = ROOT / "pages" / "shell" / "frame.py"
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# The page that is served at "/".
HOME = "walkthrough"
# Figures of the weights of one head, which a layer that learned has beside those of the steps.
MAP = "learned-head-"


def another(name: str) -> Any:
    """A value of a control that is not its default, as near to it as can be."""
    knob, first = ALL_FIELDS[name], default(name)
    match knob:
        case Choice(options):
            return options[(options.index(str(first)) + 1) % len(options)]
        case Range():
            step = knob.step if first + knob.step <= knob.high else -knob.step
            return type(first)(round(first + step, 6))
        case Flag():
            return not first
        case Bundle():
            return knob.of(seed=1).bundled()
        case _:
            return f"{first} more" if first else "more"


def deep(page: str, shared: dict[str, Any]) -> dict[str, Any]:
    """A link that leaves no control that only this page has at its default; with shared ones, where it draws them."""
    own = BY_PAGE[page].knobs() if page in BY_PAGE else ()
    return (shared if looks(page) else {}) | {name: another(name) for name in own}


def edited(*presets: str, **matrices: tuple[tuple[int, int, int, float], ...]) -> str:
    """The text of a link for numbers typed over by hand: (block, row, column, number) by matrix, of some presets."""
    places = [Typed(matrix, *one) for matrix, typed in matrices.items() for one in typed]
    return text(Edit(preset, place) for preset in presets or ("random",) for place in places)


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine; in a thread of its own, because the browser's tests leave a loop running in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Sent(NamedTuple):
    """A figure on its way to the browser: its numbers, and all that came with them."""

    z: np.ndarray
    rest: dict[str, Any]


def app(page: str | None = None, **parameters: Any) -> AppTest:
    """A page (None: the one at "/") after its first run, opened by a link with these parameters."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, value in parameters.items():
        at.query_params[name] = written(value)
    return at.run() if page in (None, HOME) else at.switch_page(f"../../pages/{page}.py").run()


# Of what stands together, these and what follows them is there for the link alone (plot.css).
_UNSEEN = ("painted", "knobs-unseen", "more-unseen")


def placed(block: Any, is_seen: bool = True) -> list[tuple[str, bool]]:
    """Each control that has a widget in a part of a page, in its order, and whether a visitor sees it."""
    found = []
    for child in block.children.values():
        is_seen = is_seen and child.key not in _UNSEEN if hasattr(child, "key") else is_seen
        if hasattr(child, "children"):
            found += placed(child, is_seen)
        elif child.key in ALL_FIELDS:
            found.append((child.key, is_seen))
    return found


def seen(at: AppTest) -> set[str]:
    """The controls that a visitor sees."""
    return {name for part in (at.main, at.sidebar) for name, is_seen in placed(part) if is_seen}


def cards(at: AppTest) -> dict[str, dict[str, Sent]]:
    """Chapter to figure id to what was sent; rows without a heading share the chapter ""."""
    found: dict[str, dict[str, Sent]] = {}
    for component in at.get("bidi_component"):
        payload = json.loads(component.proto.json)
        row = {card["id"]: Sent(decoded(card), card) for card in payload.get("cards", ()) if "z" in card}
        if "cards" in payload:
            found.setdefault(payload["chapter"], {}).update(row)
    return found


def figures(at: AppTest) -> dict[str, Sent]:
    """Figure id to what was sent; a figure that is drawn twice must be the same one both times."""
    found: dict[str, Sent] = {}
    for chapter in cards(at).values():
        for id, sent in chapter.items():
            assert id not in found or found[id].rest == sent.rest
            found[id] = sent
    return found


def charts(at: AppTest) -> dict[str, dict[str, Any]]:
    """Chart id to what was sent, each series by its name with its numbers."""
    payloads = [json.loads(component.proto.json) for component in at.get("bidi_component")]
    sent = [card for payload in payloads for card in payload.get("cards", ()) if "chart" in card]
    return {
        card["id"]: card | {"series": {one["name"]: points(one) for one in card["chart"]["series"]}} for card in sent
    }


def points(series: dict[str, Any]) -> dict[str, Any]:
    columns = {name: series[name] for name in ("x", "y", "low", "high") if name in series}
    return series | {name: np.frombuffer(base64.b64decode(text), "<f4") for name, text in columns.items()}


def decoded(card: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(card["z"]), "<f4").reshape(card["shape"])


def computed(**parameters: Any) -> Run:
    """The run that a link with these parameters, which the controls can hold, must show."""
    assert settled({name: written(value) for name, value in parameters.items()}) == {}
    typed = {name: type(getattr(DEFAULTS, name))(value) for name, value in parameters.items()}
    return run(Config(**typed))


def order_of_terms(shown: Run, *, by: float = 0.0, dtype: torch.dtype = torch.float64) -> float:
    """What another order of the terms may change in the numbers of a run, in a format (`tests.support.rounding`).

    by: what is added to keys and values beforehand."""
    q, k, v = (shown.trace[id].value.double().abs() for id in ("queries", "keys", "values"))
    # Of queries, scores, outputs, and what is made of them.
    terms = shown.module.d_model, q.shape[-1], k.shape[-2], shown.module.heads * v.shape[-1]
    return rounding(*terms, of=max(1.0, summed(q, k.mT + by), float(v.max()) + by), dtype=dtype)


def recorded(shown: Run, id: str) -> np.ndarray:
    """The matrix of a step that the sentence and the head of a run select, by name of the axis; of the map of one head
    of the layer that learned, the weights of that head."""
    is_map = id.startswith(MAP)
    step = shown.trace["weights" if is_map else id]
    chosen = {
        "batch": min(shown.config.sentence, len(shown.inputs.tokens)) - 1,
        "head": min(int(id.removeprefix(MAP)) if is_map else shown.config.head, shown.module.heads) - 1,
    }
    chosen["kv_head"] = chosen["head"] * shown.module.kv_heads // shown.module.heads
    value = step.value[tuple(chosen[axis] for axis in step.axes if axis in chosen)]
    return np.atleast_2d(value.float().cpu().numpy())


def no_exception(at: AppTest) -> bool:
    assert not at.exception, [exception.value for exception in at.exception]
    return True
