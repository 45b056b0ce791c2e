"""The first request of a page: the views at its top, for the screen that its address names."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from pages.shell.state.opens_with import of_address
from pages.shell.state.reader import Reader
from pages.shell.state.registry import BY_PAGE, HOME
from pages.shell.views.registry import View

PAGES = Path(__file__).resolve().parents[2]
_VIEWS = "pages.shell.views"
# The number of views in sight in the highest of the measured windows.
FIRST = 8
# Logged requests contain neither texts that were typed by hand nor the name of a visitor's file; a long request is sent
# as a form (browser/asked.js).
_TYPED = frozenset(("text", "context", "tensors"))
LONGEST = 2000


def question(page: str, query: str, language: str, build: str) -> str | None:
    """The request to `/live`, as a query string, that the browser will send for the top of a page; None if it sends
    another kind, or if there is no such page. page: its path, empty for the one at the root."""
    page = page or HOME
    given = dict(parse_qsl(query, keep_blank_values=True))
    if page not in BY_PAGE or _TYPED & given.keys():
        return None
    shown = {**given, **of_address(page, given)}
    asked = sorted((name, text) for name, text in shown.items() if name not in Reader.knobs())
    named = [
        ("page", page),
        ("language", language),
        ("build", build),
        *(("view", name) for name in names(page)[:FIRST]),
    ]
    written = urlencode([*asked, *named])
    return written if len(written) <= LONGEST else None


@cache
def names(page: str) -> tuple[str, ...]:
    """The names of the views of a page in its order, read from its source; without those in drawers."""
    return tuple(dict.fromkeys(one.name for one in _listed(ast.parse((PAGES / f"{page}.py").read_text("utf-8")))))


def _listed(page: ast.Module) -> Iterator[View]:
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in page.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_VIEWS)
        for alias in node.names
    }

    def found(node: ast.expr) -> Iterator[View]:
        """The views that an argument of `show` stands for."""
        if isinstance(node, ast.Starred):
            yield from found(node.value)
        elif isinstance(node, ast.Name):
            yield from several.get(node.id, ())
        elif isinstance(node, ast.Tuple):
            for one in node.elts:
                yield from found(one)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            view = getattr(import_module(modules[node.value.id]), node.attr, None)
            if isinstance(view, View):
                yield view

    # Views that a page groups under a name, above its list.
    several: dict[str, list[View]] = {}
    for node in page.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            several[node.targets[0].id] = list(found(node.value))
    for call in sorted(_calls(page), key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(call.func, ast.Name) and call.func.id == "show":
            for argument in call.args:
                yield from found(argument)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls in a page outside its drawers."""
    if isinstance(node, ast.Call):
        yield node
    if isinstance(node, ast.With) and any(_is_drawer(one.context_expr) for one in node.items):
        return
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _is_drawer(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "drawer"
