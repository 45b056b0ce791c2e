"""Training by Adam of any model with word vectors and a layer, one step at a time."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import torch
from torch import Generator, Tensor

from attention.experiments.optimizers import OPTIMISERS
from attention.inputs.learned import Setting
from attention.modules import MultiHeadAttention


class Learnable(Protocol):
    """A trainable model: word vectors, a layer, and a read-out of its output."""

    @property
    def words(self) -> Tensor: ...
    @property
    def module(self) -> MultiHeadAttention: ...
    def tensors(self) -> list[Tensor]: ...


L = TypeVar("L", bound=Learnable)


class Learner(Generic[L]):
    """Draws a model with the seed of its setting, and updates it by the gradients of a loss on drawn batches.

    It also works in inference mode, and leaves no global mode switched between two calls.
    """

    def __init__(
        self,
        setting: Setting,
        draw: Callable[[Setting, Generator], L],
        loss: Callable[[L, Setting, Generator], Tensor],
        rate: float,
    ) -> None:
        self.setting, self.loss, self.generator = setting, loss, Generator().manual_seed(setting.seed)
        with torch.inference_mode(False), torch.no_grad():
            self.learned = draw(setting, self.generator)
            self.weights = [weight.requires_grad_(True) for weight in self.learned.tensors()]
            # The rows of a matrix are the terms of its sums; word vectors are not summed, and biases are one term.
            alone = {id(self.learned.words)} | {id(weight) for weight in self.weights if weight.ndim == 1}
            self.start = [rate * (1 if id(w) in alone else 16 / len(w)) for w in self.weights]
            self.rates = list(self.start)
            self.update = OPTIMISERS["adam"](self.weights, self.rates)
        self.gradients: tuple[Tensor, ...] = ()

    def look(self) -> float:
        """The loss (nats) on the next batch, whose gradients the next update takes."""
        with torch.inference_mode(False), torch.enable_grad():
            loss = self.loss(self.learned, self.setting, self.generator)
            self.gradients = torch.autograd.grad(loss, self.weights)
        return loss.item()

    def learn(self, step: int) -> None:
        """One update. The rate rises for a tenth of the steps, and falls to 0 over the second half."""
        steps = self.setting.steps
        now = min(1.0, 10 * (step + 1) / steps, 2 * (1 - step / steps))
        self.rates[:] = [now * rate for rate in self.start]
        with torch.inference_mode(False), torch.no_grad():
            self.update(self.gradients)

    def finished(self) -> L:
        """The trained model, frozen."""
        for weight in self.weights:
            weight.requires_grad_(False)
        self.learned.module.eval()
        return self.learned
