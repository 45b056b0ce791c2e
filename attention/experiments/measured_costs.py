"""Time and memory of attention, measured on one device, against n, d_k and heads.

Three ways to the same output: this package with a record of every step, without one, and the fused function of PyTorch,
which keeps no scores; and, for comparison, linear attention, which has another output. Times include the effect of
other work on the machine; the quartiles of the repetitions show how large it is.
"""

import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import torch
from torch import Generator, Tensor
from torch.nn.functional import scaled_dot_product_attention as fused
from torch.profiler import ProfilerActivity, profile, record_function

from attention import checks
from attention.analysis import costs
from attention.analysis.linear_attention import linear_attention
from attention.functional import scaled_dot_product_attention
from attention.trace import Trace

Progress = Callable[[float], object]
LEAST = 3
_QUARTILES = (0.25, 0.5, 0.75)
_CALL = "measured call "
# The profiler's name of an allocation or a release.
_ALLOCATES = "[memory]"
K = TypeVar("K")


@dataclass(frozen=True)
class Sizes:
    """n queries and n keys, in heads of d_k features. ValueError: a size below 1."""

    n: int
    heads: int
    d_k: int

    def __post_init__(self) -> None:
        checks.positive(n=self.n, heads=self.heads, d_k=self.d_k)


def _recorded(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v, trace=Trace())


PATHS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "recorded": _recorded,
    "plain": scaled_dot_product_attention,
    "fused": fused,
    "linear": linear_attention,
}


def measure(
    sizes: Sequence[Sizes],
    *,
    generator: Generator,
    repeats: int = 7,
    seconds: float = 10.0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run each path at each of some sizes, in float32 on the generator's device: a row for each path and sizes.

    Columns: path, n, heads, d_k; seconds, the median over the repetitions, low and high, their quartiles, least; bytes,
    the largest allocation at a time beside q, k and v; flops, by formula; repeats. The paths take turns, so that other
    work on the machine affects all of them. seconds: about the total time: sizes that would exceed it, by the
    measurements so far, are left out, the largest first; there are at least three repetitions. progress: called with
    the share that is done (0 to 1); raise there to stop. ValueError: no sizes, repeats below 3, seconds that are not
    above 0.
    """
    checks.at_least(LEAST, repeats=repeats)
    checks.above_zero("seconds", seconds)
    checks.positive(sizes=len(sizes))
    ordered = sorted(dict.fromkeys(sizes), key=_work)
    found: dict[tuple[str, Sizes], list[float]] = {}
    calls: dict[tuple[str, Sizes], Callable[[], Tensor]] = {}
    # One measurement at a time in a process: two would disturb each other, and there is one profiler.
    with _alone(), torch.inference_mode():
        end = time.perf_counter() + seconds
        for done, at in enumerate(ordered):
            own = {(name, at): partial(path, *_drawn(at, generator)) for name, path in PATHS.items()}
            # The first call of each is slower, and is not counted.
            once = sum(_timed(call, generator.device) for call in own.values())
            rounds = min(repeats, int((end - time.perf_counter()) / max(once, 1e-9)))
            if rounds < LEAST and found:
                break
            for _ in range(max(LEAST, rounds)):
                for key, call in own.items():
                    found.setdefault(key, []).append(_timed(call, generator.device))
                    if progress is not None:
                        progress((done + 0.5) / len(ordered))
            calls |= own
        peaks = peak_bytes(calls, generator.device)
        if progress is not None:
            progress(1.0)
    return pd.DataFrame([_row(*key, times, peaks[key]) for key, times in found.items()])


def _drawn(at: Sizes, generator: Generator) -> list[Tensor]:
    """q, k and v (1, heads, n, d_k)."""
    shape = (3, 1, at.heads, at.n, at.d_k)
    return list(torch.empty(shape, device=generator.device).normal_(generator=generator))


def _work(at: Sizes) -> int:
    return costs.pairs(costs.Layer(1, at.heads, at.d_k), at.n)


@cache
def _alone() -> Lock:
    return Lock()


def _row(name: str, at: Sizes, times: list[float], peak: int) -> dict[str, object]:
    low, middle, high = np.quantile(times, _QUARTILES).tolist()
    layer = costs.Layer(1, at.heads, at.d_k)
    flops = costs.linear(layer, at.n) if name == "linear" else costs.pairs(layer, at.n)
    measured = {
        "seconds": middle,
        "low": low,
        "high": high,
        "least": min(times),
        "bytes": peak,
        "flops": flops,
        "repeats": len(times),
    }
    return {"path": name, **asdict(at), **measured}


def _timed(call: Callable[[], Tensor], device: torch.device) -> float:
    _wait(device)
    start = time.perf_counter()
    call()
    _wait(device)
    return time.perf_counter() - start


def _wait(device: torch.device) -> None:
    if device.type != "cpu":
        getattr(torch, device.type).synchronize()


def peak_bytes(calls: Mapping[K, Callable[[], object]], device: torch.device) -> dict[K, int]:
    """The peak of the bytes that each call allocates beyond earlier allocations, its result included."""
    if device.type == "cuda":
        return {key: _peak_on_cuda(call, device) for key, call in calls.items()}
    # One profiler for all calls, since starting and ending it takes longer than most calls.
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiled:
        for number, call in enumerate(calls.values()):
            with record_function(f"{_CALL}{number}"):
                call()
    events = _events(profiled)
    spans = {event["name"]: event for event in events if event["name"].startswith(_CALL)}
    return {key: _peak_within(spans[f"{_CALL}{number}"], events) for number, key in enumerate(calls)}


def _events(profiled: profile) -> list[dict[str, Any]]:
    """The profiler's events that have a time, in their order."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        profiled.export_chrome_trace(str(file))
        events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
    return sorted((event for event in events if "ts" in event), key=lambda event: event["ts"])


def _peak_within(span: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int:
    """The peak of the allocations during an event. The profiler notes this thread only, since others serve other
    visitors."""
    first, last = span["ts"], span["ts"] + span["dur"]
    changes = (int(one["args"]["Bytes"]) for one in events if one["name"] == _ALLOCATES and first <= one["ts"] <= last)
    return max(itertools.accumulate(changes, initial=0))


def _peak_on_cuda(call: Callable[[], object], device: torch.device) -> int:
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    call()
    torch.cuda.synchronize(device)
    return torch.cuda.max_memory_allocated(device) - before
