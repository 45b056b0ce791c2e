"""The preset `learned`: the scores of the layer on screen, remembered."""

import copy
from dataclasses import dataclass, replace
from functools import cache

import torch

from attention.experiments import learning
from attention.experiments.learning import Scores
from attention.inputs.learned import Setting
from attention.modules import MultiHeadAttention
from pages.shell.runs import learned
from pages.shell.runs.memo import Memo
from pages.shell.state.config import Config


@dataclass(frozen=True)
class Tested:
    """Scores on the test sentences of the layer on screen, under its mask, scale, positions and dropout."""

    setting: Setting
    scores: Scores


def tested(config: Config, module: MultiHeadAttention) -> Tested | None:
    """Scores of a screen, remembered; None for another preset. module: the layer of the screen, with its edits."""
    setting = learned.used(config)
    if setting is None:
        return None
    under = replace(setting, **learned.conditions(config))  # type: ignore[arg-type]
    training = config.mode == "training" and config.dropout > 0
    off_here = learned.off(config, module.heads)
    if not training:
        # Nothing is dropped outside of training, so p makes no difference to the key.
        under = replace(under, dropout=0.0)
    key = (setting, under, training, config.seed if training else 0, off_here, config.edited)

    def measured() -> Scores:
        measured_on = replace(learned.layer(setting), module=copy.deepcopy(module).cpu())
        generator = torch.Generator().manual_seed(config.seed)
        with torch.inference_mode():
            return learning.measure(measured_on, under, training=training, generator=generator)

    return Tested(setting, _scored().get(key, measured, _weigh))


def attended(config: Config, module: MultiHeadAttention) -> Scores | None:
    """Scores of a screen without dropout, which acts after each head has chosen its keys. A moving slider of p
    therefore has nothing measured again. None for another preset."""
    found = tested(replace(config, mode="inference"), module)
    return found.scores if found else None


@cache
def _scored() -> Memo:
    return Memo(256)


def _weigh(_: Scores) -> int:
    return 1
