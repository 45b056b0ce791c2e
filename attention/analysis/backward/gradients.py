"""The gradient of a weighted sum of the output with respect to every step of the forward pass."""

from collections.abc import Mapping
from typing import Any

from torch import Generator, Tensor

from attention import tensor_checks
from attention.analysis.backward.by_hand import row
from attention.analysis.backward.graph import Graph, graph, last
from attention.modules import MultiHeadAttention
from attention.trace import Trace


def gradients(
    module: MultiHeadAttention,
    x: Tensor,
    context: Tensor | None = None,
    *,
    mask: Tensor | None = None,
    scale: float | None = None,
    upstream: Tensor,
    generator: Generator | None = None,
    **others: Any,
) -> Trace:
    """The gradients of sum(output * upstream) by the ids of the forward pass, each of the shape of its step.

    x, context, mask, scale, generator and others as in `MultiHeadAttention.forward`; upstream (..., L, d_out).
    Steps that have no gradient are left out: boolean masks, the scale and the probability of dropout. The gradient of a
    parameter is that of all sentences, added up. Neither arguments nor parameters are changed.
    ValueError: as `forward`; an upstream of another shape than the output.
    """
    run = graph(module, x, context, mask=mask, scale=scale, generator=generator, **others)
    output = run.live(last(run))
    tensor_checks.same_shape("upstream", upstream, "output", output)
    return rows(run, run.differentiate(output, upstream.to(output.dtype)))


def rows(run: Graph, found: Mapping[str, Tensor]) -> Trace:
    """Gradients as steps, with the rows that tell how each is computed."""
    made = like(run)
    for id, gradient in found.items():
        made.record(row(run, id, found), gradient)
    return made


def like(record: Trace) -> Trace:
    """An empty record with the sizes of another one, so that its steps know how many query heads share a key head."""
    empty = record.empty()
    empty.sizes = dict(record.sizes)
    return empty
