"""A sentence and its arcs under dropout: draw after draw, and whether the answers are right."""

from collections.abc import Iterator, Sequence

from torch import Tensor

from pages.shell.component.dropping import Beside, Dropping
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut, plain
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, TRAINED_PS
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.arcs import looks
from pages.shell.views.blocks import Block
from pages.shell.views.dropout import two_layers
from pages.shell.views.dropout.series import series

# Placeholders that the browser fills draw by draw.
_HOLES = {name: f"{{{{{name}}}}}" for name in ("draw", "draws", "name", "right", "cut", "arcs", "asked", "lucky", "so")}
# The texts of an answer at its arc and under it, and of the answers so far.
_SAID = ("right", "anyway", "wrong", "alone", "counted", "lucky", "rings")


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word looks at it; each draw is one of those that the setting `draw` counts."""
    run, query = screen.run, head_arcs.asked_of(screen)
    tokens, word = run.labels["key"], run.labels["query"][query]
    focus = query + len(tokens) - len(run.labels["query"])
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    made = asking.asks(run, query, shown, "weights")
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, query, :shown].cpu()
    draws = series(run, query)[:, :, :shown]
    answers = two_layers.outcomes(run, query)
    rows = [asking.name_of(question) for question in answers]
    beside = two_layers.other(run, query)
    drawn = Dropping(
        "dropping",
        say("dropping.arcs_title", word=word),
        "" if len(draws) else _unchanged(word, tokens, weights),
        tokens[:shown],
        focus,
        run.head,
        made,
        [head_arcs.named(one.head, one.name) for one in made],
        [one.name or head_arcs.named(one.head, "") for one in made],
        draws,
        run.config.draw % len(draws) if len(draws) else 0,
        run.config.draw // len(draws) * len(draws) if len(draws) else 0,
        looks(run, shown, query),
        _labels(run, len(answers)) if len(draws) else {},
        {f"told_{name}": say(f"dropping.go.{name}") for name in ("back", "play", "stop", "next")},
        list(answers.values()),
        [_asked(run, query, question, beside) for question in answers],
        [rows.index(one.name) if one.name in rows else -1 for one in made],
        two_layers.of_which(run),
        _beside(beside, list(answers)),
    )
    yield blocks.figures(drawn, click={})
    yield from _sent_on(run, query)


def _sent_on(run: Run, query: int) -> Iterator[Block]:
    """A link from a word with few questions to the one with the most, where answers fall and survive."""
    if run.config.preset != LEARNED or run.config.mode != "training":
        return
    counts = [len(asking.questions(run, each)) for each in range(len(run.labels["query"]))]
    most = counts.index(max(counts))
    if counts[query] == counts[most]:
        return
    word, other = (plain(cut(run.labels["query"][at])) for at in (query, most))
    told = say("dropping.asks_one" if counts[query] else "dropping.asks_nothing", word=word)
    offered = say("dropping.asks_most", word=other, count=counts[most])
    yield blocks.buttons((offered, None, {"cell": f"weights.{most}.0.arcs"}), said=told)


def _unchanged(word: str, tokens: Sequence[str], weights: Tensor) -> str:
    """The sentence that inference takes the weights unchanged, with the largest one."""
    head, key = divmod(int(weights.argmax()), weights.shape[1])
    return say("dropping.arcs_inference", word=word, key=tokens[key], weight=fixed(weights[head, key]))


def _beside(other: two_layers.Other | None, questions: list[int]) -> Beside | None:
    """The line of another layer. The layer without dropout has the lower line, whichever has the arcs."""
    if other is None:
        return None
    name = say("dropping.arcs_beside", question=other.name, layer=other.layer)
    is_below = other.sets["trained_p"] == TRAINED_PS[0]
    return Beside(questions.index(other.question), other.outcomes, name, other.sets, is_below)


def _asked(run: Run, query: int, question: int, beside: two_layers.Other | None) -> str:
    """A question of a word with its right answer or, beside another layer, with the layer's name."""
    if beside and beside.question == question:
        return say("dropping.arcs_beside", question=beside.name, layer=beside.here)
    one = next(one for one in asking.questions(run, query) if one.question == question)
    right = say("all_heads.no_adjective") if of_words.is_nothing(run, one) else run.tokens[one.target]
    return say("dropping.arcs_asked", question=asking.name_of(question), answer=right)


def _labels(run: Run, asked: int) -> dict[str, str]:
    """The texts of the figure, draw by draw, and the factor of an arc that stays. asked: the number of questions of the
    word."""
    said = {name: say(f"dropping.arcs_{name}", **_HOLES) for name in _SAID}
    if p := run.config.dropout:
        factor = f"{1 / (1 - p):.3g}"
        suffix, told = ("_twice", {}) if factor == "2" else ("", {"factor": factor})
        said["counts"] = say(f"dropping.arcs_counts{suffix}", **told)
        # Without dropout in training, the same arc can be too little at a small p and enough at a larger one.
        if (setting := learned.used(run.config)) and not setting.dropout:
            said["enough"] = say(f"dropping.arcs_enough{suffix}", **told)
    said |= {f"so_{name}": say(f"dropping.so.{name}") for name in ("wrong", "right", "luck")} if asked == 1 else {}
    line = {0: "told", 1: "answered_one"}.get(asked, "answered")
    return said | {"told": say(f"dropping.arcs_{line}", **_HOLES)}
