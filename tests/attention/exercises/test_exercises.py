"""The check calls every mistake of students by its name, passes right answers however they are written, and describes
any other result in a sentence."""

import math
import re
from itertools import combinations

import numpy as np
import pytest
import torch

from attention.exercises import EXERCISES, check, words
from attention.exercises.exercise import ANYTHING, Case
from attention.exercises.verdict import first_row
from tests.attention.exercises.students import RIGHT, WRONG

MISTAKES = [(name, id) for name, wrong in WRONG.items() for id in wrong]
ANSWERS = [(name, at) for name, ways in RIGHT.items() for at in range(len(ways))]


def ids(name):
    return {id for case in EXERCISES[name].cases for id in case.wrong}


@pytest.mark.parametrize(("name", "id"), MISTAKES, ids=[f"{name}-{id}" for name, id in MISTAKES])
def test_a_mistake_is_named_with_the_row_where_it_shows_and_a_link(name, id, monkeypatch):
    monkeypatch.setenv("ATTENTION_APP", "https://attention.example/course")
    verdict = check(name, WRONG[name][id])
    assert (verdict.passed, verdict.mistake) == (False, id)
    says, screen = words.mistake(name, id)
    assert str(verdict).startswith(f"not yet {name}: {says}\n")
    assert f"see https://attention.example/course/{screen}" in str(verdict)
    assert "row " in verdict.details[0] or "shape" in verdict.details[0]
    with pytest.raises(AssertionError, match=name):
        verdict.insist()


@pytest.mark.parametrize(("name", "at"), ANSWERS)
def test_what_is_right_passes_however_it_is_written(name, at):
    verdict = check(name, RIGHT[name][at])
    assert verdict.passed, str(verdict)
    verdict.insist()


@pytest.mark.parametrize("name", EXERCISES)
def test_every_mistake_has_a_student_who_makes_it_and_its_words(name):
    assert set(WRONG[name]) == ids(name)
    assert set(words.mistakes(name)) == {id.partition(":")[0] for id in ids(name)}
    assert RIGHT[name]
    assert set(words.task(name)) == {"says", "signature", "returns", "screen"}


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_on_weights_is_one_whose_rows_sum_to_one(name):
    """A row without any key sums to zero."""
    rights = [case.right for case in EXERCISES[name].cases]
    shares = [(right.sum(-1) - 1).abs().lt(1e-6) | right.eq(0).all(-1) for right in rights]
    assert EXERCISES[name].weights == all(one.all() for one in shares)


def test_texts_are_those_of_the_exercises():
    assert list(words.texts()["exercise"]) == list(EXERCISES)


@pytest.mark.parametrize("name", EXERCISES)
def test_mistakes_can_be_told_from_each_other_and_from_what_is_right(name):
    """In at least one call, two answers differ by a thousandth; in other calls, one of them may not run."""
    answers = {id: [case.wrong.get(id) for case in EXERCISES[name].cases] for id in ids(name)}
    answers["right"] = [case.right for case in EXERCISES[name].cases]
    for first, second in combinations(answers, 2):
        pairs = zip(answers[first], answers[second], strict=True)
        apart = [_apart(a, b) for a, b in pairs if a is not None and b is not None]
        assert max(apart) > 1e-3, (first, second)


def _apart(a, b):
    if a.shape != b.shape:
        return math.inf
    told = (a != ANYTHING) & (b != ANYTHING) & ~(a.isnan() & b.isnan())
    return (a - b)[told].abs().nan_to_num(nan=math.inf).max().item() if told.any() else 0.0


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_right_is_a_number_and_float32_has_the_arguments(name):
    for case in EXERCISES[name].cases:
        assert case.right.isfinite().all()
        for exact, single in zip(
            case.arguments(torch.float64).values(), case.arguments(torch.float32).values(), strict=True
        ):
            if isinstance(exact, torch.Tensor):
                assert torch.equal(single.to(exact.dtype), exact)


def test_the_first_numbers_are_those_that_are_known():
    softmax, tiles, rotate = (EXERCISES[name].cases[0] for name in ("softmax", "tiles", "rotate"))
    assert softmax.right[0].tolist() == pytest.approx([0.090031, 0.244728, 0.665241], abs=1e-6)
    assert tiles.right.item() == pytest.approx(4.232623, abs=1e-6)
    assert tiles.wrong["not_rescaled"].item() == pytest.approx(3.330676, abs=1e-6)
    assert tiles.wrong["sum_only"].item() == pytest.approx(5.402639, abs=1e-6)
    assert tiles.wrong["average"].item() == pytest.approx(3.938462, abs=1e-6)
    assert rotate.right[0].tolist() == pytest.approx([-1.984111, 1.959901, 2.462378, 4.019800], abs=1e-6)
    assert rotate.wrong["interleaved"][0].tolist() == pytest.approx([-1.14264, 1.922076, 2.959851, 4.0298], abs=1e-6)


def _ends(scores):
    raise SystemExit(3)


def _asks_for_more(scores):
    rows = scores[0]
    return rows[100]


def _in_place(scores):
    scores -= scores.amax(-1, keepdim=True)
    return scores.softmax(-1)


def _in_part(scores):
    return torch.where(scores == 3, math.nan, scores.softmax(-1))


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (_asks_for_more, r"the call fails in line \d+: IndexError: index 100"),
        (lambda scores: scores.unknown, r"the call fails in line \d+: AttributeError"),
        (lambda: 0, "the call fails: TypeError: .* unexpected keyword argument 'scores'"),
        (_ends, r"the call fails in line \d+: SystemExit: 3"),
        (lambda scores: None, "nothing is returned"),
        (lambda scores: scores.softmax(-1).numpy(), "a NumPy ndarray is returned"),
        (lambda scores: np.float64(1), "a NumPy float64 is returned"),
        (
            lambda scores: scores.to("meta"),
            "what is returned has no numbers: NotImplementedError: Cannot copy out of meta",
        ),
        (lambda scores: (scores.softmax(-1), scores), "a tuple of 2 is returned"),
        (lambda scores: scores.softmax(-1).tolist(), "a list is returned"),
        (lambda scores: scores.softmax(-1)[..., :1], r"the result has shape \(2, 1\); it should be \(2, 3\)"),
        (lambda scores: scores.softmax(-1).double(), "the result is float64 where the arguments are float32"),
        (lambda scores: scores.float().softmax(-1), "the result is float32 where the arguments are float64"),
        (_in_place, "changes its arguments in place: scores"),
        (_in_part, "1 of 6 numbers are NaN"),
        (lambda scores: scores.softmax(-1) * 0.9, "a row sums to 0.900000, where weights sum to 1"),
        (lambda scores: scores.softmax(-1).flip(-1), "none of the usual mistakes"),
        (lambda scores: scores.float().sub(1e-3).softmax(-1).to(scores.dtype) * (1 + 1e-5), "digits of float32 alone"),
        (lambda scores: scores / 0, "numbers are infinite"),
    ],
)
def test_whatever_else_comes_back_is_told_in_a_sentence(function, sentence):
    verdict = check("softmax", function)
    assert not verdict.passed
    assert verdict.mistake == ""
    assert re.search(sentence, str(verdict)), str(verdict)
    assert "called in float" in str(verdict)


@pytest.mark.parametrize(("columns", "cut"), [(5, False), (7, True)])
def test_a_long_row_is_cut_and_says_so(columns, cut):
    right = torch.zeros(2, 3, columns, dtype=torch.float64)
    wrong = right.clone()
    wrong[1, 2, 0] = 11
    row, yours, ours = first_row(Case({}, right, {}), wrong)
    assert "row 3" in row
    assert (yours.endswith("…"), ours.endswith("…")) == (cut, cut)
    assert "11.000000" in yours


def test_a_hidden_key_with_a_little_weight_is_told():
    def leaky(scores):
        n = scores.shape[-1]
        return scores.masked_fill(torch.ones(n, n).triu(1).bool(), -50).softmax(-1)

    assert "a key that is hidden has a weight of" in str(check("causal", leaky))


def test_transposed_weights_are_told():
    def transposed(weights, keep, p, training):
        made = weights * keep / (1 - p) if training else weights
        return made.mT if made.shape[-1] == made.shape[-2] else made

    assert "the last two axes are swapped" in str(check("dropout", transposed))


def test_an_exercise_that_is_not_there_and_what_is_no_function_are_refused():
    with pytest.raises(ValueError, match=r"unknown exercise 'softmx'; one of softmax, attention"):
        check("softmx", lambda scores: scores)
    with pytest.raises(ValueError, match="function must be callable, got int"):
        check("softmax", 3)
