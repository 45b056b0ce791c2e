"""The words that a number of the output comes from: five attribution methods, which need not agree.

Weights alone are no explanation (Jain and Wallace 2019); weights times the norm of the value vectors say more
(Kobayashi et al. 2020). Integrated gradients add up to f(X) - f(0) (Sundararajan et al. 2017, proposition 1).
"""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from attention import checks
from attention.analysis.backward.graph import Graph, graph, of_module
from attention.modules import MultiHeadAttention
from attention.trace import Trace

METHODS = ("weight", "weight_norm", "gradient_input", "integrated", "deletion")
# The most numbers of inputs and weights in runs that are made at once. A run keeps every step of its layer until it is
# differentiated: 64 runs took 0.5 GB with 64 tokens and 16 heads, and no less time than four at once.
_AT_ONCE = 400_000


@dataclass(frozen=True)
class Attribution:
    """The share of each key in one number f, (methods, keys) in the order of METHODS.

    number: f(X); change: f(X) - f(0), the sum of the integrated gradients up to the error of their finite steps.
    operands: for each method, the tensors (keys, terms) behind its values: the weights of the heads, for their mean;
    the contributions of the heads, for their norm; gradients and inputs, for the sum of their products, twice; f, and f
    without the key.
    """

    number: float
    change: float
    values: Tensor
    operands: tuple[tuple[Tensor, ...], ...] = ()

    def of(self, method: str) -> Tensor:
        return self.values[METHODS.index(method)]

    @property
    def gap(self) -> float:
        """The difference between the sum of the integrated gradients and f(X) - f(0)."""
        return abs(float(self.of("integrated").sum()) - self.change)

    @property
    def ranks(self) -> Tensor:
        """The ranks of the keys by the sizes of their values, for each method, from 0, (methods, keys), float64."""
        sizes = self.values.abs().double()
        # Equal sizes share the mean of their ranks.
        below = (sizes[:, None, :] < sizes[:, :, None]).sum(-1)
        return below + ((sizes[:, None, :] == sizes[:, :, None]).sum(-1) - 1).double() / 2

    @property
    def agreement(self) -> Tensor:
        """Spearman's rank correlation of the sizes that two methods give the keys, (methods, methods)."""
        centred = self.ranks - self.ranks.mean(-1, keepdim=True)
        # Ranks that are all the same have no correlation.
        found: Tensor = F.normalize(centred, dim=-1) @ F.normalize(centred, dim=-1).mT
        return found


def attribute(
    trace: Trace, module: MultiHeadAttention, query: int, direction: Tensor, *, batch: int = 0, steps: int = 32
) -> Attribution:
    """Attribute f = Y_i . r to the keys of a record: one sentence, all heads.

    query: i, from 0; direction: r (d_out,); steps: of the integral from the input 0, by the midpoint rule. The share of
    the query's own token counts for this token as a key. weight: the mean over the heads; weight_norm: the norm of what
    a key adds to Y_i; gradient_input: dX . X; deletion: f minus f with the key hidden from all queries.
    ValueError: no such query, a direction of another size, steps below 1.
    """
    checks.positive(steps=steps)
    y = trace["projected"].of(batch=batch)
    if not 0 <= query < len(y) or direction.shape != y.shape[1:]:
        raise ValueError(
            f"query {query} and a direction of shape {tuple(direction.shape)}: there are {len(y)} queries,"
            f" and the output has {y.shape[1]} features"
        )
    one = _Sentence(trace, module, query, direction.to(y), batch)
    number, grad = one.gradients(torch.ones(1).to(y))
    shares = (torch.arange(steps).to(y) + 0.5) / steps
    _, along = one.gradients(shares)
    weights, brought, without = one.weights().mT, one.brought(), one.without()
    (of_x, inputs), (of_x_along, _) = one.of_keys(*grad), one.of_keys(*along)
    whole = (y[query] @ direction.to(y)).expand_as(without)
    values = torch.stack(
        [
            weights.mean(-1),
            brought.norm(dim=-1),
            (of_x * inputs).sum(-1),
            (of_x_along * inputs).sum(-1),
            whole - without,
        ]
    )
    nothing, _ = one.gradients(torch.zeros(1).to(y))
    made_from = (weights,), (brought,), (of_x, inputs), (of_x_along, inputs), (whole[:, None], without[:, None])
    operands = tuple(tuple(each.cpu() for each in one_method) for one_method in made_from)
    return Attribution(number, number - nothing, values.cpu(), operands)


class _Sentence:
    """One sentence of a record, for many runs at once with other inputs or masks."""

    def __init__(self, trace: Trace, module: MultiHeadAttention, query: int, direction: Tensor, batch: int) -> None:
        self.trace, self.module, self.query, self.direction, self.batch = trace, module, query, direction, batch
        self.x = trace["x"].of(batch=batch)[None]
        self.context = trace["context"].of(batch=batch)[None] if "context" in trace else None
        self.mask = self._sliced("mask")
        self.kept = self._sliced("kept")

    @property
    def at_once(self) -> int:
        """The number of runs that are made at once."""
        return max(1, _AT_ONCE // (self.x.numel() + self.trace["weights"].value[self.batch].numel()))

    def _sliced(self, id: str) -> Tensor | None:
        return self.trace[id].value[self.batch : self.batch + 1] if id in self.trace else None

    def run(self, x: Tensor, context: Tensor | None, mask: Tensor | None) -> Graph:
        module = _with_dropout(self.module, self.trace)
        kept = None if self.kept is None else self.kept.expand(len(x), -1, -1, -1)
        scale = float(self.trace["scale"].value) if "scale" in self.trace else None
        return graph(module, x, context, mask=mask, scale=scale, kept=kept, **of_module(self.trace))

    def number(self, run: Graph) -> Tensor:
        """f of each run (runs,), with its graph."""
        return run.live("projected")[:, self.query] @ self.direction

    def gradients(self, shares: Tensor) -> tuple[float, tuple[Tensor, Tensor | None]]:
        """f at the mean of the inputs times these shares, and the mean gradients by x and by the context."""
        number, x = 0.0, torch.zeros_like(self.x[0])
        context = None if self.context is None else torch.zeros_like(self.context[0])
        for some in shares[:, None, None].split(self.at_once):
            run = self.run(some * self.x, None if self.context is None else some * self.context, self.mask)
            with torch.inference_mode(False), torch.enable_grad():
                found = self.number(run)
                gradients = run.differentiate(found.sum())
            number += found.sum().item() / len(shares)
            x = x + gradients["x"].sum(0) / len(shares)
            context = None if context is None else context + gradients["context"].sum(0) / len(shares)
        return number, (x, context)

    def of_keys(self, x: Tensor, context: Tensor | None) -> tuple[Tensor, Tensor]:
        """Gradients and inputs by key (keys, features). A query counts for the key at the same distance from the end,
        and its features come before those of the context."""
        own = x, self.x[0]
        if context is None or self.context is None:
            return own
        whole = context, self.context[0]
        lack = len(whole[0]) - len(own[0])
        if lack < 0:
            # More queries than keys are of another text, and count for no key.
            return whole
        gradients, inputs = (
            torch.cat((F.pad(of_queries, (0, 0, lack, 0)), of_keys), -1)
            for of_queries, of_keys in zip(own, whole, strict=True)
        )
        return gradients, inputs

    def weights(self) -> Tensor:
        """The weights of the query after dropout (heads, keys)."""
        step = self.trace["dropped" if "dropped" in self.trace else "weights"]
        of_heads: Tensor = step.value[self.batch, :, self.query]
        return of_heads

    def brought(self) -> Tensor:
        """The contribution of each key to the output of the query (keys, d_out)."""
        weights = self.weights()
        values = self.trace["values"].value[self.batch]
        values = values.repeat_interleave(len(weights) // len(values), 0)
        blocks: Tensor = self.trace["w_o"].value.unflatten(0, (len(weights), -1))
        return (weights[:, :, None] * (values @ blocks)).sum(0)

    def without(self) -> Tensor:
        """f without a key, for each key."""
        keys = self.trace.sizes["key"]
        seen = ~torch.eye(keys, dtype=torch.bool, device=self.x.device)[:, None, None]
        mask: Tensor
        if self.mask is None:
            mask = seen
        elif self.mask.dtype == torch.bool:
            mask = self.mask & seen
        else:
            mask = self.mask.masked_fill(~seen, -torch.inf)
        found = []
        for some in mask.split(self.at_once):
            x = self.x.expand(len(some), -1, -1)
            context = None if self.context is None else self.context.expand(len(some), -1, -1)
            found.append(self.number(self.run(x, context, some)).detach())
        return torch.cat(found)


def _with_dropout(module: MultiHeadAttention, trace: Trace) -> MultiHeadAttention:
    twin = copy.copy(module)
    twin.training = "kept" in trace
    twin.dropout = float(trace["dropout"].value) if "kept" in trace else 0.0
    return twin
