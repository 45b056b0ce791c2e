"""Many keep-masks drawn for the screen, and their statistics."""

from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd
import torch

from attention.experiments import dropout_draws
from attention.inputs.learned import Setting
from pages.shell.runs import learned
from pages.shell.runs.results import Progress, results
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Dropout
from pages.shell.views.registry import NotYetError

# Weights whose draws take some 40 milliseconds.
_QUICK = 500_000


@dataclass(frozen=True)
class Statistics:
    """The statistics of many draws: their means, and a table row for each row of weights, without the single sums."""

    draws: dropout_draws.Draws
    rows: pd.DataFrame


@dataclass(frozen=True)
class Experiment:
    """The chosen number of draws, in training, whatever the mode of the screen. layer: the trained layer, None for
    other presets; weights: the number of weights that are drawn in all draws."""

    config: Config
    layer: Setting | None
    draws: int
    weights: int

    @classmethod
    def of(cls, run: Run, draws: int) -> "Experiment":
        config = replace(run.config, mode="training", draw=0)
        return cls(config, learned.used(config), draws, draws * run.matrix("weights").numel())

    @property
    def is_quick(self) -> bool:
        """Whether an answer may compute it; a larger one is a task of the page."""
        return self.weights <= _QUICK

    def made(self, progress: Progress | None = None) -> Statistics:
        run = compute(self.config)
        with torch.inference_mode():
            drawn = dropout_draws.draw(
                run.trace,
                self.draws,
                p=self.config.dropout,
                generator=torch.Generator().manual_seed(self.config.seed),
                **run.where,
                progress=progress,
            )
        return Statistics(replace(drawn, sums=drawn.sums[:0].clone()), dropout_draws.row_sums(drawn))


def statistics(screen: Screen) -> Statistics:
    """The statistics of a screen's draws. NotYetError: they take long and are not computed yet."""
    asked = Experiment.of(screen.run, int(screen.own(Dropout).draws))
    if asked.is_quick:
        return _at_once(asked)
    found: Statistics | None = results("tables").get(asked)
    if found is None:
        raise NotYetError
    return found


@lru_cache(maxsize=32)
def _at_once(asked: Experiment) -> Statistics:
    return asked.made()
