"""The computing device: cuda, then mps, then cpu."""

import torch


def devices() -> tuple[str, ...]:
    """The available device types, best first; cpu is always one of them."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return tuple(name for name, there in present.items() if there)


def device(name: str | None = None) -> torch.device:
    """The best available device, or the named one. ValueError: a device that is not available."""
    there = devices()
    if name is not None and name not in there:
        raise ValueError(f"device {name!r} is not there; one of {', '.join(there)}")
    return torch.device(name or there[0])
