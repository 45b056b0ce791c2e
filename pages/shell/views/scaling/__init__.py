"""Why the scores are divided by √d_k: the figures and sentences of its page, and their computations."""

from pages.shell.views.scaling import (
    derivation,
    gradients,
    layers,
    minute,
    one_row,
    row,
    rows,
    saturation,
    theory,
    variance,
)

__all__ = [
    "derivation",
    "gradients",
    "layers",
    "minute",
    "one_row",
    "row",
    "rows",
    "saturation",
    "theory",
    "variance",
]
