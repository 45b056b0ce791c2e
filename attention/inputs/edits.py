"""Numbers typed by hand into any of the input matrices of attention."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs

MATRICES = ("x", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")


class Typed(NamedTuple):
    """A number and its place: the matrix by its id, the block of it, row and column, all from 0.

    A block of x is a sentence, one of w_q and b_q a head, one of w_k, w_v and their biases a
    key head; w_o and b_o are one block each. A bias
    is a row.
    """

    matrix: str
    block: int
    row: int
    column: int
    value: float


def matrices(ready: Prepared) -> dict[str, Tensor]:
    """The existing MATRICES as views (blocks, rows, columns): writing into a view changes `ready`."""
    module = ready.module
    found = {"x": ready.inputs.x}
    for name, values in module.named_parameters():
        if name not in MATRICES:
            continue
        blocks = 1 if name.endswith("o") else module.kv_heads if name[-1] in "kv" else module.heads
        found[name] = values.detach().reshape(-1, values.shape[-1]).unflatten(-1, (blocks, -1)).transpose(0, 1)
    return {name: found[name] for name in MATRICES if name in found}


def typed_over(ready: Prepared, typed: Sequence[Typed]) -> tuple[Prepared, tuple[Typed, ...]]:
    """A copy with these numbers in their places, and the numbers whose place does not exist.

    The original is not changed; unchanged parameters are shared with it.
    """
    held = matrices(ready)
    at_home = [one for one in typed if one.matrix in held and _inside(one, held[one.matrix].shape)]
    if not at_home:
        return ready, tuple(typed)
    shared = {id(p): p for name, p in ready.module.named_parameters() if all(one.matrix != name for one in at_home)}
    inputs = Inputs(ready.inputs.tokens, ready.inputs.lengths, ready.inputs.x.clone())
    changed = replace(ready, inputs=inputs, module=copy.deepcopy(ready.module, shared))
    for name, into in matrices(changed).items():
        mine = [one for one in at_home if one.matrix == name]
        if mine:
            _, blocks, rows, columns, values = zip(*mine, strict=True)
            into[blocks, rows, columns] = torch.tensor(values, dtype=into.dtype, device=into.device)
    return changed, tuple(one for one in typed if one not in at_home)


def _inside(one: Typed, shape: Sequence[int]) -> bool:
    return all(0 <= place < size for place, size in zip((one.block, one.row, one.column), shape, strict=True))
