"""A covering array leaves out cases, but no pair: a failure of two settings together is still found."""

import ast
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

from tests.support import covering
from tests.support.covering import cases, some

TESTS = Path(__file__).resolve().parents[1]

# Pairwise distinct primes, one axis with a single value, one with many, and more axes than a product could have.
AXES = [
    ("abc", "xy"),
    ("abcde", (None, 0.5), "xyz"),
    ("a", "bc", "def"),
    (range(3), range(2), range(7), range(2), range(5), range(2)),
    (range(23), range(3), range(2), range(2)),
    [range(2 + axis % 5) for axis in range(11)],
]


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    monkeypatch.setattr(covering, "EXHAUSTIVE", False)


def met(chosen, strength):
    """The combinations that occur together: places, and their values."""
    return {
        (where, tuple(case[place] for place in where))
        for case in chosen
        for where in combinations(range(len(case)), strength)
    }


@pytest.mark.parametrize(("axes", "strength"), [*zip(AXES, (1, 2, 3) * 2, strict=True), (AXES[2], 2)])
def test_all_values_of_so_many_axes_occur_together(axes, strength):
    wanted = {
        (where, values)
        for where in combinations(range(len(axes)), strength)
        for values in product(*(axes[place] for place in where))
    }
    assert met(cases(*axes, strength=strength), strength) == (wanted or met(product(*axes), strength))


@pytest.mark.parametrize("axes", AXES[:-1], ids=lambda axes: "x".join(str(len(axis)) for axis in axes))
def test_a_case_is_one_of_the_product_and_comes_once(axes):
    found = cases(*axes)
    assert set(found) <= set(product(*axes))
    assert len(set(found)) == len(found)


def test_they_are_few():
    """The product of axes with two, three ... eleven values has more cases than a machine could run."""
    two_widest = sorted(map(len, AXES[-1]))[-2:]
    assert len(cases(*AXES[-1])) < 2 * two_widest[0] * two_widest[1]
    assert len(cases(*AXES[3])) < 840 / 10


def test_exhaustively_they_are_the_product(monkeypatch):
    monkeypatch.setattr(covering, "EXHAUSTIVE", True)
    assert cases(*AXES[3]) == list(product(*AXES[3]))
    assert met(cases(*AXES[3], exhaustively=3), 3) == met(product(*AXES[3]), 3)
    assert len(cases(*AXES[3], exhaustively=3)) < 840 / 2


def test_some_of_many_are_evenly_spread_with_both_ends():
    assert some(range(101), 5) == [0, 25, 50, 75, 100]
    assert some("abc", 1) == ["a"]
    assert some("abc", 7) == list("abc")


def test_exhaustively_they_are_all(monkeypatch):
    monkeypatch.setattr(covering, "EXHAUSTIVE", True)
    assert some(range(101), 5) == list(range(101))


@cache
def functions_in(file: Path) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def twins(test: ast.AST) -> list[str]:
    """The tests of the fast form that replace a test, or a case of it."""
    calls = [node for node in ast.walk(test) if isinstance(node, ast.Call)]
    return [ast.literal_eval(one.args[0]) for one in calls if ast.unparse(one.func) == "pytest.mark.exhaustive"]


def files_with(mark: str) -> list[Path]:
    return [file for file in sorted(TESTS.rglob("test_*.py")) if f"mark.{mark}(" in file.read_text(encoding="utf-8")]


# One test with a subtest for each, since files are then parsed only where it runs, and not in every process.
def test_what_is_left_to_the_exhaustive_form_names_the_test_that_sees_the_same_in_every_run(subtests):
    assert len(files_with("exhaustive")) > 10
    for file in files_with("exhaustive"):
        for name, left in functions_in(file).items():
            for twin in twins(left):
                with subtests.test(f"{file.stem}::{name}"):
                    place, _, test = twin.partition("::")
                    assert test in functions_in(TESTS / place), twin
                    assert not any(
                        ast.unparse(one).startswith("pytest.mark.exhaustive")
                        for one in functions_in(TESTS / place)[test].decorator_list
                    ), twin


def test_what_stands_for_its_file_is_there_and_runs(subtests):
    assert len(files_with("fast")) > 10
    for file in files_with("fast"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.fast":
                with subtests.test(file.stem):
                    names = [ast.literal_eval(name) for name in call.args]
                    assert names
                    assert not any(twins(functions_in(file)[name]) for name in names)


class Marked:
    """A test with one mark."""

    originalname = "test_a"

    def __init__(self, name: str, *given: str) -> None:
        self.own = getattr(pytest.mark, name)(*given).mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.own if self.own.name == name else None


@pytest.mark.parametrize(
    ("mark", "among_fast", "among_slow"),
    [
        (Marked("browser"), True, True),
        (Marked("slow"), False, True),
        (Marked("exhaustive", "file::twin"), False, False),
        (Marked("fast", "test_a"), True, True),
        (Marked("fast", "test_b"), False, False),
    ],
)
def test_a_mark_leaves_a_test_to_a_longer_form(monkeypatch, mark, among_fast, among_slow):
    for slow, runs in ((False, among_fast), (True, among_slow)):
        monkeypatch.setattr(covering, "SLOW", slow)
        assert covering.is_fast(mark) == runs


def test_ci_asks_for_the_slow_ones():
    assert "\nexport SLOW=1\n" in (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8")
