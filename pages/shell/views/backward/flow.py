"""A sentence, and how one number of one word flows back: over the arcs to the words that it came from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attention.analysis.backward import Backward, CrossEntropy
from attention.figures import LIMIT
from pages.shell.component.flow import Flow
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks, naming
from pages.shell.views.backward import alone, answer, pushed, strength, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# Numbers of an output that a finger can tell apart.
_OFFERED = 32
# What differentiates one number: an answer, too, where nothing is asked.
_OF_CELL = ("cell", "answer")
# The least weight whose gradient is worth a sentence: of a smaller one, softmax passes hardly anything on.
_WORTH = 0.05
# Where no gradient of a loss is as large, its layer has learned.
_LEAST = 0.05
# Of a loss, whose colours are the same before and after an update: where they end.
_BOUND = 0.2


def flow(screen: Screen) -> Iterator[Block]:
    """A click on a word differentiates what is asked of it: its answer, a wrong one first, or the largest number of its
    output."""
    run, made, goal = screen.run, target.found(screen), target.goal(screen)
    step, row, column = backward.goal_cell(run, goal, focus_of(run))
    query = row if run.trace[step].axes[-2:-1] == ("query",) else focus_of(run)
    tokens = run.labels["key"]
    earlier = len(tokens) - len(run.labels["query"])
    focus = query + earlier
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    is_loss = isinstance(made.target, CrossEntropy)
    is_answer = is_loss and goal.kind == "answer"
    question = backward.asked_of(run, goal, focus_of(run))
    # Arrows stay those of the layer at rest: one sees what came of them.
    after = alone.now(screen, query, question)
    has_learned = after is not run
    asks = asking.asks(after, query, shown, "weights")
    of_all = strength.pushes(run, made, query) if is_answer else _of_weights(run, made)[:, query]
    # The answers to other words' questions do not depend on what this one takes.
    gradients = torch.zeros(of_all[:, :shown].shape) if is_answer and question is None else of_all[:, :shown]
    sizes = _of_inputs(run, made)[:shown].norm(dim=-1)
    word = run.labels["query"][query]
    # Of a small weight, softmax has made the push on its score small already.
    worth = 0.0 if is_answer else _WORTH
    fastest = _fastest(gradients, torch.tensor([one.weights for one in asks]), worth)
    slope = float(gradients[fastest]) if fastest >= (0, 0) else 0.0
    output = [] if is_answer else _output(run, query)
    picked = column if goal.kind in _OF_CELL and not is_loss and step == backward.OUTPUT else -1
    strongest = pushed.Strongest(slope, *fastest)
    whys: list[list[str]] = []
    if is_answer:
        whys = pushed.whys(run, question, query, of_all)
        one = answer.of_question(run, query, question)
        if one is not None and has_learned:
            said = alone.said(run, after, query, one, alone.steps(screen))
        else:
            said = pushed.said(run, question, query, strongest, whys)
    else:
        said = (_of_loss if is_loss else _said)(run, made, goal, slope, *fastest)
        # What raises a loss is pushed down.
        gradients = 0 - gradients if is_loss else gradients
    of_head = "backward.answer.of_head" if is_loss else "backward.flow.of_head"
    drawn = Flow(
        "flow",
        say("backward.flow.title", word=word),
        said,
        tokens[:shown],
        focus,
        run.head,
        asks,
        gradients.numpy(),
        [[_signed(float(one)) for one in of_head] for of_head in gradients],
        _BOUND if is_loss else float(gradients.abs().max()) or 1.0,
        fastest,
        sizes.tolist(),
        [say("asking.head", head=one.head) for one in asks],
        [
            *(_sets(run, at - earlier, goal.kind) for at in range(shown)),
            *(_at(query, at, goal.kind) for at in range(len(output))),
        ],
        {
            "output": say("backward.flow.output"),
            **(_key(run, after, tokens[:shown], earlier) | {"whys": whys} if is_answer else {}),
        },
        [
            *(say("backward.answer.weight_of_head", head=one.head) for one in asks if is_answer),
            *(say(of_head, head=one.head) for one in asks),
            say("backward.flow.size"),
        ],
        output,
        picked,
        [say("backward.flow.pick", feature=at + 1, number=fixed(one)) for at, one in enumerate(output)],
        strength.sizes(gradients) if is_answer else None,
        alone.weights(run, query)[:, :shown].tolist() if has_learned else (),
        alone.came(run, after, query, of_all)[:, :shown].tolist() if has_learned else (),
    )
    yield blocks.figures(drawn, click={})
    if is_answer:
        yield from pushed.beside(run, after, question, query, strongest, of_all)


def _key(run: Run, now: Run, tokens: Sequence[str], earlier: int) -> dict[str, Any]:
    """What the signs of the picture are, what is told where one points at an arrow, and of each word that has one, its
    wrong answer, and whether it was right at rest. now: the layer that is shown."""
    signs = ("weight", "before", "ways", "wrong", "wrong_newly")
    names: dict[str, Any] = {name: say(f"backward.lane.{name}") for name in signs}
    # With holes that the browser fills.
    told = say("backward.lane_told", head="{{head}}", word="{{word}}", weight="{{weight}}", push="{{push}}")
    mistakes, newly = [], []
    for row, token in enumerate(tokens, -earlier):
        wrong = answer.wrong(now, row) if row >= 0 else []
        lost = alone.lost(run, now, row) if wrong else []
        named = asking.name_of((lost or wrong)[0].question) if wrong else ""
        kind = "backward.mistake_new" if lost else "backward.mistake"
        mistakes.append(say(kind, word=token, question=named) if wrong else "")
        newly.append(bool(lost))
    return names | {"told": told, "mistakes": mistakes, "newly": newly}


def _of_weights(run: Run, made: Backward) -> Tensor:
    """(heads, queries, keys); zeros where the number does not depend on them."""
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)
    if "weights" not in made.gradients:
        return torch.zeros(weights.shape)
    return made.gradients["weights"].of_heads(run.module.heads, batch=run.sentence).cpu().float()


def _of_inputs(run: Run, made: Backward) -> Tensor:
    """(keys, features), of what keys and values are made of; zeros where the number does not depend on it."""
    id = "context" if "context" in run.trace else "x"
    if id not in made.gradients:
        return torch.zeros(run.trace[id].of(**run.where).shape)
    return made.gradients[id].of(**run.where).cpu().float()


def _sets(run: Run, query: int, kind: str) -> Mapping[str, str]:
    """What a click on a word gives; nothing for one that does not ask. kind: of the goal that is there."""
    if not 0 <= query < LIMIT:
        return {}
    if kind == "answer" and backward.loss(run) is not None:
        wrong = answer.wrong(run, query)
        question = wrong[0].question if wrong else answer.first_of(run, query)
        return {"goal_at": f"{backward.ANSWER}.{query}.{question}", "cell": "", "answer_steps": ""}
    # A loss is that of all words: another one has other arcs, and the same loss.
    kept = "cell" if kind == "loss" else kind
    return _at(query, int(run.matrix(backward.OUTPUT)[query, :LIMIT].abs().argmax()), kept)


def _at(query: int, column: int, kind: str) -> Mapping[str, str]:
    of_cell = {} if kind in ("cell", "row", "sum") else {"goal": ""}
    return {"goal_at": f"{backward.OUTPUT}.{query}.{column}", "cell": ""} | of_cell


def _output(run: Run, query: int) -> list[float]:
    """The output of a word, whose numbers are offered; of many, none."""
    if not run.has_layer or run.module.d_out > _OFFERED or query >= LIMIT:
        return []
    return [float(one) for one in run.matrix(backward.OUTPUT)[query]]


def _fastest(gradients: Tensor, weights: Tensor, worth: float) -> tuple[int, int]:
    """The head and the key of the arc that changes the number fastest, of weights from worth on; -1 and -1 where none
    does."""
    drawn = torch.where(weights >= worth, gradients, 0)
    return divmod(int(drawn.abs().argmax()), drawn.shape[1]) if drawn.any() else (-1, -1)


def _what(run: Run, goal: backward.Goal) -> str:
    """Which number is differentiated: a feature of the output of a word by its name, anything else as the number."""
    step, row, column = backward.goal_cell(run, goal, focus_of(run))
    if goal.kind not in _OF_CELL or step != backward.OUTPUT:
        return say("backward.flow_what.number")
    return say("backward.flow_what.feature", feature=column + 1, word=run.labels["query"][row])


def _of_loss(run: Run, made: Backward, _: backward.Goal, slope: float, head: int, key: int) -> str:
    """How large the loss of the layer is, and which arc of the word would lower it fastest."""
    setting, loss = learned.used(run.config) if answer.is_trained(run) else None, fixed(made.number)
    when = say("backward.flow.after", updates=setting.updates) if setting else say("backward.flow.here")
    if abs(slope) < _LEAST:
        return say("backward.flow.learned", when=when, loss=loss)
    kind = "less" if slope > 0 else "more"
    return say(f"backward.loss_said.{kind}", when=when, loss=loss, head=head + 1, key=naming.of_key(run, key))


def _said(run: Run, _: Backward, goal: backward.Goal, slope: float, head: int, key: int) -> str:
    """slope: of the arc that changes the number fastest, 0 where none does."""
    what = _what(run, goal)
    if not slope:
        return say("backward.flow.none", what=what)
    kind, by = "raises" if slope > 0 else "lowers", digits(abs(slope) / 10, 2)
    word = naming.of_key(run, key)
    told = say(f"backward.flow_said.{kind}", what=what, head=head + 1, key=word, by=by)
    return listed("sentence", (told, say("backward.flow.colours")))


def _signed(number: float) -> str:
    return ("+" if number >= 0.005 else "") + fixed(number)
