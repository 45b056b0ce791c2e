"""The spread of the scaled scores in real layers at their start, and the effect of a wrong d under the root."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd
import torch

from attention.experiments.initializations import initialisations
from attention.experiments.wrong_scale import which_d
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.results import Experiment
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common
from pages.shell.views.waiting import result

TOKENS = 64
# The most weights that are drawn for each initialisation; the fewest and the most draws of a layer.
_WEIGHTS, _REPEATS = 2**24, (8, 64)


def drawn(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The spread of a layer's scores, by initialisation."""
    d_model, heads = _sizes(lab)
    d_k = d_model // heads
    return Experiment(
        ("initialisations", d_model, d_k, lab.lab_seed),
        lambda progress: initialisations(
            d_model,
            d_k,
            TOKENS,
            repeats(d_model, d_k),
            generator=common.generator(lab.lab_seed),
            progress=progress,
        ),
    )


@named("scaling.starts")
def starts(screen: Screen) -> Iterator[Block]:
    """From initialisation to layers."""
    lab = screen.own(Laboratory)
    d_model, heads = _sizes(lab)
    if heads != int(lab.layer_heads):
        adjusted = say("lab.starts.divides", d_model=d_model, asked=lab.layer_heads, heads=heads)
        yield blocks.note(adjusted, "info")
    table = result(drawn(lab))
    yield blocks.text(_range_of(table, d_model, d_model // heads))
    header = [say(f"lab.starts.column.{name}") for name in ("initialisation", "q", "scores", "std", "theory")]
    rows = [
        (
            say(f"lab.starts.name.{row.initialisation}"),
            digits(row.q_variance),
            digits(row.scores_variance),
            f"{digits(row.scaled_std)} ± {digits(2 * row.scaled_std_error, 2)}",
            digits(row.scaled_std_theory),
        )
        for row in table.itertuples()
    ]
    yield blocks.table(*header, rows=rows)


def repeats(d_model: int, d_k: int) -> int:
    """The number of draws of a layer: the averages of a larger one scatter less."""
    fewest, most = _REPEATS
    return max(fewest, min(most, _WEIGHTS // (d_model * d_k)))


def _sizes(lab: Laboratory) -> tuple[int, int]:
    """d_model and the number of heads: the largest up to the chosen one that divides it."""
    d_model = int(lab.layer)
    choices = map(int, Laboratory.knobs()["layer_heads"].options)  # type: ignore[union-attr]
    return d_model, max(heads for heads in choices if heads <= int(lab.layer_heads) and d_model % heads == 0)


def _range_of(table: pd.DataFrame, d_model: int, d_k: int) -> str:
    widest, narrowest = table.loc[table["scaled_std"].idxmax()], table.loc[table["scaled_std"].idxmin()]
    return say(
        "lab.starts.note",
        d_model=d_model,
        d_k=d_k,
        widest=say(f"lab.starts.name.{widest.initialisation}"),
        high=digits(widest.scaled_std),
        narrowest=say(f"lab.starts.name.{narrowest.initialisation}"),
        low=digits(narrowest.scaled_std),
    )


def scaled(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The same layer under each scale."""
    d_model, heads = _sizes(lab)
    return Experiment(
        ("which_d", d_model, heads, lab.lab_seed),
        lambda progress: which_d(
            d_model, heads, TOKENS, generator=torch.Generator().manual_seed(lab.lab_seed)
        ).set_index("scale"),
    )


@named("scaling.mistakes")
def mistakes(screen: Screen) -> Iterator[Block]:
    """Which d? Common bugs, on the same numbers."""
    lab = screen.own(Laboratory)
    d_model, heads = _sizes(lab)
    table = result(scaled(lab))
    header = [say(f"lab.mistakes.column.{name}") for name in ("scale", "factor", "spread", "entropy", "largest", "sum")]
    rows = [
        (
            _strong(say(f"lab.mistakes.name.{row.Index}"), row.Index == lab.mistake),
            digits(row.factor),
            f"{digits(row.spread)} ({digits(row.spread_theory)})",
            digits(row.entropy),
            digits(row.largest),
            digits(row.row_sum),
        )
        for row in table.itertuples()
    ]
    yield blocks.text(_told(table, lab.mistake, d_model, heads))
    yield blocks.table(*header, rows=rows)


def _told(table: pd.DataFrame, chosen: str, d_model: int, heads: int) -> str:
    right, wrong = table.loc["sqrt_d_k"], table.loc[chosen]
    values: dict[str, Any] = {
        "name": say(f"lab.mistakes.name.{chosen}"),
        "d_model": d_model,
        "heads": heads,
        "d_k": d_model // heads,
        "spread": digits(wrong.spread),
        "should": digits(right.spread),
        "entropy": digits(wrong.entropy),
        "right_entropy": digits(right.entropy),
        "most": digits(math.log(TOKENS)),
        "tokens": TOKENS,
    }
    if chosen == "sqrt_d_k":
        return say("lab.mistakes.right", **values)
    if math.isclose(wrong.factor, right.factor) and math.isclose(wrong.row_sum, right.row_sum, rel_tol=1e-6):
        return say("lab.mistakes.same", **values)
    if not math.isclose(wrong.row_sum, 1, rel_tol=1e-6):
        return say("lab.mistakes.sum", **values | {"sum": digits(wrong.row_sum)})
    return say(f"lab.mistakes.told.{'flatter' if wrong.entropy > right.entropy else 'sharper'}", **values)


def _strong(text: str, chosen: bool) -> str:
    return f"**{text}**" if chosen else text
