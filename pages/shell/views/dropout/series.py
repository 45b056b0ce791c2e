"""The successive draws of a screen: a query's weights in each, and which of its answers are right then."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from attention.experiments import dropout_draws
from attention.inputs.learned import Setting
from pages.shell.runs import learned
from pages.shell.runs.backward import right_answers
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import SEEDS, Config

# The number of successive draws; fewer for a large run, because all its draws are made at once.
_DRAWS, _FEWEST, _WEIGHTS = 60, 5, 2_500_000


def series(run: Run, query: int) -> np.ndarray:
    """A query's weights in the draws around that of the screen: (draws, heads, keys); none in inference."""
    # p = 0 has draws too, all alike, so that nothing else changes when a slider passes 0.
    if run.config.mode != "training":
        return np.zeros((0, run.module.heads, run.trace.sizes["key"]), dtype=np.float32)
    return _of(run, query).taken


def rights(run: Run, query: int) -> dict[int, np.ndarray]:
    """Whether a query's questions are answered right in each draw, by question; only those that the layer was trained
    on."""
    setting = learned.used(run.config)
    if setting is None or run.config.mode != "training":
        return {}
    known = right_answers(run)[run.sentence, query]
    outputs = torch.from_numpy(_of(run, query).outputs)
    projected = outputs @ run.trace["w_o"].value.cpu().float()
    if "b_o" in run.trace:
        projected = projected + run.trace["b_o"].value.cpu().float()
    found = (learned.layer(setting).logits(projected).argmax(-1) == known).numpy()
    return {int(question): found[:, question] for question in (known >= 0).nonzero().flatten()}


class _Draws(NamedTuple):
    """The weights `taken` (draws, heads, keys) and the `outputs` (draws, heads * d_v) of a query."""

    taken: np.ndarray
    outputs: np.ndarray


def _of(run: Run, query: int) -> _Draws:
    count = min(_DRAWS, max(_FEWEST, _WEIGHTS // run.trace["weights"].value.numel()))
    first = run.config.draw // count * count
    # Another draw or another head of the screen uses the same draws.
    return _drawn(replace(run.config, draw=0, head=1), learned.used(run.config), query, first, count)


# layer: the trained layer, None for other presets: it is part of the cache key, because it may be trained anew.
@lru_cache(maxsize=64)
def _drawn(config: Config, layer: Setting | None, query: int, first: int, count: int) -> _Draws:
    run = compute(config)
    draws = range(first, first + count)
    generators = (torch.Generator().manual_seed(config.seed + SEEDS * draw) for draw in draws)
    with torch.inference_mode():
        rows = dropout_draws.one_by_one(run.trace, query, generators, p=config.dropout, batch=run.sentence)
    return _Draws(rows.taken.float().numpy(), rows.outputs.float().flatten(1).numpy())
