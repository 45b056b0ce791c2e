"""Who may import whom, read off the syntax trees; a new file is covered by existing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import attention

ROOT = Path(__file__).resolve().parents[2]

# The layers of the computation. Whatever else comes into attention/ may stand on any of them.
CORE = {
    "trace": set(),
    "notation": {"trace"},
    "checks": set(),
    "masks": set(),
    "device": set(),
    "functional": {"checks", "notation", "trace"},
    "modules": {"checks", "notation", "functional", "trace"},
}


def parametrised(paths):
    return pytest.mark.parametrize(
        "path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in sorted(paths)]
    )


def in_attention(names):
    return [ROOT / "attention" / f"{name}.py" for name in names]


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


def tops(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)}


def test_importing_the_package_loads_no_app_and_no_plots():
    code = "import attention, sys; print(*sorted({'streamlit', 'plotly', 'pandas'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_the_public_names_are_the_promised_ones():
    promised = "MASKS MultiHeadAttention Quantity Step Trace grid scaled_dot_product_attention"
    assert attention.__all__ == promised.split()
    assert all(hasattr(attention, name) for name in attention.__all__)


@parametrised(in_attention(CORE))
def test_the_computation_stands_on_torch_and_on_its_lower_layers(path):
    ours = {name for name in imports(path) if name.partition(".")[0] == "attention"}
    assert ours <= {f"attention.{name}" for name in CORE[path.stem]}
    assert tops(path) - {"attention", "torch"} <= sys.stdlib_module_names


@parametrised((ROOT / "attention").rglob("*.py"))
def test_the_package_knows_no_app(path):
    assert not tops(path) & {"streamlit", "pages", "streamlit_app", "tests", "benchmarks"}


@parametrised((ROOT / "attention").rglob("*.py"))
def test_only_the_figures_know_plotly_and_nobody_in_the_package_knows_the_figures(path):
    assert "plotly" not in tops(path) or path.stem == "figures"
    assert not any(name.startswith("attention.figures") for name in imports(path))


@parametrised((ROOT / "pages").glob("*.py"))
def test_a_page_imports_only_what_the_pages_share(path):
    assert not tops(path) & {"torch", "plotly", "numpy", "pandas"}
    others = {name for name in imports(path) if name.partition(".")[0] == "pages"}
    assert all(name.startswith("pages.shell") for name in others)


@parametrised((ROOT / "pages").glob("*.py"))
def test_a_page_defines_no_functions_and_no_classes(path):
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    assert not [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, defined)]


@parametrised((ROOT / "pages" / "shell").rglob("*.py"))
def test_the_shell_knows_no_page_and_leaves_plotly_to_the_figures(path):
    ours = {name for name in imports(path) if name.partition(".")[0] == "pages"}
    assert all(name.startswith("pages.shell") for name in ours)
    assert not tops(path) & {"plotly", "tests", "benchmarks"}
