"""Facts about animals, told to a state under both rules, one after the other; the sentence of the app by its matrix."""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from attention import state
from attention.trace import Trace
from pages.shell.runs import decoding
from pages.shell.state.todays_controls import State

# Who, and like what: the first of them is told of a second time at the end.
FACTS = (("fox", "old"), ("hen", "shy"), ("owl", "wise"), ("fox", "red"))
WHO = tuple(dict.fromkeys(who for who, _ in FACTS))
LIKE = tuple(like for _, like in FACTS)
# Which features of a key fade: that of the first animal, else all of them.
ONE = "one"


@dataclass(frozen=True)
class Told:
    """The record of each fact by each rule of `state.RULES`."""

    steps: dict[str, tuple[Trace, ...]]


def told(asked: State) -> Told:
    return _told(asked.state_beta, asked.state_alpha, asked.state_fades)


def whole(asked: State) -> Trace:
    """The sentence under its layer: the queries, keys and values of the head that is shown, read from a state."""
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
            # After each fact the first animal is asked about.
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
