"""Exported data: read back, it is the record, and no token becomes a formula."""

import csv
import io
import zipfile
from itertools import cycle

import numpy as np
import pandas as pd
import pytest
import torch

from attention.export.tables import as_csv, csv_archive, npz
from attention.inputs.tokens import tokenize
from tests.support import BATCH, HEADS, KEYS, QUERIES, refused
from tests.support.covering import EVERY_TEST, cases
from tests.support.runs import RUNS, Run, traced

RICH = Run("cross", True, "float", 0.3, 0.5, True)
TOKENS = {"query": [f"q{i}" for i in range(QUERIES)], "key": [f"k{j}" for j in range(KEYS)]}
# Writing a number does not depend on its run, so the runs take turns with the formats.
TURNS = list(zip(RUNS, cycle([torch.float64, torch.float32]), strict=False))
each_run = pytest.mark.parametrize("run", RUNS, ids=str)


def read(text: str) -> tuple[list, list, np.ndarray]:
    """The first row, the first column and the numbers of a CSV; unquoted fields are numbers."""
    first, *rows = csv.reader(io.StringIO(text, newline=""), quoting=csv.QUOTE_NONNUMERIC)
    assert all(isinstance(number, float) for row in rows for number in row[1:])
    return first, [row[0] for row in rows], np.array([row[1:] for row in rows])


@pytest.mark.parametrize(
    ("run", "dtype"), cases(RUNS, [torch.float64, torch.float32]) if EVERY_TEST else TURNS, ids=str
)
def test_the_npz_holds_every_step_exactly(run, dtype):
    trace = traced(run, dtype)
    with np.load(io.BytesIO(npz(trace)), allow_pickle=False) as arrays:
        assert list(arrays) == list(trace)
        for id, step in trace.items():
            torch.testing.assert_close(torch.from_numpy(arrays[id]), step.value, rtol=0, atol=0)


def test_bfloat16_is_kept_as_float32():
    trace = traced(RICH, torch.bfloat16)
    with np.load(io.BytesIO(npz(trace))) as arrays:
        assert arrays["weights"].dtype == np.float32
        torch.testing.assert_close(torch.from_numpy(arrays["weights"]), trace["weights"].value.float(), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("run", "dtype"), cases(RUNS, [torch.float64, torch.float32]) if EVERY_TEST else TURNS, ids=str
)
def test_the_csv_of_each_step_is_its_matrix_exactly(run, dtype):
    trace = traced(run, dtype)
    batch, head = BATCH - 1, HEADS - 1
    for step in trace.values():
        shared = head // step.group
        chosen = {"batch": batch, "head": head, "kv_head": shared, "head_pair": shared}
        index = tuple(chosen[axis] if size > 1 else 0 for axis, size in step.sizes.items() if axis in chosen)
        expected = step.value[index].numpy()
        first, down, numbers = read(as_csv(step, batch=batch, head=head))
        np.testing.assert_array_equal(numbers.astype(expected.dtype), np.atleast_2d(expected))
        axes = [axis for axis in step.axes if axis not in chosen]
        assert first[0] == " \\ ".join(axes)
        assert first[1:] == ([*range(1, numbers.shape[1] + 1)] if axes else [""])
        assert down == ([*range(1, len(numbers) + 1)] if len(axes) == 2 else [""])


def test_the_labels_stand_on_their_axes():
    first, down, _ = read(as_csv(traced(RICH)["scores"], labels=TOKENS))
    assert first == ["query \\ key", *TOKENS["key"]]
    assert down == TOKENS["query"]


def test_a_step_has_names_of_its_own_along_an_axis_that_others_have_too():
    trace = traced(RICH)
    own = [f"wants {place}" for place in range(trace.sizes["feature"])]
    both = {"feature": [f"is {place}" for place in range(len(own))], "queries.feature": own}
    for id, names in (("queries", own), ("keys", both["feature"])):
        first, _, _ = read(as_csv(trace[id], labels=both))
        assert first[1:] == names


def test_pandas_reads_it():
    trace = traced(RICH)
    frame = pd.read_csv(io.StringIO(as_csv(trace["masked"], labels=TOKENS)), index_col=0)
    assert frame.index.name == "query \\ key"
    np.testing.assert_array_equal(frame.to_numpy(), trace["masked"].value[0, 0].numpy())
    assert np.isneginf(frame.to_numpy()).any()


DANGEROUS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "=",
    "-",
    "＝1",
    "＋",
    "－",
    "＠",
    '=HYPERLINK("x")',
]
HARMLESS = ["a=b", "creature", "'=1", "1", "", '"', "a,b", "a;=1+1", "猫", "x\n=1"]


@pytest.mark.parametrize("label", [*DANGEROUS, *HARMLESS])
def test_a_label_that_a_spreadsheet_would_compute_gets_an_apostrophe(label):
    step = traced(RICH)["scores"]
    text = as_csv(step, labels={"query": [label] * QUERIES, "key": [label] * KEYS})
    first, down, _ = read(text)
    expected = f"'{label}" if label in DANGEROUS else label
    assert first[1:] == [expected] * KEYS
    assert down == [expected] * QUERIES


def test_every_label_is_quoted_so_that_no_separator_in_it_starts_a_cell():
    text = as_csv(traced(RICH)["scores"], labels={"query": ["a;=1+1"] * QUERIES, "key": ["b\t=1+1"] * KEYS})
    assert text.count('"a;=1+1"') == QUERIES
    assert text.count('"b\t=1+1"') == KEYS


def test_numbers_stay_numbers():
    assert (traced(RICH)["scores"].value < 0).any()
    assert "'" not in as_csv(traced(RICH)["scores"])


@pytest.mark.parametrize("text", ["= + - @ word", "-1 +2 =3 @you"])
def test_the_tokens_of_such_a_text_are_neutralised(text):
    (tokens,) = tokenize(text)
    first, _, _ = read(as_csv(traced(RICH)["scores"], labels={"key": (tokens * KEYS)[:KEYS]}))
    assert not any(str(label).startswith(("=", "+", "-", "@")) for label in first)


@each_run
def test_the_archive_has_every_step_in_the_order_of_the_record(run):
    trace = traced(run)
    labels = {axis: [f"{axis} {place}" for place in range(trace.sizes[axis])] for axis in TOKENS}
    chosen = {"batch": 1, "head": 2, "labels": labels if run.kind != "self" else None}
    with zipfile.ZipFile(io.BytesIO(csv_archive(trace, **chosen))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"{number:02}-{id}.csv" for number, id in enumerate(trace, 1)]
        for name, step in zip(archive.namelist(), trace.values(), strict=True):
            data = archive.read(name)
            assert data.startswith(b"\xef\xbb\xbf")
            assert data.decode("utf-8-sig") == as_csv(step, **chosen)


@pytest.mark.parametrize("axis", TOKENS)
def test_more_or_fewer_labels_than_an_axis_has_places_are_refused(axis):
    size = len(TOKENS[axis])
    for labels in (TOKENS[axis][1:], [*TOKENS[axis], "more"]):
        with refused(f"axis {axis!r} has {size} places, got {len(labels)} labels"):
            as_csv(traced(RICH)["scores"], labels={axis: labels})


@pytest.mark.parametrize("write", [npz, csv_archive])
def test_equal_runs_give_equal_bytes(write):
    assert write(traced(RICH)) == write(traced(RICH))
