"""Run pages as Streamlit does, without a browser, and read the numbers that they draw from what they send."""

import asyncio
import base64
import json
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from streamlit.testing.v1 import AppTest

from attention.inputs.edits import Typed
from benchmarks.tab import mount_points
from pages.shell.runs.long_text import whole
from pages.shell.runs.run import Run, run
from pages.shell.screen import Screen
from pages.shell.state.changes import NAMES, at_first
from pages.shell.state.config import DEFAULTS, Config, looks
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import CellName, Choice, Configuration, Digest, Flag, Listed, Range
from pages.shell.state.page_controls import Walkthrough
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default, settled
from pages.shell.state.typed_numbers import Edit, text
from pages.shell.state.url import written
from pages.shell.views import VIEWS, NotYetError
from tests.support import rounding, summed

ROOT = Path(__file__).resolve().parents[2]
FRAME = ROOT / "pages" / "shell" / "frame.py"
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# The page at "/".
HOME = "walkthrough"
# The prefix of the figures that show one head's weights of the layer that learned, beside the figures of the steps.
MAP = "learned-head-"
# The figures of all weights of a long text, and of an enlarged part of them, by default that of the first words.
TILED = ("tiles", "zoomed")
ZOOM = int(Walkthrough.zoom)


def another(name: str) -> Any:
    """A value of a control as near to its default as possible."""
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
        case Listed():
            return "2"
        case CellName():
            return "output.1.0"
        case Configuration():
            return knob.nearest('{"num_hidden_layers": 3, "num_attention_heads": 2}', first)
        case Digest(digits):
            return "a" * digits
        case _:
            return f"{first} more" if first else "more"


def deep(page: str, shared: dict[str, Any]) -> dict[str, Any]:
    """A link that changes every control of the page itself, and the given shared ones if the page draws them."""
    own = BY_PAGE[page].knobs() if page in BY_PAGE else ()
    return (shared if looks(page) else {}) | {name: another(name) for name in own}


def edited(*presets: str, **matrices: tuple[tuple[int, int, int, float], ...]) -> str:
    """The text of a link for typed numbers of some presets: (block, row, column, number) by matrix."""
    places = [Typed(matrix, *one) for matrix, typed in matrices.items() for one in typed]
    return text(Edit(preset, place) for preset in presets or ("random",) for place in places)


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, run in a thread, because tests of the browser leave a loop running in theirs.

    It has four minutes, since a thread that goes on would keep its process from ending.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, 240)).result()


class Sent(NamedTuple):
    """A figure on its way to the browser: its numbers, and all that came with them."""

    z: np.ndarray
    rest: dict[str, Any]


def app(page: str | None = None, *, more: bool = True, **parameters: Any) -> AppTest:
    """A page (None: the one at "/") after its first run, opened by a link with these parameters. more: whether the
    panel "More" is open, so that its controls are drawn."""
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    at.session_state["more"] = more
    for name, value in parameters.items():
        at.query_params[name] = written(value)
    at = at.run() if page in (None, HOME) else at.switch_page(f"../../pages/{page}.py").run()
    mounted(at)
    return at


def placed(block: Any) -> list[str]:
    """The controls with a widget in a part of a page, in the order of the page."""
    found = []
    for child in block.children.values():
        if hasattr(child, "children"):
            found += placed(child)
        elif (name := control_of(child.key)) in ALL_FIELDS:
            found.append(name)
    return found


def control_of(key: str | None) -> str:
    """The control of the widget with a key. A control gets another key when code sets it (state/settings.py)."""
    return (key or "").partition("--")[0]


def seen(at: AppTest) -> set[str]:
    """The controls that have a widget."""
    return {name for part in (at.main, at.sidebar) for name in placed(part)}


def widget(at: AppTest, name: str) -> Any:
    """The present widget of a control."""
    for kind in ("slider", "select_slider", "button_group", "toggle", "number_input", "text_input", "text_area"):
        for one in at.get(kind):
            if control_of(one.key) == name:
                return one
    raise KeyError(f"{name} has no widget on this page: {sorted(seen(at))}")


def held(at: AppTest) -> dict[str, str]:
    """The settings of a visitor that are not at their first value, as texts by name."""
    settings = at.session_state["settings"]
    texts: dict[str, str] = settings.texts
    return {name: text for name, text in texts.items() if name not in NAMES or text != at_first(name, settings.opened)}


def give(at: AppTest, **settings: Any) -> AppTest:
    """Set controls as figures do, without widgets."""
    kept = at.session_state["settings"]
    for name, value in settings.items():
        kept.set(name, written(value))
        kept.renew(name)
    return at.run()


def linked(page: str = HOME, **parameters: Any) -> Screen:
    """The screen that a link with these parameters opens, for tests of what its views show. The readers below take it
    in place of a page, without running Streamlit."""
    return Screen(page, {name: written(value) for name, value in parameters.items()})


class Mounted(NamedTuple):
    """The mounted data of a page: the context with which the browser asks for views, and the names of the views."""

    context: dict[str, Any]
    views: list[str]


def mounts(at: AppTest) -> list[dict[str, Any]]:
    """The data that a page leaves for our scripts: of its components, then of its HTML elements."""
    of_components = [json.loads(one.proto.json) for one in at.get("bidi_component")]
    return of_components + mount_points(one.proto.body for one in at.get("html"))


def mounted(at: AppTest) -> Mounted:
    """The mounted data of a page. If the last run drew parts alone, the data that the whole page mounted before."""
    sent = mounts(at)
    contexts = [payload["context"] for payload in sent if "context" in payload]
    if contexts:
        at._mounted = Mounted(contexts[0], [name for payload in sent for name in payload.get("views", ())])
    # A script other than the app's pages has no views.
    found: Mounted = getattr(at, "_mounted", Mounted({"page": HOME, "language": "en"}, []))
    return found


def screen(at: AppTest | Screen) -> Screen:
    """The screen whose views the browser asks for: the values of the widgets, and the values that figures have set."""
    if isinstance(at, Screen):
        return at
    context = mounted(at).context
    return Screen(context["page"], held(at), context["language"])


def blocks(at: AppTest | Screen) -> list[dict[str, Any]]:
    """The blocks of all views of a page, in order, without views that wait for a task."""
    here = screen(at)
    is_asked = isinstance(at, Screen)
    names = [name for name in VIEWS if name.startswith(f"{at.page}.")] if is_asked else mounted(at).views
    found = []
    for name in names:
        with suppress(NotYetError):
            found += VIEWS[name].blocks(here)
    return found


def payloads(at: AppTest | Screen) -> list[dict[str, Any]]:
    """The data of all figures of a page, in whichever way it reaches the browser."""
    drawn = [] if isinstance(at, Screen) else mounts(at)
    sent = [payload for payload in drawn if "views" not in payload]
    of_tasks = [block for payload in sent for block in payload.get("blocks", ())]
    for block in json.loads(json.dumps([*of_tasks, *blocks(at)])):
        sent.append(block if block["kind"] in ("cards", "panel") else {block["kind"]: block})
        # The operands of a step are in an expander; those of a clicked cell are not.
        if "operands" in block and "close" in block:
            sent.append({"chapter": "", "cards": [block["operands"]]})
    return sent


def listings(at: AppTest | Screen) -> list[str]:
    """Every code listing of a page that can be copied."""
    beside = [] if isinstance(at, Screen) else [one.value for one in at.code]
    return beside + [block["text"] for block in blocks(at) if block["kind"] == "code"]


def in_markdown(part: Any) -> Iterator[str]:
    """The texts of blocks that are read as Markdown."""
    if isinstance(part, dict):
        yield from (part[name] for name in ("markdown", "line") if isinstance(part.get(name), str))
        part = part.values()
    elif not isinstance(part, list | tuple):
        return
    for one in part:
        yield from in_markdown(one)


class Text(NamedTuple):
    """A text of a page, as Markdown."""

    value: str


def markdown(at: AppTest | Screen) -> list[Text]:
    """Every text of a page as Markdown, in whichever way it reaches the browser."""
    beside = [] if isinstance(at, Screen) else at.markdown
    return [*(Text(one.value) for one in beside), *(Text(text) for block in blocks(at) for text in _texts(block))]


def _texts(block: dict[str, Any]) -> Iterator[str]:
    match block:
        case {"kind": "table", "header": header, "rows": rows}:
            lines = [header, [{"line": "---"}] * len(header), *rows]
            yield "\n".join(f"| {' | '.join(cell['line'] for cell in line)} |" for line in lines)
        case {"kind": "panel", "title": title, "rule": rule, "formula": formula}:
            yield "\n\n".join((title["line"], rule["markdown"], formula["markdown"]))
        case {"kind": "ledger", "sizes": sizes, "lead": lead, "badges": badges}:
            yield sizes["markdown"]
            yield "  \n".join((lead["line"], *(badge["line"] for badge in badges)))
        case {"kind": "buttons", "buttons": buttons, **more}:
            yield from (one["line"] for one in ([more["said"]] if "said" in more else []) + buttons)
        case {"kind": "moved", "said": said}:
            yield from said
        case {"kind": "strip", "told": told}:
            yield told["text"]
        case {"markdown": text} | {"line": text}:
            yield text


def cards(at: AppTest | Screen) -> dict[str, dict[str, Sent]]:
    """Chapter to figure id to the sent figure; rows without a heading share the chapter ""."""
    found: dict[str, dict[str, Sent]] = {}
    for payload in payloads(at):
        row = {card["id"]: Sent(decoded(card), card) for card in payload.get("cards", ()) if "z" in card}
        if "cards" in payload:
            found.setdefault(payload["chapter"], {}).update(row)
    return found


def figures(at: AppTest | Screen) -> dict[str, Sent]:
    """Figure id to the sent figure; a figure that is drawn twice must be the same both times."""
    found: dict[str, Sent] = {}
    for chapter in cards(at).values():
        for id, sent in chapter.items():
            assert id not in found or found[id].rest == sent.rest
            found[id] = sent
    return found


def charts(at: AppTest | Screen) -> dict[str, dict[str, Any]]:
    """Chart id to the sent chart, each series by its name with its numbers."""
    sent = [card for payload in payloads(at) for card in payload.get("cards", ()) if "chart" in card]
    return {
        card["id"]: card | {"series": {one["name"]: points(one) for one in card["chart"]["series"]}} for card in sent
    }


def points(series: dict[str, Any]) -> dict[str, Any]:
    columns = {name: series[name] for name in ("x", "y", "low", "high") if name in series}
    return series | {name: np.frombuffer(base64.b64decode(text), "<f4") for name, text in columns.items()}


def decoded(card: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(card["z"]), "<f4").reshape(card["shape"])


def computed(**parameters: Any) -> Run:
    """The run that a link with these (valid) parameters must show."""
    assert settled({name: written(value) for name, value in parameters.items()}) == {}
    typed = {name: type(getattr(DEFAULTS, name))(value) for name, value in parameters.items()}
    return run(Config(**typed))


def order_of_terms(shown: Run, *, by: float = 0.0, dtype: torch.dtype = torch.float64) -> float:
    """The most by which another order of terms may change the numbers of a run, in a dtype (`tests.support.rounding`).

    by: the number that the test adds to keys and values before.
    """
    q, k, v = (shown.trace[id].value.double().abs() for id in ("queries", "keys", "values"))
    # The terms of queries, scores, outputs and projected outputs.
    terms = shown.module.d_model, q.shape[-1], k.shape[-2], shown.module.heads * v.shape[-1]
    return rounding(*terms, of=max(1.0, summed(q, k.mT + by), float(v.max()) + by), dtype=dtype)


def recorded(shown: Run, id: str) -> np.ndarray:
    """The matrix that a figure must show, by its id. Most ids name a step: the matrix of the shown sentence and head.
    The map of a head of the layer that learned has the weights of that head. Tiles of one weight each, and the part of
    them that is enlarged by default, have the weights before dropout."""
    is_map = id.startswith(MAP)
    if id in TILED:
        # Tiles show all words of a long text.
        shown = whole(shown)
    step = shown.trace["weights" if is_map or id in TILED else id]
    chosen = {
        "batch": min(shown.config.sentence, len(shown.inputs.tokens)) - 1,
        "head": min(int(id.removeprefix(MAP)) if is_map else shown.config.head, shown.module.heads) - 1,
    }
    chosen["kv_head"] = chosen["head"] * shown.module.kv_heads // shown.module.heads
    value = step.value[tuple(chosen[axis] for axis in step.axes if axis in chosen)]
    if id == "zoomed":
        value = value[:ZOOM, :ZOOM]
    return np.atleast_2d(value.float().cpu().numpy())


def no_exception(at: AppTest | Screen) -> bool:
    if isinstance(at, Screen):
        return bool(blocks(at))
    assert not at.exception, [exception.value for exception in at.exception]
    return True
