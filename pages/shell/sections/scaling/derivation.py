"""Why √d_k, line by line with the measured value beside each; and what is not the reason."""

import math

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from attention.experiments.score_terms import score_terms
from attention.experiments.softmax_row import softmax_row
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.layout import page
from pages.shell.layout.rows import row
from pages.shell.runs.results import computed
from pages.shell.sections.scaling import common
from pages.shell.state.page_controls import Laboratory

_FORMULAS = {
    "term_mean": r"\mathrm{E}\,[q_i k_i]",
    "term_variance": r"\mathrm{Var}\,[q_i k_i]",
    "term_covariance": r"\mathrm{Cov}\,[q_i k_i,\ q_{i+1} k_{i+1}]",
    "sum_mean": r"\mathrm{E}\,\sum_i q_i k_i",
    "sum_variance": r"\mathrm{Var}\,\sum_i q_i k_i",
    "scaled_variance": r"\mathrm{Var}\,\big[\sum_i q_i k_i / \sqrt{d_k}\big]",
}
_KEYS = 16
# Terms that are drawn: half a second.
_MOST = 2**24


@row
def lines() -> None:
    """The derivation as a table, then the two wrong reasons with their numbers."""
    lab = Laboratory.current()
    d, samples = int(lab.d), min(int(lab.samples), _MOST // int(lab.d))
    table, scores = computed(
        ("score_terms", lab.pairs, d, samples, lab.lab_seed),
        lambda progress: score_terms(
            lab.pairs, d, samples, generator=common.generator(lab.lab_seed), progress=progress
        ),
    )
    with st.container(key="derivation"):
        _told(table, d, samples)
    _not_the_reason(lab, scores)


def _told(table: pd.DataFrame, d: int, samples: int) -> None:
    st.markdown(f"**{say('derivation.title')}**")
    st.markdown(say("derivation.lead", d=d, samples=f"{samples:,}"))
    header = [say(f"derivation.column.{name}") for name in ("line", "why", "theory", "measured")]
    page.table(*header, rows=map(_line, table.itertuples()))


def _line(found: pd.Series) -> list[str]:
    measured = "–" if math.isnan(found.measured) else f"{digits(found.measured)} ± {digits(2 * found.error, 2)}"
    return [f"${_FORMULAS[found.line]}$", say(f"derivation.why.{found.line}"), digits(found.theory), measured]


def _not_the_reason(lab: Laboratory, scores: Tensor) -> None:
    """Overflow, and weights that would not sum to one: measured on the same scores, and on a row of softmax."""
    largest = scores.abs().max()
    rows = softmax_row(lab.pairs, [int(lab.d)], _KEYS, generator=common.generator(lab.lab_seed), scales=("none",))
    numbers = {
        "d": lab.d,
        "samples": f"{len(scores):,}",
        "std": digits(scores.std().item()),
        "largest": digits(largest.item()),
        "power": digits(largest.exp().item()),
        "limit": digits(torch.finfo(torch.float32).max),
        "sum": digits(float(rows["weight"].sum())),
    }
    with st.container(key="not-the-reason"):
        st.markdown(f"**{say('derivation.not.title')}**")
        st.markdown(say("derivation.not.overflow", **numbers))
        st.markdown(say("derivation.not.sums", keys=_KEYS, **{name: numbers[name] for name in ("d", "sum")}))
