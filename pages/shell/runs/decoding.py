"""The app's sentence under a causal mask: in one pass, and token by token with a cache."""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from attention.cache import Cache
from attention.trace import Trace
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config

_SCREEN = Config(mask="causal")


@dataclass(frozen=True)
class Stepped:
    """traces: the record of each token by itself, with what its cache held; outputs: (n, d_out), of all tokens."""

    traces: tuple[Trace, ...]
    outputs: Tensor


def whole() -> Run:
    """All words at once."""
    return compute(_SCREEN)


@cache
def stepped() -> Stepped:
    run, past = whole(), Cache()
    traces, outputs = [], []
    with torch.inference_mode():
        for at in range(len(run.tokens)):
            traces.append(Trace())
            outputs.append(run.module(run.inputs.x[:, at : at + 1], past=past, trace=traces[-1]))
    return Stepped(tuple(traces), torch.cat(outputs, 1)[0])
