"""Facts about animals, written one by one into a state under both rules; and the app's sentence through a state."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from attention import state
from attention.trace import Trace
from pages.shell.runs import decoding
from pages.shell.state.todays_controls import State

# Animal and property; the last fact contradicts the first.
FACTS = (("fox", "old"), ("hen", "shy"), ("owl", "wise"), ("fox", "red"))
WHO = tuple(dict.fromkeys(who for who, _ in FACTS))
LIKE = tuple(like for _, like in FACTS)
# With this setting only the feature of the first animal fades; otherwise all features do.
ONE = "one"


@dataclass(frozen=True)
class Told:
    """The record of each fact by each rule of `state.RULES`."""

    steps: dict[str, tuple[Trace, ...]]


def told(asked: State) -> Told:
    return _told(asked.state_beta, asked.state_alpha, asked.state_fades)


def whole(asked: State) -> Trace:
    """The app's sentence read from a state, with the queries, keys and values of the shown head."""
    return _whole(asked.state_beta, asked.state_alpha)


@lru_cache(64)
def _told(beta: float, alpha: float, fades: str) -> Told:
    keys, values = torch.eye(len(WHO)), torch.eye(len(LIKE))
    decay = torch.full((1,), alpha)
    if fades == ONE:
        decay = torch.ones(1, len(WHO))
        decay[0, 0] = alpha
    made = {}
    for rule in state.RULES:
        traces, held = [], None
        for who, like in FACTS:
            key, value = keys[WHO.index(who)][None], values[LIKE.index(like)][None]
            traces.append(Trace())
            # The query after each fact is the key of the first animal.
            given = keys[:1], key, value, torch.full((1,), beta), decay
            _, held = state.step(*given, state=held, rule=rule, scale=1.0, trace=traces[-1])
        made[rule] = tuple(traces)
    return Told(made)


@lru_cache(16)
def _whole(beta: float, alpha: float) -> Trace:
    run, trace = decoding.whole(), Trace()
    q, k, v = (_of_sentence(run.matrix(id)) for id in ("queries", "keys", "values"))
    each = torch.ones(len(k))
    state.all_at_once(q, k, v, beta * each, alpha * each, trace=trace)
    return trace


def _of_sentence(matrix: Tensor) -> Tensor:
    return matrix.cpu().float()
