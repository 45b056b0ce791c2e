"""A sentence and its arcs under dropout: draw after draw, and whether the answers are right."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attention.experiments import dropout_draws
from attention.inputs.learned import Setting
from pages.shell.component.dropping import Dropping
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut, plain
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned
from pages.shell.runs.backward import right_answers
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, SEEDS, Config
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.arcs import looks
from pages.shell.views.blocks import Block

# How many draws follow each other; fewer of a large run, whose weights are dropped all at once.
_DRAWS, _FEWEST, _WEIGHTS = 60, 5, 2_500_000
# What the browser fills in, draw by draw.
_HOLES = {name: f"{{{{{name}}}}}" for name in ("draw", "draws", "name", "right", "cut", "arcs", "asked")}
# What is said of an answer at its arc, and of the answers so far.
_SAID = ("right", "wrong", "counted")


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word looks at it; each draw is one of those that the setting `draw` counts."""
    run, query = screen.run, head_arcs.asked_of(screen)
    tokens, word = run.labels["key"], run.labels["query"][query]
    focus = query + len(tokens) - len(run.labels["query"])
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    made = asking.asks(run, query, shown, "weights")
    weights = run.trace["weights"].of_heads(run.module.heads, batch=run.sentence)[:, query, :shown].cpu()
    draws = series(run, query)[:, :, :shown]
    answers = rights(run, query)
    rows = [asking.name_of(question) for question in answers]
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
        _labels(bool(answers)) if len(draws) else {},
        {f"told_{name}": say(f"dropping.go.{name}") for name in ("back", "play", "stop", "next")},
        list(answers.values()),
        [_asked(run, query, question) for question in answers],
        [rows.index(one.name) if one.name in rows else -1 for one in made],
        _of_layer(run),
    )
    yield blocks.figures(drawn, click={})
    yield from _sent_on(run, query)


def _of_layer(run: Run) -> str:
    """With which dropout the layer was trained whose arcs these are; "" of weights that nobody trained."""
    setting = learned.used(run.config)
    if setting is None:
        return ""
    return (
        say("dropping.arcs_trained", p=f"{setting.dropout:.1f}") if setting.dropout else say("dropping.arcs_untrained")
    )


def _sent_on(run: Run, query: int) -> Iterator[Block]:
    """From a word that asks little to the one that asks most: there answers fall and survive."""
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
    """That inference takes the weights as they are, such as the largest one."""
    head, key = divmod(int(weights.argmax()), weights.shape[1])
    return say("dropping.arcs_inference", word=word, key=tokens[key], weight=fixed(weights[head, key]))


def _asked(run: Run, query: int, question: int) -> str:
    """A question of a word with its right answer."""
    one = next(one for one in asking.questions(run, query) if one.question == question)
    right = say("all_heads.no_adjective") if of_words.is_nothing(run, one) else run.tokens[one.target]
    return say("dropping.arcs_asked", question=asking.name_of(question), answer=right)


def _labels(is_asked: bool) -> dict[str, str]:
    """What stands in the figure, draw by draw."""
    said = {name: say(f"dropping.arcs_{name}", **_HOLES) for name in _SAID}
    return said | {"told": say("dropping.arcs_answered" if is_asked else "dropping.arcs_told", **_HOLES)}


def series(run: Run, query: int) -> np.ndarray:
    """What a query takes in the draws among which that of the screen is: (draws, heads, keys); none in inference."""
    # With p = 0, too, there are draws: all alike. A slider that comes by 0 moves nothing else.
    if run.config.mode != "training":
        return np.zeros((0, run.module.heads, run.trace.sizes["key"]), dtype=np.float32)
    return _of(run, query).taken


def rights(run: Run, query: int) -> dict[int, np.ndarray]:
    """By the questions of a query that the layer of the screen was trained to answer: whether it does in each draw."""
    setting = learned.used(run.config)
    if setting is None or run.config.mode != "training":
        return {}
    known = right_answers(run)[run.sentence, query]
    outputs = torch.from_numpy(_of(run, query).outputs)
    projected = outputs @ run.trace["w_o"].value.cpu().float()
    if "b_o" in run.trace:
        projected = projected + run.trace["b_o"].value.cpu().float()
    found = (learned.layer(setting).logits(projected).argmax(-1) == known).numpy()
    return {int(question): found[:, question] for question in (known >= 0).nonzero().flatten()}


class _Draws(NamedTuple):
    """taken (draws, heads, keys), and outputs (draws, heads * d_v) of a query."""

    taken: np.ndarray
    outputs: np.ndarray


def _of(run: Run, query: int) -> _Draws:
    count = min(_DRAWS, max(_FEWEST, _WEIGHTS // run.trace["weights"].value.numel()))
    first = run.config.draw // count * count
    # Another draw or another head of the screen is among the same ones.
    return _drawn(replace(run.config, draw=0, head=1), learned.used(run.config), query, first, count)


# layer: the one that learned, None for other presets: it may be trained anew.
@lru_cache(maxsize=64)
def _drawn(config: Config, layer: Setting | None, query: int, first: int, count: int) -> _Draws:
    run = compute(config)
    draws = range(first, first + count)
    generators = (torch.Generator().manual_seed(config.seed + SEEDS * draw) for draw in draws)
    with torch.inference_mode():
        rows = dropout_draws.one_by_one(run.trace, query, generators, p=config.dropout, batch=run.sentence)
    return _Draws(rows.taken.float().numpy(), rows.outputs.float().flatten(1).numpy())
