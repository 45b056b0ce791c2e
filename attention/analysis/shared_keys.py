"""Query heads made to share key heads: the keys and values of each group become their mean.

Models with shared key heads are made so from others, and then trained further (Ainslie et al. 2023, section 2.1).
"""

from torch import Tensor

from attention.analysis.heads import with_heads
from attention.modules import MultiHeadAttention

_POOLED = ("w_k", "w_v", "b_k", "b_v")


def share_keys(module: MultiHeadAttention, kv_heads: int) -> MultiHeadAttention:
    """The layer with kv_heads heads of keys and values: the projections of each group of neighbours are averaged.

    ValueError: kv_heads does not divide those of the layer.
    """
    if kv_heads < 1 or module.kv_heads % kv_heads:
        raise ValueError(f"kv_heads {kv_heads} does not divide the {module.kv_heads} key heads of the layer")
    shared = with_heads(module, module.heads, kv_heads)
    group = module.kv_heads // kv_heads
    state = module.state_dict()
    shared.load_state_dict(state | {name: _pooled(state[name], kv_heads, group) for name in _POOLED if name in state})
    return shared


def _pooled(projection: Tensor, kv_heads: int, group: int) -> Tensor:
    """The mean over each group of neighbouring blocks of columns."""
    pooled: Tensor = projection.unflatten(-1, (kv_heads, group, -1)).mean(-2).flatten(-2)
    return pooled
