"""One row: one query and a key for each word, whose scores grow product by product."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from attention.experiments.dot_products import Pairs
from attention.experiments.softmax_row import row_scores, softmax_row
from attention.inputs.grammar import EXAMPLE
from pages.shell.runs.results import Experiment
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common

# Names of the row's keys; the keys are drawn, and the names mean nothing.
WORDS = EXAMPLE.split()
SCALES = ("none", "sqrt_d_k")


def drawn(lab: Laboratory) -> Experiment[pd.DataFrame]:
    """The scores and the weights of the row at each d_k."""
    return Experiment(
        ("softmax_row", lab.pairs, lab.lab_seed),
        lambda progress: softmax_row(
            lab.pairs, common.D_KS, len(WORDS), generator=common.generator(lab.lab_seed), scales=SCALES
        ),
    )


def walks(lab: Laboratory) -> np.ndarray:
    """(products, words): the same scores after each product, from 0 products to the end of the axes."""
    return _walks(independent(lab), lab.lab_seed)[: common.reach(lab) + 1]


def independent(lab: Laboratory) -> Pairs:
    """The entries of the row without correlation: at most one of its keys could be correlated with the query."""
    return replace(lab.pairs, correlation=0.0)


@lru_cache(maxsize=64)
def _walks(pairs: Pairs, seed: int) -> np.ndarray:
    after = row_scores(pairs, range(1, common.D_KS[-1] + 1), len(WORDS), generator=common.generator(seed))
    return np.concatenate([np.zeros((1, len(WORDS))), after.cpu().double().numpy()])


def first(lab: Laboratory) -> int:
    """The word of the texts: the one with the largest score, and so the largest weight, at the chosen d_k."""
    return int(walks(lab)[int(lab.d)].argmax())


def ends(lab: Laboratory) -> tuple[float, float]:
    """The ends of an axis of scores: it holds all that the slider can show, and the usual spread."""
    last, pairs = common.reach(lab), independent(lab)
    usual = abs(pairs.mean(last)) + pairs.variance(last) ** 0.5
    widest = 1.05 * max(float(np.abs(walks(lab)).max()), usual)
    return -widest, widest
