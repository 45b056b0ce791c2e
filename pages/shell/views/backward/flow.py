"""A sentence, and how one number of a word flows back over the arcs to the words that it came from."""

from collections.abc import Iterator, Mapping

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
from pages.shell.views.backward import alone, answer, answered, guessed, prices, pushed, strength, target
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of

# The most numbers of an output that a finger can tell apart.
_OFFERED = 32
# The goals that differentiate one number; `answer` is one if nothing is asked.
_OF_CELL = ("cell", "answer")
# The least weight whose gradient is worth a sentence: softmax passes hardly anything on through a smaller one.
_WORTH = 0.05
# If no gradient of a loss is as large, its layer has learned.
_LEAST = 0.05
# The end of a loss's colour scale, which is the same before and after an update.
_BOUND = 0.2


def flow(screen: Screen) -> Iterator[Block]:
    """A click on a word differentiates its answer, a wrong one first, or else the largest number of its output."""
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
    # The arrows stay those of the layer at rest, to be compared with the result.
    after = alone.now(screen, query, question)
    has_moved, taken = after is not run, alone.steps(screen)
    is_visit = is_answer and alone.is_visit(screen, query, question)
    asks = asking.asks(after, query, shown, "weights")
    of_all = strength.pushes(run, made, query) if is_answer else _of_weights(run, made)[:, query]
    # Other words' answers do not depend on this word's weights.
    waits = is_answer and not has_moved and guessed.waits(screen, query, question, of_all)
    has_none = waits or is_visit or (is_answer and question is None)
    gradients = torch.zeros(of_all[:, :shown].shape) if has_none else of_all[:, :shown]
    sizes = _of_inputs(run, made)[:shown].norm(dim=-1)
    word = run.labels["query"][query]
    # Softmax has already made the push on the score of a small weight small.
    worth = 0.0 if is_answer else _WORTH
    fastest = _fastest(gradients, torch.tensor([one.weights for one in asks]), worth)
    slope = float(gradients[fastest]) if fastest >= (0, 0) else 0.0
    output = [] if is_answer else _output(run, query)
    picked = column if goal.kind in _OF_CELL and not is_loss and step == backward.OUTPUT else -1
    strongest = pushed.Strongest(slope, *fastest)
    part = answered.Part(screen, after, query, question, of_all, strongest, waits=waits)
    if is_answer:
        said = answered.said(part)
    else:
        said = (_of_loss if is_loss else _said)(run, made, goal, slope, *fastest)
        # An arrow shows the descent: a weight that raises the loss is pushed down.
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
        [] if waits else [[_signed(float(one)) for one in of_head] for of_head in gradients],
        _BOUND if is_loss else float(gradients.abs().max()) or 1.0,
        fastest,
        sizes.tolist(),
        [say("asking.head", head=one.head) for one in asks],
        [
            *(_sets(screen, after, at - earlier, goal.kind) for at in range(shown)),
            *(_at(query, at, goal.kind) for at in range(len(output))),
        ],
        {
            "output": say("backward.flow.output"),
            **(answered.labels(part, tokens[:shown], earlier) if is_answer else {}),
        },
        [
            *(say("backward.answer.weight_of_head", head=one.head) for one in asks if is_answer),
            *(say(of_head, head=one.head) for one in asks if not waits),
            say("backward.flow.size"),
        ],
        output,
        picked,
        [say("backward.flow.pick", feature=at + 1, number=fixed(one)) for at, one in enumerate(output)],
        strength.sizes(gradients) if is_answer else None,
        alone.weights(run, query)[:, :shown].tolist() if has_moved else (),
        alone.came(run, after, query, of_all)[:, :shown].tolist() if taken and has_moved and not is_visit else (),
        **(answered.bars(part, shown) | answered.answers(part, shown, earlier) if is_answer else {}),
    )
    yield blocks.figures(drawn, click={})
    if is_answer:
        yield from answered.beside(part)


def _of_weights(run: Run, made: Backward) -> Tensor:
    """Gradients of the weights (heads, queries, keys); zeros if the number does not depend on them."""
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)
    if "weights" not in made.gradients:
        return torch.zeros(weights.shape)
    return made.gradients["weights"].of_heads(run.module.heads, batch=run.sentence).cpu().float()


def _of_inputs(run: Run, made: Backward) -> Tensor:
    """Gradients of the input of keys and values (keys, features); zeros if the number does not depend on it."""
    id = "context" if "context" in run.trace else "x"
    if id not in made.gradients:
        return torch.zeros(run.trace[id].of(**run.where).shape)
    return made.gradients[id].of(**run.where).cpu().float()


def _sets(screen: Screen, now: Run, query: int, kind: str) -> Mapping[str, str]:
    """The settings of a click on a word; none for a word that does not ask. now: the layer that is shown; kind: of the
    present goal."""
    run = screen.run
    if not 0 <= query < LIMIT:
        return {}
    if kind == "answer" and backward.loss(run) is not None:
        wrong = prices.lost(run, now, query) or answer.wrong(now, query)
        question = wrong[0].question if wrong else answer.first_of(run, query)
        return alone.looks_at(screen, query, question)
    # The loss is that of all words: with it, another word would change the arcs but not the number.
    kept = "cell" if kind == "loss" else kind
    return _at(query, int(run.matrix(backward.OUTPUT)[query, :LIMIT].abs().argmax()), kept)


def _at(query: int, column: int, kind: str) -> Mapping[str, str]:
    of_cell = {} if kind in ("cell", "row", "sum") else {"goal": ""}
    return {"goal_at": f"{backward.OUTPUT}.{query}.{column}", "cell": ""} | of_cell


def _output(run: Run, query: int) -> list[float]:
    """The numbers of a word's output, to be chosen from; none if there are too many."""
    if not run.has_layer or run.module.d_out > _OFFERED or query >= LIMIT:
        return []
    return [float(one) for one in run.matrix(backward.OUTPUT)[query]]


def _fastest(gradients: Tensor, weights: Tensor, worth: float) -> tuple[int, int]:
    """The head and the key of the arc that changes the number fastest, among weights from `worth` on; -1 and -1 if none
    does."""
    drawn = torch.where(weights >= worth, gradients, 0)
    return divmod(int(drawn.abs().argmax()), drawn.shape[1]) if drawn.any() else (-1, -1)


def _what(run: Run, goal: backward.Goal) -> str:
    """The differentiated number: a feature of a word's output by its name, anything else as "the number"."""
    step, row, column = backward.goal_cell(run, goal, focus_of(run))
    if goal.kind not in _OF_CELL or step != backward.OUTPUT:
        return say("backward.flow_what.number")
    return say("backward.flow_what.feature", feature=column + 1, word=run.labels["query"][row])


def _of_loss(run: Run, made: Backward, _: backward.Goal, slope: float, head: int, key: int) -> str:
    """The loss of the layer, and the arc of the word that would lower it fastest."""
    setting, loss = learned.used(run.config) if answer.is_trained(run) else None, fixed(made.number)
    when = say("backward.flow.after", updates=setting.updates) if setting else say("backward.flow.here")
    if abs(slope) < _LEAST:
        return say("backward.flow.learned", when=when, loss=loss)
    kind = "less" if slope > 0 else "more"
    return say(f"backward.loss_said.{kind}", when=when, loss=loss, head=head + 1, key=naming.of_key(run, key))


def _said(run: Run, _: Backward, goal: backward.Goal, slope: float, head: int, key: int) -> str:
    """The effect of the strongest arc on the number. slope: of the arc that changes it fastest, 0 if none does."""
    what = _what(run, goal)
    if not slope:
        return say("backward.flow.none", what=what)
    kind, by = "raises" if slope > 0 else "lowers", digits(abs(slope) / 10, 2)
    word = naming.of_key(run, key)
    told = say(f"backward.flow_said.{kind}", what=what, head=head + 1, key=word, by=by)
    return listed("sentence", (told, say("backward.flow.colours")))


def _signed(number: float) -> str:
    return ("+" if number >= 0.005 else "") + fixed(number)
