"""Gradient descent and Adam, as functions that change weights in place.

Not torch.optim: its first optimiser imports torch's compiler into the app, some 800 modules and three seconds.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import count

import torch
from torch import Tensor

Update = Callable[[Iterable[Tensor]], None]


def _sgd(weights: Sequence[Tensor], rates: Sequence[float]) -> Update:
    def update(gradients: Iterable[Tensor]) -> None:
        for weight, rate, gradient in zip(weights, rates, gradients, strict=True):
            weight.sub_(gradient, alpha=rate)

    return update


def _adam(weights: Sequence[Tensor], rates: Sequence[float]) -> Update:
    """Kingma and Ba 2015, algorithm 1, with its constants (0.9, 0.999, 1e-8)."""
    means, squares = ([torch.zeros_like(weight) for weight in weights] for _ in range(2))
    steps = count(1)

    def update(gradients: Iterable[Tensor]) -> None:
        t = next(steps)
        for weight, rate, gradient, m, v in zip(weights, rates, gradients, means, squares, strict=True):
            m.lerp_(gradient, 0.1)
            v.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
            root = (v / (1 - 0.999**t)).sqrt_().add_(1e-8)
            weight.addcdiv_(m, root, value=-rate / (1 - 0.9**t))

    return update


# Maps weights and their learning rates to an update, a function of their gradients.
OPTIMISERS: dict[str, Callable[[Sequence[Tensor], Sequence[float]], Update]] = {"sgd": _sgd, "adam": _adam}
