"""Gradient descent on the grammar, one step at a time: w <- w - rate * dw, and nothing else."""

import copy
import math
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention import checks
from attention.experiments.learning import BATCH, batch_loss, training_sentences
from attention.inputs.learned import Learned, Setting


@dataclass(frozen=True)
class Taken:
    """After `step` steps from the drawn weights: the layer and, for each step (steps,), the loss of its batch, in nats,
    before and after the step, and the change that the gradient predicts: -rate * |dw|^2.

    previous: the layer before the last step; gradients: of that step, in the order of `Learned.tensors`; both None
    before the first.
    """

    setting: Setting
    rate: float
    learned: Learned
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()
    promised: tuple[float, ...] = ()
    previous: Learned | None = None
    gradients: tuple[Tensor, ...] | None = None

    @property
    def step(self) -> int:
        return len(self.before)

    @property
    def diverged(self) -> bool:
        return bool(self.after) and not math.isfinite(self.after[-1])


def start(setting: Setting, rate: float) -> Taken:
    """The weights as they are drawn. ValueError: a rate that is not above 0."""
    checks.above_zero("rate", rate)
    with torch.inference_mode(False), torch.no_grad():
        learned = Learned.drawn(setting, Generator().manual_seed(setting.seed))
        learned.module.requires_grad_(False).eval()
    return Taken(setting, rate, learned)


def descend(taken: Taken, steps: int = 1) -> Taken:
    """Take more steps, each on a batch of BATCH sentences that the number of the step determines, on the CPU.

    ValueError: steps below 1.
    """
    checks.positive(steps=steps)
    before, after, promised = list(taken.before), list(taken.after), list(taken.promised)
    previous, learned, gradients = taken.learned, taken.learned, taken.gradients
    for _ in range(steps):
        number = len(before)
        previous, learned = learned, _copied(learned)
        weights = learned.tensors()
        with torch.inference_mode(False), torch.enable_grad():
            for weight in weights:
                weight.requires_grad_(True)
            loss = _loss(learned, taken.setting, number)
            gradients = torch.autograd.grad(loss, weights)
        with torch.inference_mode(False), torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                weight.requires_grad_(False)
                weight -= taken.rate * gradient
            before.append(loss.item())
            after.append(_loss(learned, taken.setting, number).item())
            promised.append(-taken.rate * sum(float(gradient.square().sum()) for gradient in gradients))
    learned.module.eval()
    return Taken(taken.setting, taken.rate, learned, tuple(before), tuple(after), tuple(promised), previous, gradients)


def _loss(learned: Learned, setting: Setting, number: int) -> Tensor:
    """The loss of the batch of a step, with the same dropout on every call."""
    generator = Generator().manual_seed(1_000_003 * (setting.seed + 1) + number)
    every = training_sentences()
    pool = every[int(torch.randint(len(every), (1,), generator=generator))]
    rows = torch.randint(len(pool.ids), (BATCH,), generator=generator)
    learned.module.train()
    return batch_loss(learned, setting, pool, rows, generator)


def _copied(learned: Learned) -> Learned:
    with torch.inference_mode(False), torch.no_grad():
        words, read_out = learned.words.detach().clone(), learned.read_out.detach().clone()
        return Learned(learned.setting, words, copy.deepcopy(learned.module), read_out)
