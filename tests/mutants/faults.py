"""The faults of a file: the operators of Cosmic Ray, and two kinds that reviews plant by hand."""

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.operators.provider import OperatorProvider
from parso.python import tree
from parso.tree import BaseNode, NodeOrLeaf

Place = tuple[int, int]

# Operators that may replace each other. Others seldom compute anything, and would count as detected for nothing.
ALIKE = (
    {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"},
    {"BitOr", "BitAnd", "BitXor"},
    {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
    {"In", "NotIn"},
)
# A decorator registers or remembers: without it, a file does not work at all, or works as before. A sign replaced by
# `not` makes no sense for a number, so the sign is left out instead (`Delete`).
LEFT_OUT = re.compile("RemoveDecorator|Variable|ExceptionReplacer|UnaryOperator_(?!Delete)")


class DropStatement(Operator):
    """Leave out a call that is made only for its effect: a check, an entry in a list."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[Place, Place]]:
        if (
            isinstance(node, BaseNode)
            and node.type in ("atom_expr", "power")
            and node.parent.type == "simple_stmt"
            and node.children[-1].type == "trailer"
        ):
            yield node.start_pos, node.end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        return tree.Name("pass", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


class DropKeyword(Operator):
    """Leave out a keyword argument, so that its default holds."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[Place, Place]]:
        if (
            isinstance(node, BaseNode)
            and node.type == "arglist"
            and node.parent.type == "trailer"
            and node.parent.children[0] == "("
        ):
            for child in self._named(node):
                yield child.start_pos, child.end_pos

    def mutate(self, node: BaseNode, index: int) -> NodeOrLeaf:
        children = list(node.children)
        place = children.index(self._named(node)[index])
        # The comma before the argument goes with it; for the first argument, the one after it.
        node.children = children[: place - 1] + children[place + 1 :] if place else children[2:]
        return node

    @staticmethod
    def _named(node: BaseNode) -> list[NodeOrLeaf]:
        return [child for child in node.children if child.type == "argument" and child.children[1] == "="]

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


@cache
def operators() -> dict[str, Operator]:
    found: dict[str, Operator] = {"DropStatement": DropStatement(), "DropKeyword": DropKeyword()}
    provider = OperatorProvider()
    for name in provider:
        _, _, pair = name.partition("Operator_")
        before, _, after = pair.partition("_")
        replaces = name.startswith(("ReplaceBinary", "ReplaceComparison"))
        if not LEFT_OUT.search(name) and (not replaces or any({before, after} <= group for group in ALIKE)):
            found[name] = provider[name]()
    return found


@dataclass(frozen=True)
class Fault:
    path: str
    operator: str
    occurrence: int
    at: Place
    # The first line that differs, before and after.
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.at[0]}: {self.change}"

    @property
    def change(self) -> str:
        """The change as the list of equivalent faults names it; it stays the same if the line moves."""
        return f"{self.before} -> {self.after}"

    def planted(self) -> str:
        """The text of the file with this fault."""
        return mutate_code(Path(self.path).read_text(encoding="utf-8"), operators()[self.operator], self.occurrence)


def sample(path: str, count: int, seed: int) -> list[Fault]:
    """`count` faults of a file, at different places, drawn at random; the same ones for the same text."""
    text = Path(path).read_text(encoding="utf-8")
    places: dict[Place, list[tuple[str, int]]] = {}
    # The star that ends the positional arguments is no operator, although Cosmic Ray takes it for one.
    nodes = list(ast_nodes(get_ast(text)))
    unseen = _without_effect(text)
    unseen += [(node.start_pos, node.end_pos) for node in nodes if node == "*" and node.parent.type == "parameters"]
    for name, operator in operators().items():
        spots = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(spots):
            if not any(first <= start < last for first, last in unseen):
                places.setdefault(start, []).append((name, occurrence))
    draw = random.Random(f"{seed} {path}")
    faults: list[Fault] = []
    for at in draw.sample(sorted(places), len(places)):
        if len(faults) == count:
            break
        name, occurrence = draw.choice(places[at])
        after = mutate_code(text, operators()[name], occurrence)
        if _parses(after) and ast.dump(ast.parse(after)) != ast.dump(ast.parse(text)):
            old, new = text.splitlines(), after.splitlines()
            first = next(place for place, line in enumerate([*new, ""]) if line != old[place])
            faults.append(Fault(path, name, occurrence, at, old[first].strip(), new[first].strip()))
    return faults


def _parses(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _without_effect(text: str) -> list[tuple[Place, Place]]:
    """Places where a fault changes nothing for a caller: annotations, decorators, `strict` and `encoding`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        hints = [
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            *getattr(node, "decorator_list", ()),
        ]
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            hints.append(node)
        if isinstance(node, ast.keyword) and node.arg in ("strict", "encoding"):
            hints.append(node)
        found += [((hint.lineno, hint.col_offset), (hint.end_lineno, hint.end_col_offset)) for hint in hints if hint]
    return found
