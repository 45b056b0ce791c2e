"""Measured costs: allocations are counted to the byte, for every path at every size, within the given time."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import torch

from attention.analysis import costs
from attention.experiments import measured_costs
from attention.experiments.measured_costs import PATHS, Sizes, measure, peak_bytes
from tests.support import drawn, refused, seeded

CPU = torch.device("cpu")
SMALL = [Sizes(17, 3, 5), Sizes(11, 2, 7)]


def test_the_peak_is_what_was_allocated_at_a_time():
    def call() -> torch.Tensor:
        first = torch.empty(1009, dtype=torch.float64)
        del first
        kept = torch.empty(503)
        return torch.empty(2003) if kept is not None else kept

    twice = {"first": call, "again": call}
    assert peak_bytes(twice, CPU) == dict.fromkeys(twice, max(8 * 1009, 4 * 503 + 4 * 2003))


def test_what_another_thread_allocates_meanwhile_is_not_counted():
    def call() -> torch.Tensor:
        with ThreadPoolExecutor(1) as other:
            other.submit(torch.empty, 1_000_003).result()
        return torch.empty(503)

    assert peak_bytes({"call": call}, CPU) == {"call": 4 * 503}


def test_the_plain_path_has_two_matrices_at_a_time_and_the_fused_one_none():
    n, size = 401, 4 * 401 * 401
    q, k, v = (torch.zeros(1, 1, n, 16) for _ in range(3))
    with torch.inference_mode():
        peaks = peak_bytes({name: partial(path, q, k, v) for name, path in PATHS.items()}, CPU)
    assert 2 * size <= peaks["plain"] < 3 * size
    # The record keeps scores, scaled scores and weights.
    assert peaks["recorded"] > 4 * size
    assert max(peaks["fused"], peaks["linear"]) < size


def test_a_row_for_every_path_at_every_size():
    table = measure(SMALL, generator=seeded(), repeats=5)
    assert {(row.path, row.n) for row in table.itertuples()} == {(path, at.n) for path in PATHS for at in SMALL}
    assert (table["repeats"] == 5).all()
    assert (table["low"] <= table["seconds"]).all()
    assert (table["seconds"] <= table["high"]).all()
    assert (table["bytes"] > 0).all()
    # One sentence keeps two matrices of scores at a time, for all heads.
    for at in SMALL:
        (peak,) = table[(table["path"] == "plain") & (table["n"] == at.n)]["bytes"]
        assert 2 <= peak / (4 * at.heads * at.n**2) < 4
    by_formula = table[(table["path"] == "plain") & (table["n"] == 17)]["flops"]
    assert by_formula.tolist() == [costs.pairs(costs.Layer(1, 3, 5), 17)]


@pytest.mark.parametrize("path", [name for name in PATHS if name != "linear"])
def test_the_paths_have_the_same_output(path):
    q, k, v = drawn((1, 3, 11, 5), (1, 3, 11, 5), (1, 3, 11, 5))
    torch.testing.assert_close(PATHS[path](q, k, v), PATHS["plain"](q, k, v))


def test_what_would_take_longer_than_the_time_that_is_given_is_left_out(monkeypatch):
    """The largest sizes are left out, but never all sizes."""
    slow = PATHS | {"plain": lambda q, k, v: time.sleep(0.02) or q}
    monkeypatch.setattr(measured_costs, "PATHS", slow)
    table = measure([Sizes(n, 1, 2) for n in (29, 13, 19)], generator=seeded(), seconds=0.03)
    assert set(table["n"]) == {13}
    assert (table["repeats"] == 3).all()


def test_progress_rises_to_the_end_and_may_stop_it():
    told = []
    measure(SMALL, generator=seeded(), repeats=3, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    # Each size takes its part of the progress.
    assert len({share for share in told if share < 0.5}) == len({share for share in told if 0.5 < share < 1}) == 1
    with pytest.raises(InterruptedError):
        measure(SMALL, generator=seeded(), progress=_stop)
    # A stopped measurement does not block the next one.
    assert len(measure(SMALL[:1], generator=seeded(), repeats=3)) == len(PATHS)


def _stop(share: float) -> None:
    raise InterruptedError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": []}, "sizes must be at least 1, got 0"),
        ({"repeats": 2}, "repeats must be at least 3, got 2"),
        ({"seconds": 0.0}, "seconds must be a finite number above 0, got 0.0"),
    ],
)
def test_what_cannot_be_measured_is_refused(options, message):
    with refused(message):
        measure(**{"sizes": SMALL, "generator": seeded()} | options)


def test_sizes_are_at_least_one():
    with refused("heads must be at least 1, got 0"):
        Sizes(3, 0, 5)
