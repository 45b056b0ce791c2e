"""The whole formula on the walkthrough: the chosen step is lit, and the formula is that of the run."""

from dataclasses import replace

import pytest

from pages.shell.runs.run import run
from pages.shell.state.config import Config
from pages.shell.state.page_controls import STEPS
from pages.shell.views.formula import formula
from tests.support.app import linked, markdown

FULL = Config(preset="random", mask="causal", dropout=0.3, bias=True, heads=2, d_model="6")
TODAY = replace(FULL, heads=4, d_model="24", kv_heads="2", positions="rotary", qk_norm=True, softcap="2", sink="1")
CACHED = replace(TODAY, kv_cache="2")
BIASED = replace(TODAY, kv_heads="1", positions="alibi", qk_norm=False, bias=False)
LIT = r"\textcolor{lit}"


@pytest.mark.parametrize(
    ("config", "step"),
    [(config, step) for config in (FULL, TODAY, CACHED, BIASED) for step in STEPS if step in run(config).trace],
)
def test_every_step_is_a_part_that_is_lit(config, step):
    said = formula(run(config), step)
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
    assert f"{LIT}{{{lit}}}" in formula(run(FULL), step)


def test_it_is_the_formula_of_the_run():
    one = formula(run(Config(preset="random", heads=1, scale="none", d_model="6")), "x")
    assert "_i" not in one
    assert r"c \, Q K^{\top} + M" in one
    assert "dropout" not in one
    crossed = formula(run(Config(preset="random", d_model="6"), "one two"), "context")
    assert rf"K_i = {LIT}{{C}} W_K^{{(i)}}" in crossed
    assert "b_O" in formula(run(FULL), "x")


def test_what_later_models_changed_stands_where_it_acts():
    one, other = formula(run(TODAY), "x"), formula(run(BIASED), "x")
    assert r"V_j = [C_V; " in formula(run(CACHED), "x")
    capped = r"\kappa \tanh(Q_i K_{\lceil i / 2 \rceil}^{\top} / \sqrt{d_k} / \kappa)"
    assert rf"\operatorname{{softmax}}([{capped} + M, z])" in one
    assert r"V_{\lceil i / 2 \rceil}$" in one
    for letter, index in (("Q", "i"), ("K", "j")):
        made = rf"X}} W_{letter}^{{({index})}} + b_{letter}"
        assert made in one
    assert r"K_j = \operatorname{RoPE}(\operatorname{RMSNorm}(" in one
    assert rf"V_j = {LIT}" in one
    assert r"Q_i K^{\top} / \sqrt{d_k} / \kappa) + B + M, z]" in other
    assert "K = " in other


def test_it_stands_on_the_walkthrough():
    at = linked(step="scores", preset="story", cell="scores.3.1.pipeline")
    said = [block.value for block in markdown(at) if "MultiHead" in block.value]
    assert len(said) == 1
    assert rf"{LIT}{{Q K^{{\top}}}}" in said[0]
