"""Claims about a weight that is moved by hand, and about the guess which weight matters; computed in plain torch."""

import torch

from attention.inputs.grammar import ANSWERS
from pages.shell.i18n import catalogue
from pages.shell.runs.backward import ANSWER, Goal, right_answers
from pages.shell.screen import Screen
from pages.shell.views.backward import target
from pages.shell.views.backward.strength import SIZES
from tests.support import alone
from tests.support.claims.backward import _is_named, _pushes
from tests.support.claims.claim import Values, claim, number

_WHOM = {"goal": "answer", "goal_at": "answer.4.1", "updates": "70"}


def _asked(screen: Screen) -> tuple[int, int]:
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    return row, question


def _right(screen: Screen, answers: torch.Tensor) -> float:
    row, question = _asked(screen)
    return float(answers[question, int(right_answers(screen.run)[screen.run.sentence, row, question])])


def _moved(screen: Screen, head: int, key: int, share: float) -> float:
    """The probability of the right answer after a weight is moved to a share."""
    run, (row, _) = screen.run, _asked(screen)
    return _right(screen, alone.with_weights(run, row, alone.moved(run, row, head, key, share)))


def _by_hand(screen: Screen, values: Values, way: int) -> bool:
    """Whether the sentence gives the moved weight and the right answer before and after. way: 1 along the arrow, -1
    against it, 0 where there is none."""
    run, (row, _) = screen.run, _asked(screen)
    head, key, share = map(int, screen.parameters["pushed"].split("."))
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double()
    named = number(values["head"]) == head + 1 and _is_named(screen, values["key"], key)
    was, push = float(weights[head, key]), float(_pushes(screen)[head, key])
    told = {
        "was": was,
        "now": share / 100,
        "then": _right(screen, alone.with_weights(run, row, weights)),
        "share": _moved(screen, head, key, share / 100),
    }
    arrow = 0 if abs(push) < SIZES[0] else 1 if (share / 100 - was) * push > 0 else -1
    return named and arrow == way and all(abs(number(values[name]) - one) < 0.0051 for name, one in told.items())


@claim("backward.hand.along", "backward.flow", _WHOM | {"pushed": "3.6.75"}, _WHOM | {"pushed": "3.3.20"})
def _(screen: Screen, values: Values) -> bool:
    return _by_hand(screen, values, 1)


@claim("backward.hand.against", "backward.flow", _WHOM | {"pushed": "3.6.5"})
def _(screen: Screen, values: Values) -> bool:
    return _by_hand(screen, values, -1)


@claim("backward.hand.none", "backward.flow", _WHOM | {"pushed": "0.1.20"})
def _(screen: Screen, values: Values) -> bool:
    return _by_hand(screen, values, 0)


def _near(screen: Screen, end: int) -> bool:
    """Whether the moved weight has no arrow and was near this end, and the move changed the answer's probability by
    about 0.05 or more."""
    run, (row, _) = screen.run, _asked(screen)
    head, key, share = map(int, screen.parameters["pushed"].split("."))
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double()
    then = _right(screen, alone.with_weights(run, row, weights))
    is_far = abs(_moved(screen, head, key, share / 100) - then) > 0.0499
    return is_far and abs(float(weights[head, key]) - end) < 0.05 and abs(float(_pushes(screen)[head, key])) < SIZES[0]


@claim("backward.hand.near_none", "backward.flow", _WHOM | {"pushed": "2.0.99"}, _WHOM | {"pushed": "0.6.86"})
def _(screen: Screen, values: Values) -> bool:
    return _near(screen, 0)


@claim("backward.hand.near_all", "backward.flow", _WHOM | {"updates": "110", "pushed": "3.6.1"})
def _(screen: Screen, values: Values) -> bool:
    return _near(screen, 1)


@claim("backward.hand.here", "backward.flow", _WHOM | {"pushed": "3.6.36"})
def _(screen: Screen, values: Values) -> bool:
    run, (row, _) = screen.run, _asked(screen)
    head, key, _ = map(int, screen.parameters["pushed"].split("."))
    weight = float(run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[head, row, key])
    return _is_named(screen, values["key"], key) and abs(number(values["now"]) - weight) < 0.0051


def _guessed(screen: Screen, values: Values) -> tuple[int, int]:
    (name,) = (one for one in screen.parameters["guess"].split(",") if one.startswith("arrow_"))
    head, key = map(int, name.split(".")[1].split("-"))
    assert number(values["head"]) == head + 1
    assert _is_named(screen, values["key"], key)
    return head, key


@claim("backward.guess.right", "backward.flow", _WHOM | {"guess": "arrow_4_1.3-6"}, _WHOM | {"guess": "arrow_4_1.3-3"})
def _(screen: Screen, values: Values) -> bool:
    pushes = _pushes(screen).abs()
    return float(pushes[_guessed(screen, values)]) > max(SIZES[0], 0.8 * float(pushes.max()) - 1e-6)


def _at_most(screen: Screen, values: Values) -> float:
    """The answer's probability at the named end of the guessed weight. Asserts that the guess is not among the
    strongest, and that the other end gives no more."""
    guessed, pushes = _guessed(screen, values), _pushes(screen).abs()
    assert float(pushes[guessed]) < max(SIZES[0], 0.8 * float(pushes.max()) + 1e-6)
    shares = {end: _moved(screen, *guessed, end) for end in (0.01, 0.99)}
    end = number(values["end"])
    assert shares[end] > max(shares.values()) - 1e-6
    assert abs(number(values["share"]) - shares[end]) < 0.0051
    return shares[end]


@claim("backward.guess.wrong", "backward.flow", _WHOM | {"guess": "arrow_4_1.0-1"}, _WHOM | {"guess": "arrow_4_1.1-6"})
def _(screen: Screen, values: Values) -> bool:
    return _at_most(screen, values) < 0.5


@claim(
    "backward.guess.far", "backward.flow", _WHOM | {"goal_at": "answer.3.4", "updates": "110", "guess": "arrow_3_4.3-3"}
)
def _(screen: Screen, values: Values) -> bool:
    return _at_most(screen, values) >= 0.5


_VISIT = _WHOM | {"goal_at": "answer.1.3", "learned_from": "answer.4.1", "answer_steps": "15"}


def _visited(screen: Screen, values: Values) -> bool:
    """Whether the sentence gives the probability of the answer that is looked at, before and after the steps on the
    answer that the link names."""
    row, question = _asked(screen)
    _, *source = Goal.of(ANSWER, screen.parameters["learned_from"]).at
    steps = int(screen.parameters["answer_steps"])
    shares = [_right(screen, alone.after(screen.run, *source, each)[1][row]) for each in (0, steps)]
    told = [number(values.get("then", values["now"])), number(values["now"])]
    is_near = all(abs(each - share) < 0.0051 for each, share in zip(told, shares, strict=True))
    assert question < len(ANSWERS)
    return is_near and number(values["steps"]) == steps


@claim("backward.alone.visit", "backward.flow", _VISIT)
def _(screen: Screen, values: Values) -> bool:
    return _visited(screen, values)


@claim("backward.alone.visit_stayed", "backward.flow", _VISIT | {"goal_at": "answer.8.3", "answer_steps": "1"})
def _(screen: Screen, values: Values) -> bool:
    return _visited(screen, values)


@claim("backward.no_arrow.saturated", "backward.flow", {"goal": "answer", "goal_at": "answer.4.1", "heads": "1"})
def _(screen: Screen, values: Values) -> bool:
    """Every head has a weight of at least 0.9, and every push is too weak for an arrow."""
    run, (row, _) = screen.run, _asked(screen)
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row]
    head, key = divmod(int(weights.argmax()), weights.shape[1])
    named = number(values["head"]) == head + 1 and _is_named(screen, values["key"], key)
    is_sure = float(weights.amax(-1).min()) >= 0.9 and abs(number(values["weight"]) - float(weights.max())) < 0.0051
    return named and is_sure and float(_pushes(screen).abs().max()) < SIZES[0]


def _says(screen: Screen, values: Values) -> bool:
    """Whether the layer's answer is right after steps on another one, or with a weight moved. Asserts that the text
    names this answer."""
    run, (row, question) = screen.run, _asked(screen)
    if "learned_from" in screen.parameters:
        _, *source = Goal.of(ANSWER, screen.parameters["learned_from"]).at
        answers = alone.after(run, *source, int(screen.parameters["answer_steps"]))[1][row]
    else:
        head, key, hundredths = map(int, screen.parameters["pushed"].split("."))
        answers = alone.with_weights(run, row, alone.moved(run, row, head, key, hundredths / 100))
    at = int(answers[question].argmax())
    word = ANSWERS[question][at]
    assert (catalogue(screen.language)["all_heads.no_adjective"] if word == "-" else word) in values["given"]
    return at == int(right_answers(run)[run.sentence, row, question])


@claim("backward.now_says.right", "backward.flow", _WHOM | {"pushed": "3.6.80"})
def _(screen: Screen, values: Values) -> bool:
    return _says(screen, values)


@claim("backward.now_says.wrong", "backward.flow", _VISIT, _WHOM | {"pushed": "3.6.5"})
def _(screen: Screen, values: Values) -> bool:
    return not _says(screen, values)
