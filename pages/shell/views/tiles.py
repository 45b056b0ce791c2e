"""The steps of a run as the tiles of its pipeline: a fork into queries, keys and values, and the steps after it."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from attention.analysis.backward import Backward
from pages.shell.component.strip import Tile
from pages.shell.i18n import say
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.runs.run import Run
from pages.shell.views import gradients
from pages.shell.views.steps import drawn, drawn_heads

# The flow: its parts, which a phone shows below each other, their columns, and the steps of each column.
_FLOW = (
    (
        ("x", "context"),
        ("w_q", "w_k", "w_v"),
        ("queries", "keys", "values"),
        ("queries_normed", "keys_normed"),
        ("queries_rotated", "keys_rotated"),
        ("past_keys", "past_values"),
        ("keys_joined", "values_joined"),
    ),
    (("scores",), ("scaled",), ("softcapped",), ("bias", "biased"), ("mask", "masked")),
    (("weights",), ("kept", "dropped"), ("output",), ("concat",), ("w_o",), ("projected",)),
)
# The lanes of the fork, from 0: queries, keys, values. Other steps span the lanes that meet in them: scores and weights
# the first two, the steps before and after the fork all three.
_LANES = {
    0: ("w_q", "queries", "queries_normed", "queries_rotated", "bias", "mask", "kept"),
    1: ("w_k", "keys", "keys_normed", "keys_rotated", "past_keys", "keys_joined", "biased", "masked", "dropped"),
    2: ("w_v", "values", "past_values", "values_joined"),
}
_LANE = {id: (lane, 1) for lane, ids in _LANES.items() for id in ids}
_ACROSS_ALL = ("x", "output", "concat", "w_o", "projected")
# Chains of steps: each step follows from the one before it that the run has.
_CHAINS = (
    ("x", "queries", "queries_normed", "queries_rotated", "scores"),
    ("x", "context", "keys", "keys_normed", "keys_rotated", "keys_joined", "scores"),
    ("x", "context", "values", "values_joined", "output"),
    ("past_keys", "keys_joined"),
    ("past_values", "values_joined"),
    ("scores", "scaled", "softcapped", "biased", "masked", "weights", "dropped", "output", "concat", "projected"),
    ("bias", "biased"),
    ("mask", "masked"),
    ("kept", "dropped"),
)


def tiles(run: Run, *, bands: bool = True) -> list[Tile]:
    """The steps of the flow that this run has. bands: whether a step of several heads also has all of them."""
    places = [(part, ids) for part, columns in enumerate(_FLOW) for ids in _there(run, columns)]
    return [_tile(run, id, part, column, bands=bands) for column, (part, ids) in enumerate(places) for id in ids]


def edges(run: Run) -> list[tuple[str, str]]:
    """Pairs of tiles that an arrow joins."""
    found = []
    for chain in _CHAINS:
        there = [id for id in chain if id in run.trace]
        if "context" in there:
            there.remove("x")
        # A chain without its first step has nothing to join.
        if chain[0] in run.trace or "context" in there:
            found += list(pairwise(there))
    return list(dict.fromkeys(found))


def sent(run: Run) -> list[dict[str, Any]]:
    """The tiles of a run as they travel to the browser."""
    return [tile.sent() for tile in tiles(run)]


def _there(run: Run, columns: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    """The columns without the steps that this run lacks. Columns that this empties are left out."""
    kept = ([id for id in ids if id in run.trace] for ids in columns)
    return [ids for ids in kept if ids]


def _tile(run: Run, id: str, part: int, column: int, *, bands: bool) -> Tile:
    step = run.trace[id]
    several = bands and run.module.heads > 1 and not {"head", "kv_head"}.isdisjoint(step.axes)
    heads = drawn_heads(run, step) if several else None
    row, shown = step.quantity, drawn(run, step, run.head)
    lane, span = _LANE.get(id, (0, 3 if id in _ACROSS_ALL else 2))
    # In cross-attention, two inputs share the room of one.
    if "context" in run.trace and id in ("x", "context"):
        lane, span = (0, 1) if id == "x" else (1, 2)
    name = say(f"strip.name_{id}")
    return Tile(id, ROWS[row], row.letter, _operator(run, id), part, column, lane, span, name, shown, heads)


def lettered_once(shown: list[Tile]) -> list[Tile]:
    """The tiles, with each letter on its first tile only: scaled scores are S in formulas, too."""
    seen: set[str] = set()
    made = []
    for tile in shown:
        made.append(replace(tile, letter="") if tile.letter in seen else tile)
        seen.add(tile.letter)
    return made


def backward_tiles(run: Run, made: Backward, *, bands: bool = True) -> list[Tile]:
    """The gradients of all steps in the places of the steps; a step that the number does not depend on says so."""
    return [_gradient(run, made, tile) for tile in tiles(run, bands=bands)]


def _gradient(run: Run, made: Backward, tile: Tile) -> Tile:
    id, letter = tile.id, f"d{tile.letter}"
    if id not in made.gradients:
        return replace(tile, letter=letter, operator="", heatmap=None, heads=None, missing=say("strip.no_gradient"))
    heads = None if tile.heads is None else gradients.drawn_heads(run, made, id)
    shown = gradients.drawn(run, made, id)
    operator = say("strip.target") if id == made.target.id else _operator_back(run, made, id)
    return replace(tile, letter=letter, operator=operator, heatmap=shown, heads=heads, kind="signed")


def _operator_back(run: Run, made: Backward, id: str) -> str:
    """The operation that makes a gradient from the one to the right of it."""
    if id == "scores" and "scale" in run.trace:
        return f"· {float(run.trace['scale'].value):.3g}"
    # Without a mask, softmax reads the scaled scores. Without dropout, the product with V reads the weights.
    before = {"scaled": "masked", "weights": "dropped"}.get(id)
    return _BACK.get(before if before and before not in made.gradients else id, "")


def _operator(run: Run, id: str) -> str:
    """The operation that makes a step from the one before it."""
    if id == "scaled" and "scale" in run.trace:
        return f"· {float(run.trace['scale'].value):.3g}"
    if id in ("keys", "values") and "context" in run.trace:
        return _OPERATORS[id].replace("X", "C")
    return say(f"strip.operator_{id}") if id in _NAMED else _OPERATORS.get(id, "")


_OPERATORS = {
    "queries": "X · W_Q",
    "keys": "X · W_K",
    "values": "X · W_V",
    "queries_rotated": "R · Q",
    "keys_rotated": "R · K",
    "keys_joined": "[C; K]",
    "values_joined": "[C; V]",
    "scores": "Q · Kᵀ",
    "scaled": "÷ √d_k",
    "biased": "+ B",
    "masked": "+ M",
    "output": "· V",
    "projected": "· W_O",
}
_BACK = {
    "x": "Σ dQ · W_Qᵀ",
    "w_q": "Xᵀ · dQ",
    "w_k": "Xᵀ · dK",
    "w_v": "Xᵀ · dV",
    "queries": "dS · K",
    "keys": "dSᵀ · Q",
    "values": "Aᵀ · dO",
    "scores": "÷ √d_k",
    "masked": "A ⊙ (dA − Σ)",
    "dropped": "dO · Vᵀ",
    "concat": "dY · W_Oᵀ",
    "w_o": "Oᵀ · dY",
}
# Operators with a name instead of a sign.
_NAMED = ("weights", "dropped", "concat", "softcapped", "queries_normed", "keys_normed")
