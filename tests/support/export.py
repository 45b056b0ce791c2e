"""Run exported texts, and compare them with the record that they were made from."""

import contextlib
import io
import json

import torch

from attention import Trace

# The bound is relative to the largest number of a step. An exported projection has one product for each head, which
# rounds differently from one product for all heads.
ROUNDING = {torch.float64: 1e-12, torch.float32: 1e-6}


def executed(*texts: str) -> tuple[dict, str]:
    """The names that texts define, run one after the other in one namespace, and their output."""
    namespace, printed = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for text in texts:
            exec(compile(text, "<taken away>", "exec"), namespace)
    return namespace, printed.getvalue()


def sources(text: str, kind: str = "code") -> list[str]:
    return [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == kind]


def assert_reproduces(steps: dict, trace: Trace, rounding: float) -> None:
    assert list(steps) == list(trace)
    for id, step in trace.items():
        value = torch.as_tensor(steps[id], dtype=step.value.dtype)
        assert not isinstance(steps[id], torch.Tensor) or steps[id].dtype == step.value.dtype
        finite = step.value[step.value.isfinite()] if step.value.is_floating_point() else step.value
        largest = finite.abs().max().item() if finite.numel() and not step.quantity.given else 0
        atol = 0 if step.quantity.given else rounding * max(1, largest)
        torch.testing.assert_close(
            value, step.value, rtol=0, atol=atol, equal_nan=True, msg=lambda m, id=id: f"{id}: {m}"
        )
