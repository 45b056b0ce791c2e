"""The exported script and notebook, run as text, give every step of the record again."""

import ast
import json
import math
import re
import subprocess
import sys

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention import Trace
from attention.export import literals
from attention.export.script import notebook, script
from attention.notation import IDS
from tests.support import refused
from tests.support.covering import EVERY_TEST, cases, some
from tests.support.export import ROUNDING, assert_reproduces, executed, sources
from tests.support.runs import RUNS, Run, traced

RICH = Run("cross", True, "bool", 0.3, 0.0, True)
DROPPED = RICH._replace(dropout=0.5)
FORMS = {"readable": math.inf, "packed": 0}
each_run = pytest.mark.parametrize("run", RUNS, ids=str)


@pytest.fixture(params=FORMS)
def form(request, monkeypatch):
    monkeypatch.setattr(literals, "READABLE", FORMS[request.param])
    return request.param


@pytest.mark.parametrize(("run", "dtype", "form"), cases(RUNS, [*ROUNDING], [*FORMS]), indirect=["form"], ids=str)
def test_the_script_gives_every_step_again(run, dtype, form):
    trace = traced(run, dtype)
    text = script(trace)
    assert ("unpacked(" in text) == (form == "packed")
    assert_reproduces(executed(text)[0]["steps"], trace, ROUNDING[dtype])


# The notebook has the lines of the script, as a test below checks.
@pytest.mark.parametrize("dtype", ROUNDING)
@pytest.mark.parametrize("run", RUNS if EVERY_TEST else some(RUNS, 7), ids=str)
def test_the_code_cells_of_the_notebook_give_every_step_again(run, dtype):
    trace = traced(run, dtype)
    assert_reproduces(executed(*sources(notebook(trace)))[0]["steps"], trace, ROUNDING[dtype])


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("run", [RICH, DROPPED], ids=str)
def test_short_formats_are_given_exactly_and_computed_in_their_own_rounding(run, dtype):
    trace = traced(run, dtype)
    assert_reproduces(executed(script(trace))[0]["steps"], trace, 4 * torch.finfo(dtype).eps)


@each_run
def test_each_line_is_the_code_of_its_quantity(run):
    lines = script(traced(run)).splitlines()
    for id, step in traced(run).items():
        if not step.quantity.given:
            at = lines.index(f'step("{id}", {step.quantity.letter})')
            code = step.quantity.code.split("; ")
            assert lines[at - len(code) : at] == code


@each_run
def test_each_step_is_announced_with_its_shape(run):
    trace = traced(run)
    printed = executed(script(trace))[1].splitlines()
    for (id, step), line in zip(trace.items(), printed, strict=False):
        assert line.split(maxsplit=1) == [id, str(tuple(step.value.shape) if step.axes else step.value.item())]


@each_run
def test_the_last_line_compares_with_torch_where_torch_can_do_the_same(run):
    trace = traced(run)
    line = executed(script(trace))[1].splitlines()[-1]
    compared = re.fullmatch(r"max \|O - F\.scaled_dot_product_attention\| = (\S+)", line)
    plain = run.dropout == 0 and run.softcap is None and not run.sink
    assert bool(compared) == (plain and run.difference == "no")
    if compared:
        q, k, v = (trace.before("output", letter).value for letter in "QKV")
        mask = trace["mask"].value if "mask" in trace else None
        if run.slopes:
            bias = trace["bias"].value
            hides = mask is not None and mask.dtype == torch.bool
            mask = bias.masked_fill(~mask, -math.inf) if hides else bias + (0 if mask is None else mask)
        expected = scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=run.scale, enable_gqa=run.shared)
        difference = (expected - trace["output"].value).abs().max().item()
        assert float(compared[1]) == pytest.approx(difference, abs=1e-12)
        assert float(compared[1]) < 1e-12


@pytest.mark.parametrize("run", [RICH, DROPPED, Run("function", False, "no", None, 0.0, False)], ids=str)
def test_nothing_is_imported_that_is_not_used_and_nothing_but_torch_and_the_standard_library(run, form):
    tree = ast.parse(script(traced(run)))
    imported = [
        alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    ]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert {alias.asname or alias.name for alias in imported} <= used
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules - {"torch"} <= sys.stdlib_module_names


def test_the_script_runs_alone(tmp_path):
    """The interpreter finds nothing of this project."""
    path = tmp_path / "attention.py"
    path.write_text(script(traced(RICH)), encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", str(path)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in run.stdout.splitlines()] == [*traced(RICH), "max"]


def test_a_title_stands_above_its_step_in_both():
    titles = {id: f"<{id}>" for id in IDS}
    text = script(traced(RICH), titles=titles)
    assert "# <scores>: S = Q K^\\top\nS = Q @ K.mT\n" in text
    assert sources(notebook(traced(RICH), titles=titles), "markdown")[0] == "### <x>\n\n$$X$$"


def test_each_step_of_the_notebook_is_its_formula_then_its_code_then_its_value():
    trace = traced(RICH)
    cells = json.loads(notebook(trace))["cells"][1:-1]
    for (id, step), words, code in zip(trace.items(), cells[::2], cells[1::2], strict=True):
        assert (words["cell_type"], words["source"]) == ("markdown", f"$${step.quantity.formula}$$")
        assert (code["cell_type"], code["id"]) == ("code", id)
        assert code["source"].splitlines()[-2:] == [f'step("{id}", {step.quantity.letter})', step.quantity.letter]


@pytest.mark.parametrize("run", [RICH, DROPPED], ids=str)
def test_the_notebook_has_what_its_format_demands(run):
    """nbformat 4.5: the required keys of the schema, and ids that are unique and well formed."""
    book = json.loads(notebook(traced(run)))
    assert set(book) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert {"name", "display_name"} <= set(book["metadata"]["kernelspec"])
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in book["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | code
        assert cell["metadata"] == {}
        assert isinstance(cell["source"], str)
        assert not code or (cell["execution_count"], cell["outputs"]) == (None, [])


HOSTILE = "a\nimport os; os.abort()\r\x0b\x0c\x1c\u2028\u2029\x85raise SystemExit\x00\"\"\"''' \\N{x} {0} $$ <script>"


@pytest.mark.parametrize("where", ["heading", "titles"])
def test_no_text_from_outside_leaves_its_comment(where):
    given = {"heading": HOSTILE} if where == "heading" else {"titles": dict.fromkeys(IDS, HOSTILE)}
    trace = traced(RICH)
    assert ast.dump(ast.parse(script(trace, **given))) == ast.dump(ast.parse(script(trace)))
    plain, told = sources(notebook(trace)), sources(notebook(trace, **given))
    assert [ast.dump(ast.parse(text)) for text in told] == [ast.dump(ast.parse(text)) for text in plain]


def test_the_heading_is_no_markdown():
    assert HOSTILE not in "".join(sources(notebook(traced(RICH), heading=HOSTILE), "markdown"))


def test_a_heading_comes_first():
    assert script(traced(RICH), heading="one\n\ntwo").startswith("# one\n#\n# two\n")
    assert sources(notebook(traced(RICH), heading="one"))[0].startswith("# one\n")


@pytest.mark.parametrize("write", [script, notebook])
def test_an_empty_trace_is_refused(write):
    with refused("the trace is empty: pass it to attention first"):
        write(Trace())
