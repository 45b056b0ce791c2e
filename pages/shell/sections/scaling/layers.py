"""How wide the scaled scores of real layers start, and what the wrong d under the root does to them."""

import math
from typing import Any

import pandas as pd
import streamlit as st
import torch

from attention.experiments.initializations import initialisations
from attention.experiments.wrong_scale import which_d
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.layout.widgets import widgets
from pages.shell.runs.results import computed
from pages.shell.sections.scaling import common, deeper
from pages.shell.state.page_controls import Laboratory

TOKENS = 64
# Weights that are drawn for each initialisation, at most; and how often a layer is drawn, at least and at most.
_WEIGHTS, _REPEATS = 2**24, (8, 64)

_SIZED = ("layer", "layer_heads")


def starts() -> None:
    """From initialisation to layers."""
    with deeper.heading("starts", _SIZED) as is_open:
        widgets(*_SIZED)
        if is_open:
            _starts()


@row
def _starts() -> None:
    lab = Laboratory.current()
    d_model, heads = _sizes(lab)
    if heads != int(lab.layer_heads):
        st.info(say("lab.starts.divides", d_model=d_model, asked=lab.layer_heads, heads=heads), icon=":material/info:")
    d_k = d_model // heads
    table = computed(
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
    st.markdown(_range_of(table, d_model, d_k))
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
    page.table(*header, rows=rows)


def repeats(d_model: int, d_k: int) -> int:
    """How often a layer is drawn: the larger it is, the less each of its averages scatters."""
    fewest, most = _REPEATS
    return max(fewest, min(most, _WEIGHTS // (d_model * d_k)))


def _sizes(lab: Laboratory) -> tuple[int, int]:
    """d_model and, of the numbers of heads that divide it, the largest up to the one that was asked for."""
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


def mistakes() -> None:
    """Which d? The common bugs on the same numbers."""
    # Its sizes are those of the layers above.
    with deeper.heading("mistakes", ("mistake",)) as is_open:
        widgets("mistake")
        if is_open:
            _mistakes()


@row
def _mistakes() -> None:
    lab = Laboratory.current()
    d_model, heads = _sizes(lab)
    table = computed(
        ("which_d", d_model, heads, lab.lab_seed),
        lambda progress: which_d(d_model, heads, TOKENS, generator=torch.Generator().manual_seed(lab.lab_seed)),
    ).set_index("scale")
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
    st.markdown(_told(table, lab.mistake, d_model, heads))
    page.table(*header, rows=rows)


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
