"""The race: one head learns to fetch a symbol by its address, under different scales of the scores.

The task was chosen because it separates the scales: only attention can solve it, and it has to become sharp. 16 slots
hold 16 symbols; slot j shows x_j = (position_j + symbol of its content) / sqrt(2), the query is one of the positions,
and the answer is the symbol in that slot. The embeddings are fixed, N(0, 1), 64 features each.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from attention import checks
from attention.experiments.optimizers import OPTIMISERS
from attention.modules import MultiHeadAttention
from attention.scales import BY_D_K, factor

SLOTS, SYMBOLS, D_MODEL = 16, 16, 64
BATCH, TEST, EVERY = 64, 512, 5


@dataclass(frozen=True)
class Task:
    """positions (SLOTS, D_MODEL) and symbols (SYMBOLS, D_MODEL): the embeddings."""

    positions: Tensor
    symbols: Tensor

    def batch(self, size: int, generator: Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Queries (size, 1, D_MODEL), context (size, SLOTS, D_MODEL) and answers (size,), all contents drawn first."""
        contents = torch.randint(SYMBOLS, (size, SLOTS), generator=generator)
        asked = torch.randint(SLOTS, (size,), generator=generator)
        context = (self.positions + self.symbols[contents]) / math.sqrt(2)
        return self.positions[asked, None], context, contents[torch.arange(size), asked]


@dataclass(frozen=True)
class Race:
    """One run of the race. lr: 1.0 suits sgd, 0.001 adam; the seed determines embeddings, weights and batches.

    small_weights multiplies W_Q and W_K by d_k^(-1/4) at the start, small_step divides their lr by sqrt(d_k). Both
    together, with scale none and sgd, are scaling by 1/sqrt(d_k): the same losses.
    ValueError: a choice that is not one of BY_D_K or OPTIMISERS, d_k or steps below 1, an lr that is not above 0.
    """

    scale: str = "sqrt_d_k"
    d_k: int = 256
    seed: int = 0
    steps: int = 100
    optimiser: str = "sgd"
    lr: float = 1.0
    small_weights: bool = False
    small_step: bool = False

    def __post_init__(self) -> None:
        checks.choice("scale", self.scale, BY_D_K)
        checks.choice("optimiser", self.optimiser, OPTIMISERS)
        checks.positive(d_k=self.d_k, steps=self.steps)
        checks.above_zero("lr", self.lr)


@dataclass(frozen=True)
class State:
    """After `step` updates: the loss (cross-entropy, in nats) on the next batch; the accuracy, if it is measured."""

    step: int
    loss: float
    accuracy: float | None


def start(seed: int, d_k: int) -> tuple[Task, MultiHeadAttention]:
    """The task and the untrained head of a seed: one generator draws positions, symbols, W_Q, W_K, W_V and W_O."""
    generator = _seeded(seed)
    positions, symbols = (torch.randn(n, D_MODEL, generator=generator) for n in (SLOTS, SYMBOLS))
    model = MultiHeadAttention(D_MODEL, d_k=d_k, d_v=D_MODEL, d_out=SYMBOLS, generator=generator)
    return Task(positions, symbols), model


def batches(seed: int) -> Generator:
    """The generator of the training batches of a seed."""
    return _seeded(10_000 + seed)


def train(race: Race) -> Iterator[State]:
    """Yield the state before each update and after the last: steps + 1 of them, so that a page can draw or stop.

    Training is on the CPU. The accuracy is that on TEST examples, every EVERY steps and at the end. Several runs may be
    advanced by turns (`zip(*map(train, races))`), in inference mode, too: no global mode stays switched between two
    states.
    """
    learner = _Learner(race)
    for step in range(race.steps + 1):
        measured = step % EVERY == 0 or step == race.steps
        yield State(step, learner.look(), learner.accuracy() if measured else None)
        learner.learn()


def curves(states: Mapping[Race, Iterable[State]]) -> pd.DataFrame:
    """A row for each state of each run, with the fields of both as columns; accuracy is NaN where it was not measured.

    `curves({race: train(race) for race in races})` trains them to the end.
    """
    runs = {race: list(run) for race, run in states.items()}
    settings = pd.DataFrame([asdict(race) for race in runs])
    table = settings.loc[settings.index.repeat([len(run) for run in runs.values()])].reset_index(drop=True)
    every = [state for run in runs.values() for state in run]
    table["step"] = [state.step for state in every]
    table["loss"] = [state.loss for state in every]
    return table.assign(accuracy=np.array([state.accuracy for state in every], dtype=float))


class _Learner:
    def __init__(self, race: Race) -> None:
        self.scale, self.batches = factor(race.scale, race.d_k), batches(race.seed)
        self.gradients: tuple[Tensor, ...] = ()
        with torch.inference_mode(False), torch.no_grad():
            self.task, self.model = start(race.seed, race.d_k)
            self.test = self.task.batch(TEST, _seeded(99))
            if race.small_weights:
                self.model.w_q.mul_(race.d_k**-0.25)
                self.model.w_k.mul_(race.d_k**-0.25)
            small = race.lr / math.sqrt(race.d_k) if race.small_step else race.lr
            rates = {"w_q": small, "w_k": small, "w_v": race.lr, "w_o": race.lr}
            self.weights = [self.model.get_parameter(name) for name in rates]
            self.update = OPTIMISERS[race.optimiser](self.weights, list(rates.values()))

    def look(self) -> float:
        with torch.inference_mode(False), torch.enable_grad():
            queries, context, answers = self.task.batch(BATCH, self.batches)
            loss = F.cross_entropy(self.model(queries, context, scale=self.scale)[:, 0], answers)
            self.gradients = torch.autograd.grad(loss, self.weights)
        return loss.item()

    def accuracy(self) -> float:
        queries, context, answers = self.test
        with torch.no_grad():
            right = self.model(queries, context, scale=self.scale)[:, 0].argmax(-1) == answers
        return float(right.sum()) / TEST

    def learn(self) -> None:
        with torch.inference_mode(False), torch.no_grad():
            self.update(self.gradients)


def _seeded(seed: int) -> Generator:
    return Generator().manual_seed(seed)
