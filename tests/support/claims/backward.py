"""Claims about gradients."""

import math
import re
from itertools import permutations

import torch

from attention.analysis.backward import Cell
from attention.experiments.learning import BATCH
from attention.figures import matrix
from attention.inputs.grammar import ANSWERS, QUESTIONS
from pages.shell.i18n import catalogue, say, speaking, with_or
from pages.shell.runs.backward import ANSWER, Goal, goal_cell, right_answers
from pages.shell.runs.learned import layer, sentences, used
from pages.shell.screen import Screen
from pages.shell.state.config import stops
from pages.shell.views import naming
from pages.shell.views.backward import target
from pages.shell.views.backward.strength import SIZES
from pages.shell.views.steps import focus_of
from tests.support import alone
from tests.support.claims.claim import Values, claim, filled, near, number, spoken


@claim("backward.depends", "backward.target", {}, {"goal_at": "output.4.0", "mask": "full"})
def _(screen: Screen, values: Values) -> bool:
    made = target.found(screen)
    own = made.target.id if isinstance(made.target, Cell) else ""
    left = [int(step.value.ne(0).sum()) for id, step in made.gradients.items() if id != own]
    return number(values["numbers"]) == sum(left) and number(values["steps"]) == sum(count > 0 for count in left)


@claim(
    "backward.pairs.softmax",
    "backward.pairs",
    {},
    {"mask": "causal"},
    {"dropout": 0.5},
    {"preset": "random", "sink": 0},
)
def _(screen: Screen, values: Values) -> bool:
    weight, upstream, mean, score = (number(values[name]) for name in ("weight", "upstream", "mean", "score"))
    return abs(weight * (upstream - mean) - score) <= 0.006 * (weight * (abs(upstream) + abs(mean)) + abs(score))


@claim("backward.pairs.by_value", "backward.pairs", {})
def _(screen: Screen, values: Values) -> bool:
    run, made = screen.run, target.found(screen)
    of_output, found = (matrix(made.gradients[id], **run.where).double() for id in ("output", "weights"))
    kept = "values_joined" if "values_joined" in run.trace else "values"
    return torch.allclose(of_output @ run.matrix(kept).double().mT, found, rtol=1e-4, atol=1e-5)


@claim(
    "backward.scaled.values_stay",
    "backward.backward-scaled",
    {},
    {"mask": "causal"},
    {"preset": "random", "scale": "none"},
)
def _(screen: Screen, values: Values) -> bool:
    """The chart differentiates one number of the output, so |dO| is 1."""
    (told,) = filled("backward.scaled.said", screen.language, spoken(screen, "backward.backward-scaled"))
    least = screen.run.trace.sizes["key"] ** -0.5
    return "sink" not in screen.run.trace and number(told["last_values"]) >= 0.99 * least


@claim("backward.pairs.elsewhere", "backward.pairs", {"mask": "causal", "goal_at": "weights.3.0"})
def _(screen: Screen, values: Values) -> bool:
    hidden = ~screen.run.matrix("mask")
    made = target.found(screen).gradients["weights"].of(**screen.run.where)
    return number(values["scores"]) == 0 and int(hidden.sum()) == number(values["count"]) and not made[hidden].any()


@claim("backward.pairs.hidden", "backward.pairs", {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["scores"]) == 0 and int((~screen.run.matrix("mask")).sum()) == number(values["count"])


@claim("backward.pairs.dropped", "backward.pairs", {"dropout": 0.5}, {"dropout": 0.5, "goal_at": "output.2.0"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["weights"]) == 0 and int((~screen.run.matrix("kept")).sum()) == number(values["count"])


@claim("backward.no_softmax", "backward.pairs", {"goal_at": "scores.2.1"}, {"goal_at": "values.2.1"})
def _(screen: Screen, values: Values) -> bool:
    """The step is before the weights, or is a given matrix from which no step is computed."""
    made, order = target.found(screen), list(screen.run.trace)
    return order.index(made.target.id) < order.index("weights")


@claim("backward.jacobian.said", "backward.jacobian", {}, {"mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """One of the rows has these numbers; the word that the sentence names may occur twice."""
    rows = screen.run.matrix("weights").double()
    norms = [(a.diag() - a.outer(a)).norm() for a in rows]
    told = (
        near(values["norm"], float(norm)) and near(values["largest"], float(a.max()))
        for a, norm in zip(rows, norms, strict=True)
    )
    return any(told) and number(values["after"]) <= number(values["norm"]) * number(values["before"]) * 1.01 + 1e-6


@claim("backward.jacobian.sink", "backward.jacobian", {"preset": "random", "sink": 0})
def _(screen: Screen, values: Values) -> bool:
    """One of the rows has this sum."""
    rows = screen.run.matrix("weights").double()
    return any(near(values["sums"], float(a.max() * (1 - a.sum()))) for a in rows)


def _is_named(screen: Screen, said: str, key: int) -> bool:
    """Whether the text names a word, and which one of them if the sentence has the word twice."""
    with speaking(screen.language):
        return said == naming.of_key(screen.run, key)


def _moved(screen: Screen, values: Values, sign: int) -> bool:
    """The number is a tenth of a gradient; tests/pages/test_flow.py moves a tenth of weight to check it."""
    found = target.found(screen)
    run = screen.run
    slopes = found.gradients["weights"].of(batch=run.sentence, head=int(values["head"]) - 1)
    keys = [at for at in range(len(run.labels["key"])) if _is_named(screen, values["key"], at)]
    # The sentence gives two digits.
    said = number(values["by"])
    return any(math.isclose(said, float(one) * sign / 10, rel_tol=0.06) for one in slopes[:, keys].flatten())


@claim("backward.flow_said.raises", "backward.flow", {"goal_at": "projected.0.6"})
def _(screen: Screen, values: Values) -> bool:
    return _moved(screen, values, 1)


@claim("backward.flow_said.lowers", "backward.flow", {}, {"goal_at": "projected.4.11"})
def _(screen: Screen, values: Values) -> bool:
    return _moved(screen, values, -1)


def _loss_of(screen: Screen, values: Values) -> tuple[bool, torch.Tensor]:
    """Whether the loss is that of torch after the named number of updates; and the gradients (heads, keys) of the
    chosen word's weights, with 0 for weights below a twentieth."""
    found, run = target.found(screen), screen.run
    learned = layer(used(run.config))
    answers = right_answers(run)
    with torch.no_grad():
        logits = learned.logits(run.trace["projected"].value.float())
    each = [
        torch.nn.functional.cross_entropy(logits[..., at, :][known], answers[..., at][known])
        for at in range(answers.shape[-1])
        if (known := answers[..., at] >= 0).any()
    ]
    is_loss = abs(number(values["loss"]) - float(torch.stack(each).mean())) < 0.0051
    said = [number(one) for one in re.findall(r"\d+", values["when"])]
    is_when = not said or said == [float(used(run.config).updates)]
    step, row, _ = goal_cell(run, target.goal(screen), focus_of(run))
    query = row if run.trace[step].axes[-2:-1] == ("query",) else focus_of(run)
    # Padding is not drawn.
    drawn = run.sentence, slice(None), query, slice(max(run.inputs.lengths[run.sentence], query + 1))
    slopes, weights = (of["weights"].value[drawn] for of in (found.gradients, run.trace))
    return is_loss and is_when, slopes * (weights >= 0.05)


@claim("backward.flow.learned", "backward.flow", {"goal": "loss"}, {"goal": "loss", "updates": "300"})
def _(screen: Screen, values: Values) -> bool:
    """No weight of at least a twentieth has a gradient of 0.05 or more."""
    is_so, slopes = _loss_of(screen, values)
    return is_so and float(slopes.abs().max()) < 0.05


def _fastest(screen: Screen, values: Values, sign: int) -> bool:
    is_so, slopes = _loss_of(screen, values)
    head, key = divmod(int(slopes.abs().argmax()), slopes.shape[1])
    named = number(values["head"]) == head + 1 and _is_named(screen, values["key"], key)
    return is_so and named and float(slopes[head, key]) * sign > 0


@claim("backward.loss_said.more", "backward.flow", {"goal": "loss", "updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    return _fastest(screen, values, -1)


@claim("backward.loss_said.less", "backward.flow", {"goal": "loss", "updates": "60"})
def _(screen: Screen, values: Values) -> bool:
    return _fastest(screen, values, 1)


@claim("backward.flow.none", "backward.flow", {"goal_at": "queries.4.1"}, {"goal_at": "w_q.3.1"})
def _(screen: Screen, values: Values) -> bool:
    """No drawn weight (of at least a twentieth) has a gradient."""
    made, run = target.found(screen), screen.run
    # The loss is one number for all words; the figure shows it for the word that is looked at.
    step, row, _ = goal_cell(run, target.goal(screen), focus_of(run))
    if "weights" not in made.gradients:
        return True
    slopes, weights = (of["weights"].value[run.sentence] for of in (made.gradients, run.trace))
    query = row if run.trace[step].axes[-2:-1] == ("query",) else focus_of(run)
    # Padding is not drawn.
    shown = max(run.inputs.lengths[run.sentence], query + len(run.labels["key"]) - len(run.labels["query"]) + 1)
    return not slopes[:, query, :shown][weights[:, query, :shown] >= 0.05].any()


def _is_right(screen: Screen, values: Values) -> bool:
    """Whether the named answer is the right one."""
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    (sentence,) = sentences((run.tokens[: run.inputs.lengths[run.sentence]],))
    right = next(run.tokens[one.target] for one in sentence.asked if one.place == row and one.question == question)
    # The answer "the" means that the noun has no adjective.
    right = catalogue(screen.language)["all_heads.no_adjective"] if right == "the" else right
    return right in values["answer"]


def _likely(screen: Screen) -> float:
    """The probability of the right answer."""
    return math.exp(-target.found(screen).number)


def _pushes(screen: Screen) -> torch.Tensor:
    """The pushes on the scores of the word, (heads, keys), computed from the pushes on its weights."""
    run, made = screen.run, target.found(screen)
    (row,) = (made.target.answers[run.sentence] >= 0).any(-1).nonzero().flatten().tolist()
    step = made.gradients["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double()
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double()
    return -weights * (step - (weights * step).sum(-1, keepdim=True))


def _strongest(screen: Screen, values: Values, sign: int) -> bool:
    found = _pushes(screen)
    head, key = divmod(int(found.abs().argmax()), found.shape[1])
    named = number(values["head"]) == head + 1 and _is_named(screen, values["key"], key)
    return named and float(found[head, key]) * sign > 0


def _given(screen: Screen, values: Values) -> tuple[bool, float, bool]:
    """Whether the named answer is the most probable one by torch, its probability, and whether it is right."""
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    output = run.trace["projected"].value[run.sentence, row].float()
    likely = layer(used(run.config)).logits(output[None])[0, question].softmax(-1)
    at = int(likely.argmax())
    word = ANSWERS[question][at]
    named = catalogue(screen.language)["all_heads.no_adjective"] if word == "-" else word
    return (
        named in values["given"],
        float(likely[at]),
        at == int(made.target.answers[run.sentence, row, question]),
    )


@claim("backward.answer.asked", "backward.asked", {"goal": "answer", "updates": "80"}, {"goal": "answer"})
def _(screen: Screen, values: Values) -> bool:
    """The sentence names the word and the question whose answer is differentiated."""
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    asked = catalogue(screen.language)[f"learned.question.{QUESTIONS[question]}"]
    return run.labels["query"][row] in values["word"] and values["question"].startswith(asked)


_WRONG = {"goal": "answer", "goal_at": "answer.4.1", "updates": "70"}


@claim("backward.is_said.wrong", "backward.asked", {"goal": "answer", "updates": "0"}, _WRONG)
def _(screen: Screen, values: Values) -> bool:
    is_at_rest = screen.parameters.get("answer_steps", "0") == "0"
    return is_at_rest and _is_said_wrong(screen, values) and _is_of_sentence(screen, values)


@claim("backward.was_said.wrong", "backward.asked", _WRONG | {"answer_steps": "7"})
def _(screen: Screen, values: Values) -> bool:
    is_at_rest = screen.parameters["answer_steps"] == "0"
    return not is_at_rest and _is_said_wrong(screen, values) and _is_of_sentence(screen, values)


_UNSEEN = {"goal": "answer", "goal_at": "answer.4.0", "updates": "80"}


@claim("backward.is_said.unseen", "backward.asked", _UNSEEN, _UNSEEN | {"updates": "0", "goal_at": "answer.10.4"})
def _(screen: Screen, values: Values) -> bool:
    is_at_rest = screen.parameters.get("answer_steps", "0") == "0"
    return is_at_rest and _is_said_wrong(screen, values) and not _is_of_sentence(screen, values)


@claim("backward.was_said.unseen", "backward.asked", _UNSEEN | {"answer_steps": "7"})
def _(screen: Screen, values: Values) -> bool:
    is_at_rest = screen.parameters["answer_steps"] == "0"
    return not is_at_rest and _is_said_wrong(screen, values) and not _is_of_sentence(screen, values)


def _is_of_sentence(screen: Screen, values: Values) -> bool:
    none = catalogue(screen.language)["all_heads.no_adjective"]
    return any(word in values["given"] for word in (none, *screen.run.tokens))


def _is_said_wrong(screen: Screen, values: Values) -> bool:
    """Whether the layer at rest gives the named wrong answer, with both probabilities as they are printed."""
    is_named, most, is_right = _given(screen, values)
    is_written = abs(number(values["share"]) - _likely(screen)) < 0.0051 and _is_right(screen, values)
    return is_named and abs(number(values["most"]) - most) < 0.0051 and not is_right and is_written


_RIGHT = {"goal": "answer", "goal_at": "answer.10.4", "updates": "100"}


@claim("backward.is_said.right", "backward.asked", _RIGHT)
def _(screen: Screen, values: Values) -> bool:
    return screen.parameters.get("answer_steps", "0") == "0" and _is_said_right(screen, values)


@claim("backward.was_said.right", "backward.asked", _RIGHT | {"answer_steps": "7"})
def _(screen: Screen, values: Values) -> bool:
    return screen.parameters["answer_steps"] != "0" and _is_said_right(screen, values)


def _is_said_right(screen: Screen, values: Values) -> bool:
    is_named, most, is_right = _given(screen, values)
    return is_named and abs(number(values["most"]) - most) < 0.0051 and is_right


_EARLY = {"goal": "answer", "goal_at": "answer.4.1", "updates": "70"}


def _is_wrong(screen: Screen, updates: str) -> bool:
    """Whether the answer of the screen is wrong after so many updates."""
    return not _given(Screen("backward", {**screen.parameters, "updates": updates}, screen.language), {"given": ""})[2]


@claim("backward.taken_out.is_wrong", "backward.asked", _EARLY, _EARLY | {"updates": "110", "goal_at": "answer.3.4"})
def _(screen: Screen, values: Values) -> bool:
    return screen.parameters.get("answer_steps", "0") == "0" and _comes(screen, values)


@claim("backward.taken_out.was_wrong", "backward.asked", _EARLY | {"answer_steps": "7"})
def _(screen: Screen, values: Values) -> bool:
    return screen.parameters["answer_steps"] != "0" and _comes(screen, values)


def _comes(screen: Screen, values: Values) -> bool:
    """Whether the answer is wrong after these updates, and right at the last stop of the training."""
    taken = f"{used(screen.run.config).updates}"
    return (
        number(values["updates"]) == float(taken)
        and _is_wrong(screen, taken)
        and not _is_wrong(screen, stops(taken)[-1])
    )


@claim("backward.taken_out.after", "backward.asked", _EARLY | {"updates": "110"}, _EARLY | {"goal_at": "answer.0.0"})
def _(screen: Screen, values: Values) -> bool:
    return number(values["updates"]) == float(used(screen.run.config).updates)


@claim("backward.taken_out.untrained", "backward.asked", _EARLY | {"updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    return used(screen.run.config).updates == 0


@claim("backward.answer.more", "backward.flow", {"goal": "answer", "goal_at": "answer.4.1", "updates": "60"})
def _(screen: Screen, values: Values) -> bool:
    return _strongest(screen, values, 1)


@claim("backward.answer.less", "backward.flow", {"goal": "answer", "updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    return _strongest(screen, values, -1)


@claim("backward.answer.alike", "backward.flow", _EARLY)
def _(screen: Screen, values: Values) -> bool:
    """The named weights are the strongest ones, each with the direction of its push."""
    found = _pushes(screen)
    strongest = (found.abs() >= 0.95 * float(found.abs().max())).nonzero().tolist()
    with speaking(screen.language):
        ways = {
            say(
                f"backward.way.{'more' if float(found[head, key]) > 0 else 'less'}",
                head=head + 1,
                key=naming.of_key(screen.run, key),
            )
            for head, key in strongest
        }
        told = {with_or(each) for each in permutations(ways)}
    return len(ways) > 1 and values["ways"] in told


@claim("backward.answer.calm", "backward.flow", {"goal": "answer", "updates": "140"}, {"goal": "answer"})
def _(screen: Screen, values: Values) -> bool:
    """The right answer is likely, and every push is too weak for an arrow."""
    return _is_right(screen, values) and _likely(screen) >= 0.9 and float(_pushes(screen).abs().max()) < SIZES[0]


_NO_ARROW = {"goal": "answer", "goal_at": "answer.10.4", "updates": "0"}
_WEAK = {"goal": "answer", "goal_at": "answer.4.2", "updates": "110"}


@claim("backward.no_arrow.stuck", "backward.flow", _NO_ARROW | {"heads_off": "1,2,3,4"})
def _(screen: Screen, values: Values) -> bool:
    return float(_pushes(screen).abs().max()) < 1e-5


@claim("backward.no_arrow.weak", "backward.flow", _WEAK)
def _(screen: Screen, values: Values) -> bool:
    largest = float(_pushes(screen).abs().max())
    return largest < SIZES[0] and abs(number(values["push"]) - largest) < 0.0051


@claim("backward.no_arrow.alike", "backward.flow", _NO_ARROW, _NO_ARROW | {"mask": "causal", "goal_at": "answer.9.3"})
def _(screen: Screen, values: Values) -> bool:
    """For each head and word, the answer is computed anew with a weight of 1 at that word."""
    run, made = screen.run, target.found(screen)
    (at,) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    row, question = at
    right = int(made.target.answers[run.sentence, row, question])
    values_of, w_o = run.trace["values"].value[run.sentence].double(), run.module.w_o.detach().double()
    found = []
    for head in range(run.module.heads):
        for key in range(len(run.tokens)):
            weights = run.trace["weights"].value[run.sentence, :, row].double().clone()
            if "mask" in run.trace and not run.matrix("mask")[row, key]:
                continue
            weights[head] = 0
            weights[head, key] = 1
            output = torch.einsum("hk,hkd->hd", weights, values_of).flatten() @ w_o
            logits = layer(used(run.config)).logits(output.float()[None])[0, question]
            found.append(float(logits.softmax(-1)[right]))
    is_none = float(_pushes(screen).abs().max()) < SIZES[0]
    return is_none and max(found) < 0.5 and abs(number(values["best"]) - max(found)) < 0.0051


@claim("backward.no_arrow.values", "backward.flow", _NO_ARROW)
def _(screen: Screen, values: Values) -> bool:
    """By autograd, the gradient of W_V is more than twice as long as that of W_Q and of W_K."""
    made = target.found(screen)
    sizes = {id: float(made.gradients[id].value.norm()) for id in ("w_v", "w_q", "w_k")}
    told = all(abs(number(values[id]) - size) <= 0.051 * size for id, size in sizes.items())
    return told and sizes["w_v"] > 2 * max(sizes["w_q"], sizes["w_k"])


@claim("backward.answer.nothing", "backward.flow", {"goal": "answer", "goal_at": "answer.0.0"})
def _(screen: Screen, values: Values) -> bool:
    run = screen.run
    _, row, _ = goal_cell(run, target.goal(screen), focus_of(run))
    with speaking(screen.language):
        named = naming.of_query(run, row)
    return values["word"] == named and not bool((right_answers(run)[run.sentence, row] >= 0).any())


def _before(screen: Screen) -> Screen:
    """The screen one step of the slider earlier."""
    steps = stops(screen.config.updates)
    earlier = steps[steps.index(screen.config.updates) - 1]
    return Screen("backward", {**screen.parameters, "updates": earlier}, screen.language)


def _since(screen: Screen, values: Values, sign: int) -> bool:
    """Torch finds the named probabilities of the same answer one stop earlier and now."""
    before = _before(screen)
    then, now = (math.exp(-target.found(one).number) for one in (before, screen))
    steps = [number(values["from"]), number(values["to"])] == [float(one.config.updates) for one in (before, screen)]
    told = abs(number(values["now"]) - now) < 0.0051 and abs(number(values.get("then", f"{then}")) - then) < 0.0051
    # Compare the numbers as they are printed: if the two lines print different numbers, the probability has not stayed.
    is_written_alike = f"{then:.2f}" == f"{now:.2f}"
    return steps and told and is_written_alike == (not sign) and (now - then) * sign >= 0


@claim("backward.since.start", "backward.played", {"goal": "answer", "updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    return used(screen.run.config).updates == 0


@claim("backward.since.stayed", "backward.played", {"goal": "answer", "goal_at": "answer.3.4"})
def _(screen: Screen, values: Values) -> bool:
    return _since(screen, values, 0)


@claim("backward.since.rose", "backward.played", {"goal": "answer", "updates": "140"})
def _(screen: Screen, values: Values) -> bool:
    return _since(screen, values, 1)


@claim(
    "backward.since.fell",
    "backward.played",
    {"goal": "answer", "updates": "120", "goal_at": "answer.4.1"},
    # The probability fell by less than 0.01, but its printed number fell, too.
    {"goal": "answer", "updates": "40", "goal_at": "answer.10.4"},
)
def _(screen: Screen, values: Values) -> bool:
    return _since(screen, values, -1)


def _alone(screen: Screen, steps: int | None = None) -> tuple[torch.Tensor, torch.Tensor, int, int]:
    """The screen's answer in plain torch after its steps, or after `steps`: the weights of the word, the probabilities
    of all answers, the word and the question."""
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    taken = int(screen.parameters["answer_steps"]) if steps is None else steps
    return *alone.after(run, row, question, taken), row, question


def _learned(screen: Screen, values: Values, steps: int) -> bool:
    """The named probabilities of the right answer are those at rest and after the steps."""
    found = []
    for taken in (0, steps):
        _, answers, row, question = _alone(screen, taken)
        right = int(right_answers(screen.run)[screen.run.sentence, row, question])
        found.append(float(answers[row, question, right]))
    return all(abs(number(values[name]) - one) < 0.0051 for name, one in zip(("then", "now"), found, strict=True))


@claim("backward.alone.step", "backward.flow", {"goal": "answer", "updates": "80", "answer_steps": "1"})
def _(screen: Screen, values: Values) -> bool:
    return screen.parameters["answer_steps"] == "1" and _learned(screen, values, 1)


_STEPS = {"goal": "answer", "goal_at": "answer.3.4", "updates": "110", "answer_steps": "7"}


@claim("backward.alone.steps", "backward.flow", _STEPS, _STEPS | {"updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    steps = int(screen.parameters["answer_steps"])
    return number(values["steps"]) == steps and _learned(screen, values, steps)


_SURE = _STEPS | {"updates": "140", "goal_at": "answer.10.4"}


@claim("backward.alone.step_stayed", "backward.flow", _SURE | {"answer_steps": "1"})
def _(screen: Screen, values: Values) -> bool:
    stays = values | {"then": values["now"]}
    return screen.parameters["answer_steps"] == "1" and _learned(screen, stays, 1)


@claim("backward.alone.steps_stayed", "backward.flow", _SURE, _STEPS | {"heads": "2"})
def _(screen: Screen, values: Values) -> bool:
    steps = int(screen.parameters["answer_steps"])
    return number(values["steps"]) == steps and _learned(screen, values | {"then": values["now"]}, steps)


def _arrows(screen: Screen) -> tuple[int, int, float]:
    """The numbers of weights with an arrow at rest and of those that moved along it, and the largest move of any."""
    pushes = _pushes(screen)
    arrows = (pushes.abs() >= SIZES[0]) * pushes.sign()
    moved = _alone(screen)[0] - _alone(screen, 0)[0]
    return int(arrows.abs().sum()), int((moved * arrows > 0).sum()), float(moved.abs().max())


@claim("backward.arrows.all", "backward.flow", _STEPS | {"updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    arrows, came, _ = _arrows(screen)
    return number(values["arrows"]) == arrows == came > 1


@claim("backward.arrows.some", "backward.flow", _STEPS, _STEPS | {"updates": "60"})
def _(screen: Screen, values: Values) -> bool:
    arrows, came, _ = _arrows(screen)
    return number(values["arrows"]) == arrows > came == number(values["came"])


@claim("backward.arrows.gave_way", "backward.flow", _STEPS | {"answer_steps": "15"})
def _(screen: Screen, values: Values) -> bool:
    """In plain torch, each arrow that failed had a stronger one of the same direction in its head that came true, and
    the weights of a head add up to 1."""
    pushes, now, then = _pushes(screen), _alone(screen)[0], _alone(screen, 0)[0]
    missed = (pushes.abs() >= SIZES[0]) & ((now - then) * pushes <= 0)
    stronger = [
        any(
            abs(push) > abs(mine) and push * mine > 0 and push * moved > 0 for push, moved in zip(*of_head, strict=True)
        )
        for head, key in missed.nonzero().tolist()
        for mine, of_head in [(float(pushes[head, key]), (pushes[head].tolist(), (now - then)[head].tolist()))]
    ]
    return bool(stronger) and all(stronger) and torch.allclose(now.sum(-1), torch.ones_like(now[:, 0]))


@claim("backward.one_arrow.came", "backward.flow", _STEPS | {"updates": "110", "goal_at": "answer.9.3"})
def _(screen: Screen, values: Values) -> bool:
    return _arrows(screen)[:2] == (1, 1)


_MISSED = {"goal": "answer", "goal_at": "answer.9.3", "updates": "0", "dropout": 0.3, "answer_steps": "15"}


@claim("backward.one_arrow.missed", "backward.flow", _MISSED)
def _(screen: Screen, values: Values) -> bool:
    return _arrows(screen)[:2] == (1, 0)


@claim(
    "backward.alone.no_arrow",
    "backward.flow",
    _STEPS | {"updates": "0", "goal_at": "answer.10.4", "answer_steps": "15"},
)
def _(screen: Screen, values: Values) -> bool:
    arrows, _, most = _arrows(screen)
    return not arrows and most < 0.1 and abs(number(values["most"]) - most) < 0.0051


@claim("backward.alone.no_arrow_at_rest", "backward.flow", _STEPS | {"updates": "140", "goal_at": "answer.10.4"})
def _(screen: Screen, values: Values) -> bool:
    arrows, _, most = _arrows(screen)
    return not arrows and most < 0.01


def _lost(screen: Screen, values: Values) -> int:
    """How many other answers of the sentence are lost. Asserts that the text counts those that were right at rest."""
    _, now, row, question = _alone(screen)
    rest, right = _alone(screen, 0)[1], right_answers(screen.run)[screen.run.sentence]
    others = [(at, which) for at, which in (right >= 0).nonzero().tolist() if (at, which) != (row, question)]
    were = [at for at in others if int(rest[at].argmax()) == int(right[at])]
    assert number(values["right"]) == len(were)
    return sum(int(now[at].argmax()) != int(right[at]) for at in were)


@claim("backward.others.kept", "backward.flow", _STEPS)
def _(screen: Screen, values: Values) -> bool:
    return _lost(screen, values) == 0


@claim("backward.others.one", "backward.flow", _STEPS | {"updates": "100"})
def _(screen: Screen, values: Values) -> bool:
    return _lost(screen, values) == 1


@claim("backward.others.lost", "backward.flow", _STEPS | {"updates": "100", "answer_steps": "15"})
def _(screen: Screen, values: Values) -> bool:
    return _lost(screen, values) == number(values["lost"]) > 1


def _looks(screen: Screen, values: Values) -> float:
    """The part of the gain, by torch, that the new weights bring with the old values and the old W_O."""
    run = screen.run
    weights, answers, row, question = _alone(screen)
    right = int(right_answers(run)[run.sentence, row, question])
    then, now = (float(each[row, question, right]) for each in (_alone(screen, 0)[1], answers))
    looks = float(alone.with_weights(run, row, weights)[question, right]) - then
    assert now > then
    assert abs(number(values["share"]) - 100 * looks / (now - then)) < 0.6
    return looks / (now - then)


@claim("backward.gained.values", "backward.flow", _EARLY | {"answer_steps": "15"}, _STEPS | {"updates": "0"})
def _(screen: Screen, values: Values) -> bool:
    return _looks(screen, values) < 0.5


@claim(
    "backward.gained.looks", "backward.flow", _EARLY | {"goal_at": "answer.7.3", "updates": "40", "answer_steps": "15"}
)
def _(screen: Screen, values: Values) -> bool:
    return _looks(screen, values) > 0.5


@claim("backward.whole.lead", "backward.whole_lead", {"goal": "answer", "updates": "80"})
def _(screen: Screen, values: Values) -> bool:
    """The loss of an update is a mean over the sentences of its batch, and the layer has one W_Q and one W_K."""
    module = screen.run.module
    return BATCH > 1 and module.w_q.ndim == module.w_k.ndim == 2


_OTHER = {"goal": "answer", "goal_at": "answer.4.2", "updates": "60", "pushed": "3.6.40"}


@claim("backward.answer.against_up", "backward.flow", _OTHER)
def _(screen: Screen, values: Values) -> bool:
    return _against(screen, values, 1)


@claim("backward.answer.against_down", "backward.flow", {"goal": "answer", "updates": "80", "pushed": "3.3.70"})
def _(screen: Screen, values: Values) -> bool:
    return _against(screen, values, -1)


def _against(screen: Screen, values: Values, sign: int) -> bool:
    """By autograd alone, another question pushes the moved weight in the opposite direction."""
    run, made = screen.run, target.found(screen)
    (row,) = (made.target.answers[run.sentence] >= 0).any(-1).nonzero().flatten().tolist()
    asked = [at for at, answer in enumerate(right_answers(run)[run.sentence, row]) if answer >= 0]
    pushes = [target.backward.found(run, Goal("answer", (ANSWER, row, at)), row).gradients["weights"] for at in asked]
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, row].double()
    each = []
    for one in pushes:
        step = one.of_heads(run.module.heads, batch=run.sentence)[:, row].double()
        each.append(-weights * (step - (weights * step).sum(-1, keepdim=True)))
    own = each[asked.index(target.backward.asked_of(run, target.goal(screen), focus_of(run)))]
    head, key, _ = map(int, screen.parameters["pushed"].split("."))
    at = head * own.shape[1] + key
    is_head = number(values["head"]) == at // own.shape[1] + 1 and _is_named(screen, values["key"], at % own.shape[1])
    is_own = float(own.flatten()[at]) * sign < 0
    return is_head and is_own and any(float(one.flatten()[at]) * sign > 0 for one in each)


def _ahead(screen: Screen, values: Values) -> tuple[float, float]:
    """The lead of one answer's logit over the other's in what a head brings: from the named word, and on average over
    all words by their weights. Asserts that one of the two answers is right, and that the push has the sign of the
    difference."""
    run, made = screen.run, target.found(screen)
    ((row, question),) = (made.target.answers[run.sentence] >= 0).nonzero().tolist()
    head, learned = int(number(values["head"])) - 1, layer(used(run.config))
    none = catalogue(screen.language)["all_heads.no_adjective"]
    words = [none if word == "-" else word for word in ANSWERS[question]]
    first, second = (next(at for at, word in enumerate(words) if word in values[way]) for way in ("more", "less"))
    unseen = catalogue(screen.language)["backward.unseen"].replace("{{word}}", "")
    for way, at in (("more", first), ("less", second)):
        assert (unseen in values[way]) == (words[at] not in (none, *run.tokens))
    step = "dropped" if "dropped" in run.trace else "weights"
    taken = run.trace[step].of(batch=run.sentence, head=head)[row].double()
    brought = run.trace["values"].of(batch=run.sentence, head=head).double()
    wide = brought.shape[-1]
    logits = brought @ run.module.w_o.detach().double()[head * wide : (head + 1) * wide] @ learned.read_out.double()
    of_question = logits.unflatten(-1, (len(QUESTIONS), -1))[:, question]
    ahead = of_question[:, first] - of_question[:, second]
    (key,) = (at for at in range(len(run.labels["key"])) if _is_named(screen, values["key"], at))
    own, average = float(ahead[key]), float(taken @ ahead)
    right = int(made.target.answers[run.sentence, row, question])
    assert right in (first, second)
    if step == "weights":
        assert (own - average) * (1 if right == first else -1) * float(_pushes(screen)[head, key]) > 0
    return own, average


_WHY = {"goal": "answer", "goal_at": "answer.3.4"}


@claim(
    "backward.why.alone",
    "backward.flow",
    *(_WHY | {"updates": at} for at in ("80", "110")),
    # The rival of this answer is no word of the sentence.
    _WHY | {"goal_at": "answer.10.4", "updates": "70"},
    _WHY | {"updates": "110", "dropout": 0.3},
)
def _(screen: Screen, values: Values) -> bool:
    return _ahead(screen, values)[0] > 0


@claim("backward.why.than_others", "backward.flow", _WHY | {"updates": "120"}, _WHY | {"updates": "110"})
def _(screen: Screen, values: Values) -> bool:
    """The word's lead is below the average, which includes the word itself, and so below the lead of the others."""
    own, average = _ahead(screen, values)
    return 0 < own < average
