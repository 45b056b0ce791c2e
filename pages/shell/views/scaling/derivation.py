"""Why √d_k, line by line with the measured value beside each, and two reasons that do not hold."""

import math
from collections.abc import Iterator

import pandas as pd
import torch
from torch import Tensor

from attention.experiments.score_terms import score_terms
from attention.experiments.softmax_row import softmax_row
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.results import Experiment, Progress
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common
from pages.shell.views.waiting import result

_FORMULAS = {
    "term_mean": r"\mathrm{E}\,[q_i k_i]",
    "term_variance": r"\mathrm{Var}\,[q_i k_i]",
    "term_covariance": r"\mathrm{Cov}\,[q_i k_i,\ q_{i+1} k_{i+1}]",
    "sum_mean": r"\mathrm{E}\,\sum_i q_i k_i",
    "sum_variance": r"\mathrm{Var}\,\sum_i q_i k_i",
    "scaled_variance": r"\mathrm{Var}\,\big[\sum_i q_i k_i / \sqrt{d_k}\big]",
}
_KEYS = 16
# The most drawn terms: they take half a second.
_MOST = 2**24


def measured(lab: Laboratory) -> Experiment[tuple[pd.DataFrame, Tensor, float]]:
    """Each measured line, the scores, and the sum of the weights of a row of such scores."""
    d, samples = int(lab.d), _samples(lab)

    def made(progress: Progress) -> tuple[pd.DataFrame, Tensor, float]:
        seed = lab.lab_seed
        found = score_terms(lab.pairs, d, samples, generator=common.generator(seed), progress=progress)
        row = softmax_row(lab.pairs, [d], _KEYS, generator=common.generator(seed), scales=("none",))
        return *found, float(row["weight"].sum())

    return Experiment(("score_terms", lab.pairs, d, samples, lab.lab_seed), made)


def _samples(lab: Laboratory) -> int:
    return min(int(lab.samples), _MOST // int(lab.d))


@named("scaling.derivation")
def told(screen: Screen) -> Iterator[Block]:
    """The derivation as a table."""
    lab = screen.own(Laboratory)
    table, _, _ = result(measured(lab))
    yield blocks.text(f"**{say('derivation.title')}**")
    yield blocks.text(say("derivation.lead", d=int(lab.d), samples=f"{_samples(lab):,}"))
    header = [say(f"derivation.column.{name}") for name in ("line", "why", "theory", "measured")]
    yield blocks.table(*header, rows=map(_line, table.itertuples()))


def _line(found: pd.Series) -> list[str]:
    measured = "–" if math.isnan(found.measured) else f"{digits(found.measured)} ± {digits(2 * found.error, 2)}"
    return [f"${_FORMULAS[found.line]}$", say(f"derivation.why.{found.line}"), digits(found.theory), measured]


@named("scaling.not_the_reason")
def not_the_reason(screen: Screen) -> Iterator[Block]:
    """Overflow, and weights that would not sum to one: measured on the same scores, and on a row of softmax."""
    lab = screen.own(Laboratory)
    _, scores, total = result(measured(lab))
    largest = scores.abs().max()
    numbers = {
        "d": lab.d,
        "samples": f"{len(scores):,}",
        "std": digits(scores.std().item()),
        "largest": digits(largest.item()),
        "power": digits(largest.exp().item()),
        "limit": digits(torch.finfo(torch.float32).max),
        "sum": digits(total),
    }
    yield blocks.text(f"**{say('derivation.not.title')}**")
    yield blocks.text(say("derivation.not.overflow", **numbers))
    yield blocks.text(say("derivation.not.sums", keys=_KEYS, **{name: numbers[name] for name in ("d", "sum")}))
