"""Import rules that `lint-imports` (pyproject.toml) cannot state: for scripts, the server's file, and any library."""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import attention

ROOT = Path(__file__).resolve().parents[2]
SHELL = ROOT / "pages" / "shell"
SCRIPTS = SHELL / "component" / "browser"


def imports(path: Path) -> set[str]:
    """Dotted names of the modules that a file imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # A relative import would hide from the names below.
            assert node.level == 0, f"{path.name}, line {node.lineno}: write the import with its whole name"
            found |= {whole_name(node.module, alias.name) for alias in node.names}
    return found


def whole_name(module: str, name: str) -> str:
    """`from attention import checks` imports a module, `from attention import Trace` does not."""
    folder = ROOT / module.replace(".", "/")
    is_module = (folder / f"{name}.py").exists() or (folder / name).is_dir()
    return f"{module}.{name}" if is_module else module


def module(path: Path) -> str:
    """The dotted name of a file, without `__init__`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = [*(ROOT / "attention").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "streamlit_app.py"]
FILES = {module(path): path for path in SOURCES}


@cache
def all_imports() -> dict[str, set[str]]:
    """The imports of each module. Every file is parsed, but only in the process that asks."""
    return {name: imports(path) for name, path in FILES.items()}


def third_parties(name: str) -> set[str]:
    return {other.partition(".")[0] for other in all_imports()[name]}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle in the order of their imports, none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_script_imports_itself_by_way_of_others():
    graph = {
        path.name: set(re.findall(r'^(?:import|export)\b[^;]*?"\./([\w/.]+)"', path.read_text(encoding="utf-8"), re.M))
        for path in SCRIPTS.glob("*.js")
    }
    assert set().union(*graph.values()) <= set(graph)
    assert graph["mounts.js"]
    assert circle(graph) == []


def test_importing_the_package_loads_no_app_and_no_plots():
    code = "import attention, sys; print(*sorted({'streamlit', 'plotly', 'pandas'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


@pytest.mark.slow
def test_a_server_starts_without_the_compiler_of_torch():
    """The compiler takes as long to load as torch itself, and 66 MB of every process."""
    code = "from pages.shell.server import startup; startup.load(); import sys; print('torch._dynamo' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_the_public_names_are_the_promised_ones():
    promised = "MASKS MultiHeadAttention Quantity Step Trace grid record scaled_dot_product_attention"
    assert attention.__all__ == promised.split()
    assert all(hasattr(attention, name) for name in attention.__all__)


def test_the_theory_stands_on_torch_alone():
    """import-linter forbids named libraries, but cannot forbid all others."""
    above = {"attention.figures", "attention.notebook", "attention.reading"}
    theory = {name for name in FILES if re.fullmatch(r"attention\.\w+", name)} - above
    theory = {name for name in theory if FILES[name].stem != "__init__"}
    assert "attention.functional" in theory
    for name in theory:
        assert third_parties(name) - {"attention", "torch"} <= sys.stdlib_module_names, name


def test_the_app_starts_with_the_server():
    """A file beside the packages, which import-linter does not read."""
    ours = {name for name in all_imports()["streamlit_app"] if name.startswith(("attention", "pages"))}
    assert ours
    assert all(name.startswith("pages.shell.server") for name in ours)


@pytest.mark.parametrize("name", [name for name in sorted(FILES) if re.fullmatch(r"pages\.\w+", name)])
def test_a_page_defines_no_functions_and_no_classes(name):
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, defined)]
