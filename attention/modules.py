"""Multi-head attention (Vaswani et al. 2017, section 3.2.2): parameters and a call; the equation is in `functional`."""

import math
from typing import Any

import torch
from torch import Generator, Tensor, nn

from attention import checks, tensor_checks, torch_layers
from attention import notation as n
from attention.arguments import one_size
from attention.cache import Cache
from attention.functional import scaled_dot_product_attention
from attention.masks import Mask
from attention.operands import variants
from attention.trace import Quantity, Trace, recorder

GATES = ("features", "head")


class MultiHeadAttention(nn.Module):
    """Self-attention over x, or cross-attention from x to a context (Vaswani et al. 2017, section 3.2.2).
    d_model: features of x; heads: 1 by default; embed_dim, num_heads: torch's names for d_model and heads.
    d_k: features of a query and a key, per head (None: d_model // heads); d_v: features of a value, per head (None:
    d_k); kv_heads: heads of keys and values, each read by heads // kv_heads query heads (None: heads); d_context:
    features of the context (None: d_model); d_out: features of the output (None: d_model); bias: add b_q, b_k, b_v and
    b_o; dropout: p on the weights, in training mode only.
    qk_norm: normalise queries and keys, with gains g_q and g_k (d_k,) that are initialised to 1; sink: a logit per head
    (heads,) that joins its softmax, initialised to 0.
    gate: multiply the output of a head by the sigmoid of a projection of x; "features" has one number for each feature,
    "head" one for all features of a query, None no gate.
    generator: draws the parameters, N(0, 1/fan_in), which gives scaled scores of unit variance for x of unit variance.

    Parameters: w_q (d_model, heads * d_k), w_k (d_context, heads * d_k), w_v (d_context, heads * d_v),
    w_o (heads * d_v, d_out), and with a gate w_g (d_model, heads * d_v) or (d_model, heads), applied as x @ w; head h
    owns the h-th block of columns. b_q, b_k, b_v and b_o are None without bias.
    ValueError: a size below 1, heads that do not divide d_model while d_k is None, heads that are not a multiple of
    kv_heads, dropout outside [0, 1], an unknown gate.
    """

    w_q: nn.Parameter
    w_k: nn.Parameter
    w_v: nn.Parameter
    w_o: nn.Parameter
    b_q: nn.Parameter | None
    b_k: nn.Parameter | None
    b_v: nn.Parameter | None
    b_o: nn.Parameter | None
    g_q: nn.Parameter | None
    g_k: nn.Parameter | None
    sink: nn.Parameter | None
    w_g: nn.Parameter | None

    def __init__(
        self,
        d_model: int | None = None,
        heads: int | None = None,
        *,
        embed_dim: int | None = None,
        num_heads: int | None = None,
        kv_heads: int | None = None,
        d_k: int | None = None,
        d_v: int | None = None,
        d_context: int | None = None,
        d_out: int | None = None,
        bias: bool = False,
        qk_norm: bool = False,
        sink: bool = False,
        gate: str | None = None,
        dropout: float = 0.0,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        d_model = one_size("d_model", d_model, "embed_dim", embed_dim)
        heads = 1 if heads is None and num_heads is None else one_size("heads", heads, "num_heads", num_heads)
        checks.positive(d_model=d_model, heads=heads)
        checks.probability("dropout", dropout)
        checks.flags(bias=bias, qk_norm=qk_norm, sink=sink)
        checks.kinds(Generator, generator=generator)
        self.d_model, self.heads, self.dropout = d_model, heads, dropout
        self.kv_heads = heads if kv_heads is None else kv_heads
        checks.positive(kv_heads=self.kv_heads)
        if heads % self.kv_heads:
            raise ValueError(f"heads {heads} are no multiple of kv_heads {self.kv_heads}")
        self.d_k = _head_size(d_model, heads) if d_k is None else d_k
        self.d_v = self.d_k if d_v is None else d_v
        self.d_context = d_model if d_context is None else d_context
        self.d_out = d_model if d_out is None else d_out
        checks.positive(d_k=self.d_k, d_v=self.d_v, d_context=self.d_context, d_out=self.d_out)
        shapes = {
            "q": (self.d_model, heads * self.d_k),
            "k": (self.d_context, self.kv_heads * self.d_k),
            "v": (self.d_context, self.kv_heads * self.d_v),
            "o": (heads * self.d_v, self.d_out),
        }
        for letter, (rows, columns) in shapes.items():
            self.register_parameter(f"w_{letter}", _drawn((rows, columns), rows, generator))
        # Drawn after all weights, so that switching the bias on does not change them.
        for letter, (rows, columns) in shapes.items():
            self.register_parameter(f"b_{letter}", _drawn((columns,), rows, generator) if bias else None)
        for name in ("g_q", "g_k"):
            self.register_parameter(name, nn.Parameter(torch.ones(self.d_k)) if qk_norm else None)
        self.register_parameter("sink", nn.Parameter(torch.zeros(heads)) if sink else None)
        gates = None
        if gate is not None:
            checks.choice("gate", gate, GATES)
            gates = _drawn((d_model, heads * (self.d_v if gate == "features" else 1)), d_model, generator)
        self.gate = gate
        self.register_parameter("w_g", gates)

    @classmethod
    def from_torch(cls, layer: nn.MultiheadAttention) -> "MultiHeadAttention":
        """A layer with copies of the parameters of torch's, in its mode, dtype and device.

        Ours takes x (batch, n, d_model), as torch's does with `batch_first`. ValueError: a layer that adds a key of its
        own (`add_bias_kv`, `add_zero_attn`), or whose kdim is not its vdim.
        """
        chosen: dict[str, Any] = torch_layers.sizes(layer)
        given = torch_layers.parameters(layer)
        # Its own generator leaves torch's global one untouched; the drawn parameters are replaced below.
        made = cls(**chosen, generator=Generator()).to(given["w_q"])
        with torch.no_grad():
            for name, value in given.items():
                made.get_parameter(name).copy_(value)
        return made.train(layer.training)

    def to_torch(self) -> nn.MultiheadAttention:
        """A torch layer with copies of the parameters, in the same mode; it takes (batch, n, d_model).

        ValueError: the layer has a part that torch's lacks: d_k or d_v other than d_model / heads, d_out other than
        d_model, fewer kv_heads than heads, qk_norm, a sink, a gate.
        """
        size = self.d_model / self.heads
        lacks = {
            f"d_k {self.d_k} other than d_model / heads = {size:g}": self.d_k != size,
            f"d_v {self.d_v} other than d_model / heads = {size:g}": self.d_v != size,
            f"d_out {self.d_out} other than d_model {self.d_model}": self.d_out != self.d_model,
            f"{self.kv_heads} kv_heads for {self.heads} heads": self.kv_heads != self.heads,
            "qk_norm": self.g_q is not None,
            "a sink": self.sink is not None,
            "a gate": self.w_g is not None,
        }
        if found := [lack for lack, there in lacks.items() if there]:
            raise ValueError(f"torch.nn.MultiheadAttention has no {found[0]}")
        given = {name: value for name, value in self.named_parameters() if value is not None}
        return torch_layers.layer_of(given, self.heads, self.dropout).train(self.training)

    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        *,
        rotary: Tensor | None = None,
        interleaved: bool = False,
        positions: Tensor | None = None,
        key_positions: Tensor | None = None,
        past: Cache | None = None,
        scale: float | None = None,
        softcap: float | None = None,
        slopes: Tensor | None = None,
        mask: Tensor | Mask | str | None = None,
        generator: Generator | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """x (..., L, d_model), context (..., S, d_context) or None for x itself; returns (..., L, d_out).

        The other arguments are as in `scaled_dot_product_attention`; the mask broadcasts to (..., heads, L, S).
        key_positions: None takes the positions of the queries if there is neither a context nor a past. ValueError:
        sizes that do not fit, d_context other than d_model without a context, a past together with a context.
        """
        tensor_checks.last_axis("x", x, "d_model", self.d_model)
        if context is None and self.d_context != self.d_model:
            raise ValueError(f"d_context is {self.d_context}, d_model {self.d_model}: pass a context")
        t = recorder(trace)
        t(n.X, x)
        source, row = x, n.as_it_is
        if context is not None:
            tensor_checks.last_axis("context", context, "d_context", self.d_context)
            if past is not None:
                raise ValueError("a past holds keys of x itself: pass no context with it")
            source, row = t(n.CONTEXT, context), n.as_it_is if trace is None else n.from_context
        elif key_positions is None and (past is None or not len(past)):
            key_positions = positions
        tensor_checks.same_kind({"x": x, "context": source, "w_q": self.w_q})
        shared = self.kv_heads != self.heads
        of, new = variants(self.heads // self.kv_heads, past, trace)
        if trace is not None:
            t(n.W_Q, self._split(self.w_q, self.heads))
            t(of(row(n.W_K)), self._split(self.w_k, self.kv_heads))
            t(of(row(n.W_V)), self._split(self.w_v, self.kv_heads))
        Q = self._project(trace, n.QUERIES, x, self.w_q, n.B_Q, self.b_q, self.heads)
        K = self._project(trace, new(row(n.KEYS)), source, self.w_k, of(n.B_K), self.b_k, self.kv_heads)
        V = self._project(trace, new(row(n.VALUES)), source, self.w_v, of(n.B_V), self.b_v, self.kv_heads)
        G = None if self.w_g is None else self._gate(trace, x, self.w_g)
        O = scaled_dot_product_attention(
            Q,
            K,
            V,
            qk_norm=False if self.g_q is None or self.g_k is None else (self.g_q, self.g_k),
            rotary=rotary,
            interleaved=interleaved,
            positions=positions,
            key_positions=key_positions,
            enable_gqa=shared,
            past=past,
            scale=scale,
            softcap=softcap,
            slopes=slopes,
            mask=mask,
            sink=self.sink,
            dropout=self.dropout if self.training else 0.0,
            generator=generator,
            gate=G,
            trace=trace,
        )
        O = t(n.CONCAT, O.transpose(-3, -2).flatten(-2))
        t(n.W_O, self.w_o)
        if self.b_o is None:
            return t(n.PROJECTED, O @ self.w_o)
        t(n.B_O, self.b_o)
        return t(n.PROJECTED if trace is None else n.biased(n.PROJECTED), O @ self.w_o + self.b_o)

    def _project(
        self,
        trace: Trace | None,
        row: Quantity,
        source: Tensor,
        w: Tensor,
        bias_row: Quantity,
        bias: Tensor | None,
        heads: int,
    ) -> Tensor:
        made = self._split(source @ w if bias is None else source @ w + bias, heads)
        if trace is None:
            return made
        if bias is None:
            return trace.record(row, made)
        trace.record(bias_row, bias.unflatten(-1, (heads, -1)))
        return trace.record(n.biased(row), made)

    def _gate(self, trace: Trace | None, x: Tensor, w: Tensor) -> Tensor:
        """The logits of the gate of each head: (..., heads, L, d_v), or (..., heads, L)."""
        t = recorder(trace)
        if self.gate == "features":
            t(n.W_G, self._split(w, self.heads))
            return t(n.GATE, self._split(x @ w, self.heads))
        t(n.W_G_OF_HEADS, w.mT)
        return t(n.GATE_OF_HEADS, (x @ w).mT)

    def _split(self, columns: Tensor, heads: int) -> Tensor:
        """(..., n, heads * d) to (..., heads, n, d): head h owns the h-th block of columns."""
        parts: Tensor = columns.unflatten(-1, (heads, -1))
        return parts.transpose(-3, -2)


def _head_size(d_model: int, heads: int) -> int:
    if d_model % heads:
        fitting = ", ".join(str(h) for h in range(1, d_model + 1) if d_model % h == 0)
        raise ValueError(f"d_model {d_model} is not divisible by heads {heads}; heads may be {fitting}, or give d_k")
    return d_model // heads


def _drawn(shape: tuple[int, ...], fan_in: int, generator: Generator | None) -> nn.Parameter:
    return nn.Parameter(torch.randn(shape, generator=generator) / math.sqrt(fan_in))
