"""Which device computes: cuda, then mps, then cpu."""

import torch


def devices() -> tuple[str, ...]:
    """The available device types, best first; cpu is always one of them."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return tuple(name for name, there in present.items() if there)
