"""Scaled dot-product attention, recorded step by step."""

from attention.functional import scaled_dot_product_attention
from attention.masks import MASKS, grid
from attention.models.recording import record
from attention.modules import MultiHeadAttention
from attention.reading import Step, Trace
from attention.trace import Quantity

__all__ = ["MASKS", "MultiHeadAttention", "Quantity", "Step", "Trace", "grid", "record", "scaled_dot_product_attention"]
__version__ = "0.2.0"
