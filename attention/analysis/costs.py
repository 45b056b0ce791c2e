"""The cost of a layer by formula: floating-point operations of a forward pass, and bytes.

A multiplication with its addition counts as two, as `torch.utils.flop_counter` counts. Symbols of Vaswani et al. 2017:
n tokens, d_model, h heads of d_k and d_v; g heads of keys and values (Ainslie et al. 2023).
"""

from dataclasses import dataclass

from attention import checks


@dataclass(frozen=True)
class Layer:
    """The sizes of a layer of self-attention without biases; kv_heads None: as many as heads, d_v None: d_k.

    hidden, matrices: the width and the number of weight matrices of the feed-forward part, 0 without one; two with ReLU
    or GELU, three with a gate (SwiGLU, Shazeer 2020). ValueError: a size below 1, kv_heads that do not divide heads.
    """

    d_model: int
    heads: int
    d_k: int
    kv_heads: int | None = None
    d_v: int | None = None
    hidden: int = 0
    matrices: int = 2

    def __post_init__(self) -> None:
        checks.positive(d_model=self.d_model, heads=self.heads, d_k=self.d_k, kv_heads=self.groups, d_v=self.values)
        if self.heads % self.groups:
            raise ValueError(f"kv_heads must divide heads, got {self.groups} and {self.heads}")

    @property
    def groups(self) -> int:
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def values(self) -> int:
        return self.d_k if self.d_v is None else self.d_v


# Radford et al. 2019; Grattafiori et al. 2024, table 3.
MODELS: dict[str, Layer] = {
    "gpt2": Layer(768, 12, 64, hidden=3072),
    "llama3": Layer(4096, 32, 128, kv_heads=8, hidden=14336, matrices=3),
}
# The tokens of the longest text that each model was made for: n_positions of openai-community/gpt2,
# max_position_embeddings of meta-llama/Meta-Llama-3-8B, both in config.json.
CONTEXTS: dict[str, int] = {"gpt2": 1024, "llama3": 8192}


def projections(layer: Layer, n: int) -> int:
    """FLOPs of W_Q, W_K, W_V and W_O for n tokens; with d_v = d_k it is 4 n d_model (h + g) d_k."""
    queries, values = layer.heads * layer.d_k, layer.heads * layer.values
    return 2 * n * layer.d_model * (queries + layer.groups * (layer.d_k + layer.values) + values)


def pairs(layer: Layer, n: int, *, causal: bool = False) -> int:
    """FLOPs of Q K^T and A V for n queries and n keys: 4 n^2 h d_k where d_v = d_k.

    causal: count only the n (n + 1) / 2 pairs that a causal mask allows, which a kernel that skips tiles approaches.
    """
    count = n * (n + 1) // 2 if causal else n * n
    return 2 * count * layer.heads * (layer.d_k + layer.values)


def feed_forward(layer: Layer, n: int) -> int:
    """FLOPs of the feed-forward part for n tokens."""
    return 2 * n * layer.d_model * layer.hidden * layer.matrices


def linear(layer: Layer, n: int) -> int:
    """FLOPs of linear attention in place of `pairs` (Katharopoulos et al. 2020, equations 4 to 6), for n tokens.

    phi(k) v^T is summed, and multiplied by each phi(q): 4 n h d_k d_v, and 2 n h d_k for the normalising sum.
    """
    return 2 * n * layer.heads * layer.d_k * (2 * layer.values + 1)


def overtakes_projections(layer: Layer) -> float:
    """The n from which `pairs` costs more than `projections`: d_model (1 + g / h) where h d_k = h d_v = d_model."""
    return projections(layer, 1) / pairs(layer, 1)


def overtakes_layer(layer: Layer) -> float:
    """The n from which `pairs` costs more than the parts linear in n: the projections and the feed-forward part."""
    return (projections(layer, 1) + feed_forward(layer, 1)) / pairs(layer, 1)


def scores_bytes(heads: int, n: int, itemsize: int = 2) -> int:
    """Bytes of the n by n scores of all heads: the memory that they take unless they are computed in tiles."""
    return heads * n * n * itemsize


def traffic(layer: Layer, n: int) -> int:
    """Numbers that one head reads and writes when scores and weights are stored (Dao et al. 2022, algorithm 0).

    Q, K and V are read, O is written; S is written and read, A is written and read: 4 n^2 beside the part linear in n.
    """
    return n * (2 * layer.d_k + 2 * layer.values) + 4 * n * n


def tiled_traffic(layer: Layer, n: int, queries: int) -> int:
    """The numbers that one head reads and writes in tiles of `queries` queries (Dao et al. 2022, theorem 2).

    Q is read and O written once, K and V once for each block of queries. ValueError: queries below 1.
    """
    checks.positive(queries=queries)
    blocks = -(-n // queries)
    return n * (layer.d_k + layer.values) + blocks * n * (layer.d_k + layer.values)
