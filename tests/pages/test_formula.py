"""The whole formula on the walkthrough: the step that is looked at is lit, and it is that of the run."""

import pytest

from pages.shell.layout.formula import formula
from pages.shell.runs.run import run
from pages.shell.state.config import Config
from pages.shell.state.page_controls import STEPS
from tests.support.app import HOME, app

FULL = Config(preset="random", mask="causal", dropout=0.3, bias=True, heads=2, d_model="6")
LIT = r"\colorbox"


@pytest.mark.parametrize("step", [step for step in STEPS if step in run(FULL).trace])
def test_every_step_is_a_part_that_is_lit(step):
    said = formula(run(FULL), step)
    assert LIT in said
    assert said.count("{") == said.count("}")
    assert said.count("$") == 6


@pytest.mark.parametrize(
    ("step", "lit"),
    [
        ("scores", r"Q_i K_i^{\top}"),
        ("scaled", r"Q_i K_i^{\top} / \sqrt{d_k}"),
        ("mask", "M"),
        ("masked", r"Q_i K_i^{\top} / \sqrt{d_k} + M"),
        ("weights", r"\operatorname{softmax}(Q_i K_i^{\top} / \sqrt{d_k} + M)"),
        ("values", "V_i"),
        ("concat", r"\operatorname{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)"),
        ("projected", r"\mathrm{MultiHead}"),
    ],
)
def test_the_part_is_that_of_the_step(step, lit):
    assert rf"{LIT}{{#ffd54f}}{{\(\textcolor{{black}}{{{lit}}}\)}}" in formula(run(FULL), step)


def test_it_is_the_formula_of_the_run():
    one = formula(run(Config(preset="random", heads=1, scale="none", d_model="6")), "x")
    assert "_i" not in one
    assert r"c \, Q K^{\top} + M" in one
    assert "dropout" not in one
    crossed = formula(run(Config(preset="random", d_model="6"), "one two"), "context")
    assert rf"K_i = {LIT}{{#ffd54f}}{{\(\textcolor{{black}}{{C}}\)}} W_K^{{(i)}}" in crossed
    assert "b_O" in formula(run(FULL), "x")


def test_it_stands_on_the_walkthrough():
    at = app(HOME, step="scores", preset="story", cell="scores.3.1.pipeline")
    said = [block.value for block in at.markdown if "MultiHead" in block.value]
    assert len(said) == 1
    assert rf"{LIT}{{#ffd54f}}{{\(\textcolor{{black}}{{Q K^{{\top}}}}\)}}" in said[0]
