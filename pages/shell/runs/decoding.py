"""The app's sentence under a causal mask: in one pass, and token by token with a cache and without."""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from attention.cache import Cache
from attention.masks import grid
from attention.trace import Trace
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config

_SCREEN = Config(mask="causal")


@dataclass(frozen=True)
class Stepped:
    """traces: the record of each token, with its cache; outputs: (n, d_out), those of all tokens."""

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


@cache
def again() -> tuple[Trace, ...]:
    """Without a cache: the record of each step, which computes all words so far."""
    run, traces = whole(), []
    with torch.inference_mode():
        for words in range(1, len(run.tokens) + 1):
            traces.append(Trace())
            run.module(run.inputs.x[:, :words], mask=grid("causal", words, words), trace=traces[-1])
    return tuple(traces)


def keys_and_values(trace: Trace) -> tuple[Tensor, Tensor]:
    """The keys and values that the queries of a record meet, those in its cache included: (heads, words, d_k) and
    (heads, words, d_v)."""
    keys, values = (trace[f"{name}_joined" if f"{name}_joined" in trace else name] for name in ("keys", "values"))
    return keys.value[0], values.value[0]
