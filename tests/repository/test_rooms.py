"""Who may import whom, read off the syntax trees and the scripts; a new file is covered by existing."""

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

# A room of the app, and the rooms that it may import: all of them stand below it.
APP = {
    "i18n": "attention",
    "component": "attention",
    "server": "exports views screen lectures i18n attention",
    "state": "component i18n attention",
    "runs": "state component i18n attention",
    "screen": "runs state i18n attention",
    "views": "screen runs state component i18n attention",
    "lectures": "state component i18n attention",
    "layout": "views screen runs lectures state component i18n attention",
    "exports": "views screen runs lectures state component i18n attention",
    "sections": "layout views screen exports runs lectures state component i18n attention",
    "opening": "layout exports screen runs lectures state component i18n attention server",
    "knob_bar": "layout screen runs state component i18n attention",
    "tools": "knob_bar layout exports screen runs lectures state component i18n attention server",
    "frame": "opening knob_bar tools layout exports views screen runs lectures state component i18n attention server",
    "pages": "sections layout views exports runs lectures state component i18n attention",
    "streamlit_app": "server",
}
# The theory, each file on the ones before it, and the rooms of the package above it.
THEORY = {
    "trace": "",
    "checks": "",
    "predicates": "",
    "patterns": "predicates",
    "masks": "patterns predicates",
    "device": "",
    "positions": "checks",
    "scales": "checks",
    "notation": "trace",
    "state_notation": "notation trace",
    "state": "checks notation state_notation trace",
    "cache": "checks",
    "operands": "cache checks notation positions trace",
    "arguments": "masks",
    "block_masks": "masks predicates",
    "torch_layers": "",
    "layer_kinds": "checks",
    "configuration": "checks layer_kinds",
    "published_layers": "configuration layer_kinds",
    "index_notation": "notation trace",
    "indexed": "arguments checks functional index_notation masks trace",
    "results": "checks notation operands trace",
    "functional": "arguments cache checks masks notation operands results trace",
    "modules": "arguments cache checks masks notation trace operands functional torch_layers",
}
ROOMS = {
    "explain": "trace",
    "figures": "block_masks trace",
    "viewer": "figures trace",
    "notebook": "figures trace viewer",
    "inputs": " ".join(THEORY),
    "reading": " ".join([*THEORY, "figures", "viewer", "notebook", "explain", "analysis", "export"]),
    "models": " ".join([*THEORY, "reading"]),
    "analysis": " ".join(THEORY),
    "export": " ".join(THEORY),
    "comparisons": " ".join([*THEORY, "analysis"]),
    "experiments": " ".join([*THEORY, "analysis", "inputs"]),
    "exercises": " ".join([*THEORY, "analysis", "comparisons"]),
    "": " ".join([*THEORY, "models", "reading"]),
}
PACKAGE = THEORY | ROOMS


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
    """What each module imports; every file is parsed, but only in the process that asks."""
    return {name: imports(path) for name, path in FILES.items()}


def room(name: str) -> str:
    """The room of the app that a module is in; the whole package is one."""
    top, *rest = name.split(".")
    if top == "pages" and rest[:1] == ["shell"]:
        return rest[1]
    return top


def room_of_package(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def strays(of, allowed: dict[str, str], this: str, within: tuple[str, ...]) -> list[str]:
    """What the modules of a room import from a room that is neither their own nor among those that they may import."""
    return sorted(
        f"{name} imports {other}"
        for name, others in all_imports().items()
        if name.startswith(within) and of(name) == this
        for other in others
        if other.startswith(within) and of(other) not in (this, *allowed[this].split())
    )


def third_parties(name: str) -> set[str]:
    return {other.partition(".")[0] for other in all_imports()[name]}


def test_every_room_has_a_row():
    ours = set(all_imports())
    assert {room(name) for name in ours} == {*APP, "attention"}
    assert {room_of_package(name) for name in ours if name.startswith("attention")} == set(PACKAGE)


@pytest.mark.parametrize("this", APP)
def test_a_room_of_the_app_imports_from_below(this):
    assert strays(room, APP, this, ("attention", "pages", "streamlit_app")) == []


@pytest.mark.parametrize("this", PACKAGE)
def test_a_room_of_the_package_imports_from_below(this):
    assert strays(room_of_package, PACKAGE, this, ("attention",)) == []


def test_no_page_and_no_section_imports_another():
    """A section is a file or a folder, named after its page; what two of them want belongs to a room below."""
    places = {name: tuple(name.split(".")[:4]) for name in all_imports() if room(name) in ("pages", "sections")}
    between = [
        f"{name} imports {other}"
        for name, place in places.items()
        for other in all_imports()[name]
        if places.get(other, place) != place and room(other) == room(name)
    ]
    assert between == []


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle in the order of their imports, none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_imports_itself_by_way_of_others():
    assert circle(all_imports()) == []


def test_no_script_imports_itself_by_way_of_others():
    graph = {
        path.name: set(re.findall(r'^(?:import|export)\b[^;]*?"\./([\w/.]+)"', path.read_text(encoding="utf-8"), re.M))
        for path in SCRIPTS.glob("*.js")
    }
    assert set().union(*graph.values()) <= set(graph)
    assert graph["mounts.js"]
    assert circle(graph) == []


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.js")), ids=lambda path: path.name)
def test_a_script_names_nothing_twice(path):
    """Two imports of one name are an error for which the browser draws nothing at all."""
    lists = re.findall(r"^import \{([^}]*)\} from", path.read_text(encoding="utf-8"), re.M)
    names = [name.split(" as ")[-1].strip() for one in lists for name in one.split(",")]
    assert len(names) == len(set(names))


def test_importing_the_package_loads_no_app_and_no_plots():
    code = "import attention, sys; print(*sorted({'streamlit', 'plotly', 'pandas'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_the_public_names_are_the_promised_ones():
    promised = "MASKS MultiHeadAttention Quantity Step Trace grid record scaled_dot_product_attention"
    assert attention.__all__ == promised.split()
    assert all(hasattr(attention, name) for name in attention.__all__)


@pytest.mark.parametrize("name", [f"attention.{name}" for name in THEORY])
def test_the_theory_stands_on_torch_alone(name):
    assert third_parties(name) - {"attention", "torch"} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    ("of", "foreign"),
    [
        ("attention", "streamlit pages streamlit_app tests benchmarks"),
        (r"pages\.shell\.views", "streamlit"),
        (r"pages\.shell\.screen", "streamlit"),
        ("pages", "plotly tests benchmarks"),
        (r"pages\.(?!shell)", "torch numpy pandas"),
        (r"attention(?!\.figures)", "plotly"),
        (r"pages\.shell\.(?!server)", "starlette uvicorn"),
    ],
)
def test_a_library_stays_where_it_belongs(of, foreign):
    assert [name for name in all_imports() if re.match(of, name) and third_parties(name) & set(foreign.split())] == []


@pytest.mark.parametrize("name", [name for name in sorted(FILES) if room(name) == "pages"])
def test_a_page_defines_no_functions_and_no_classes(name):
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, defined)]
