"""A record of a model's attention that changes nothing for the model, neither its weights nor its random numbers."""

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from attention.reading import Trace
from attention.trace import Quantity


class Observed(Trace):
    """A record whose keep-mask is the one that `torch.nn.functional.dropout` draws, from the generator of torch.

    dropout: the probability with which it draws. discarded: a generator for the implementation's own keep-mask, which
    is not used, so that the generator of torch advances as without a record.
    """

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.discarded = Generator()
        self._dropout = dropout
        self._attended: Tensor | None = None

    def record(self, quantity: Quantity, value: Tensor) -> Tensor:
        if quantity.id == "kept":
            value = F.dropout(torch.ones_like(self["weights"].value), self._dropout) != 0
        if quantity.id in ("weights", "dropped"):
            self._attended = value
        return super().record(quantity, value)

    def empty(self) -> Trace:
        """A plain record, because another run is not that of the model."""
        return Trace()

    def take(self) -> Tensor:
        """The weights behind the output, after dropout, with their graph, which this record then releases."""
        taken, self._attended = self._attended, None
        if taken is None:
            raise ValueError("no weights are recorded")
        return taken


def alike(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors in the dtype in which autocast computes products, if it is on, as torch's functions do."""
    device = tensors[0].device.type
    if not torch.is_autocast_enabled(device):
        return tensors
    return tuple(tensor.to(torch.get_autocast_dtype(device)) for tensor in tensors)
