"""The steps of a run as the tiles of its pipeline, in the order in which they are computed."""

from typing import Any

from attention.analysis.backward import Backward
from attention.notation import QUANTITIES
from pages.shell.component.strip import Tile
from pages.shell.i18n import say
from pages.shell.i18n.vocabulary import ROWS
from pages.shell.runs.run import Run
from pages.shell.views import gradients
from pages.shell.views.steps import drawn, drawn_heads

# Of the flow: its parts, which a phone shows below each other, their columns, and the steps of each.
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
# Of what a run may lack, no place says so. Without a context, queries are the words themselves.
OPTIONAL = (
    "context",
    "queries_normed",
    "keys_normed",
    "queries_rotated",
    "keys_rotated",
    "past_keys",
    "past_values",
    "keys_joined",
    "values_joined",
    "softcapped",
    "bias",
    "biased",
)
_ANY = {row.id: row for row in QUANTITIES}


def tiles(run: Run) -> list[Tile]:
    """All steps of the flow; one that this run does not have is a place that says why."""
    return [
        _tile(run, id, part, column)
        for part, columns in enumerate(_FLOW)
        for column, ids in enumerate(_there(run, columns))
        for id in ids
    ]


def sent(run: Run) -> list[dict[str, Any]]:
    """The tiles of a run as they travel to the browser."""
    return [tile.sent() for tile in tiles(run)]


def _there(run: Run, columns: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    """The columns without the optional steps that this run does not have, and without those that are left empty."""
    kept = ([id for id in ids if id in run.trace or id not in OPTIONAL] for ids in columns)
    return [ids for ids in kept if ids]


def _tile(run: Run, id: str, part: int, column: int) -> Tile:
    if id not in run.trace:
        row = _ANY[id]
        return Tile(id, ROWS[row], row.letter, _operator(run, id), part, column, missing=say(f"strip.without_{id}"))
    step = run.trace[id]
    several = run.module.heads > 1 and not {"head", "kv_head"}.isdisjoint(step.axes)
    heads = drawn_heads(run, step) if several else None
    row, shown = step.quantity, drawn(run, step, run.head)
    return Tile(id, ROWS[row], row.letter, _operator(run, id), part, column, shown, heads)


def backward_tiles(run: Run, made: Backward) -> list[Tile]:
    """The gradients of all steps in the places of the steps; a step that the number does not depend on says so."""
    return [_gradient(run, made, tile) for tile in tiles(run)]


def _gradient(run: Run, made: Backward, tile: Tile) -> Tile:
    id, letter = tile.id, f"d{tile.letter}"
    if id not in made.gradients:
        why = tile.missing or say("strip.no_gradient")
        return Tile(id, tile.row, letter, "", tile.part, tile.column, missing=why)
    heads = None if tile.heads is None else gradients.drawn_heads(run, made, id)
    shown = gradients.drawn(run, made, id)
    operator = say("strip.target") if id == made.target.id else _operator_back(run, made, id)
    return Tile(id, tile.row, letter, operator, tile.part, tile.column, shown, heads, kind="signed")


def _operator_back(run: Run, made: Backward, id: str) -> str:
    """What makes a gradient from the one to the right of it."""
    if id == "scores" and "scale" in run.trace:
        return f"· {float(run.trace['scale'].value):.3g}"
    # Softmax and the product with V are read by the last step before them.
    before = {"scaled": "masked", "weights": "dropped"}.get(id)
    return _BACK.get(before if before and before not in made.gradients else id, "")


def _operator(run: Run, id: str) -> str:
    """What makes a step from the one before it."""
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
# Operators that have a name in place of a sign.
_NAMED = ("weights", "dropped", "concat", "softcapped", "queries_normed", "keys_normed")
