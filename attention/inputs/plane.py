"""Words as points in the plane: the input of the page on one query vector."""

import torch

from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs
from attention.modules import MultiHeadAttention

# Animals to the right, fruit to the upper left, vehicles below. `dog` is long: a query that points straight at `cat`
# still finds it first, because a dot product grows with the length of a token as well.
PLANE = {
    "cat": (2.0, 1.8),
    "dog": (3.4, 0.8),
    "apple": (-2.8, 0.9),
    "pear": (-1.6, 2.3),
    "car": (-0.8, -2.6),
    "bus": (1.2, -2.4),
}


def plane() -> Prepared:
    """Six words with D = 2, in float64; their weight matrices are identities, since nothing is projected yet."""
    x = torch.tensor(list(PLANE.values()), dtype=torch.float64)
    module = MultiHeadAttention(2, generator=torch.Generator()).double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.eye(2))
    return Prepared(Inputs((tuple(PLANE),), (len(PLANE),), x[None]), module, 0)
