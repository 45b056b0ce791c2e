"""Attention modules around the weights of trained layers."""

from collections.abc import Mapping
from copy import copy

from torch import Tensor, nn

from attention.modules import MultiHeadAttention


def filled(template: MultiHeadAttention, weights: Mapping[str, Tensor]) -> MultiHeadAttention:
    """A module with the sizes of another one and the given tensors as its parameters, which are not trained.

    A copy, since drawing unused initial weights takes longer than reading those of the file.
    """
    module = copy(template)
    module._parameters = dict(template._parameters)
    for name, tensor in weights.items():
        setattr(module, name, nn.Parameter(tensor, requires_grad=False))
    return module
