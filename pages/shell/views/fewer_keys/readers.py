"""Which query head reads which key head, what merging costs, and the mistake that shapes do not tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

import torch
from torch import Tensor

from attention.experiments import learning
from attention.experiments.learning import Scores
from attention.experiments.shared_keys import averaged
from attention.explain.cell import cell
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.inputs import shared_keys
from attention.inputs.grammar import EXAMPLE, QUESTIONS, read
from attention.inputs.learned import Learned
from attention.inputs.shared_keys import SETTING, UPDATES
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.component.sharing import Sharing, Stage
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap

_HEADS = SETTING.heads
# The least share on the right word of a head that is named after the question.
_EARNED = 0.5


@dataclass(frozen=True)
class _Measured:
    """A layer on the sentence, and on the test sentences: the share of the questions that it answers rightly."""

    trace: Trace
    scores: Scores

    @property
    def right(self) -> float:
        return self.scores.mean


def _measured(layer: Learned) -> _Measured:
    trace, ready = Trace(), layer.prepared((read(_words()),))
    with torch.inference_mode():
        layer.module(ready.inputs.x, trace=trace)
        return _Measured(trace, learning.measure(layer))


@cache
def _merged(kv_heads: int) -> _Measured:
    """The layer whose key heads were averaged to so many, of as many as the control offers."""
    return _measured(averaged(kv_heads))


@cache
def _later(kv_heads: int) -> _Measured:
    """The same once it was trained on, where there was something to average."""
    return _merged(kv_heads) if kv_heads == _HEADS else _measured(shared_keys.shipped(kv_heads))


def right(kv_heads: int) -> float:
    """The share of the test questions that the layer answers rightly with so many key heads."""
    return _merged(kv_heads).right


def _words() -> list[str]:
    return EXAMPLE.split()


def _numbers(trace: Trace, id: str) -> Tensor:
    """Of the one sentence: (heads, words, numbers)."""
    return trace[id].value[0]


def _questions() -> list[tuple[str, int]]:
    """Of each head of the layer that shares nothing, what it asks for the verb and the word that answers, where it puts
    at least half of its weight there, here and over the test sentences; else "" and -1."""
    whole, sentence = _merged(_HEADS), read(_words())
    weights = _numbers(whole.trace, "weights")[:, sentence.verb]
    made = []
    for head in range(_HEADS):
        earned = [
            asked
            for asked in sentence.asked
            if asked.place == sentence.verb
            and min(whole.scores.by_head[asked.question][head], float(weights[head, asked.target])) >= _EARNED
        ]
        made.append((_question(earned[0].question), earned[0].target) if earned else ("", -1))
    return made


def _question(question: int) -> str:
    return say(f"learned.question.{QUESTIONS[question]}") + say("asking.mark")


def readers(screen: Screen) -> Iterator[Block]:
    """Query heads and the key head that each reads, what the layer answers rightly, the cache, and what the chosen head
    takes for the verb; a click chooses a query head."""
    chosen = screen.own(FewerKeys)
    kv_heads = int(chosen.kv_of_8)
    stages = _merged(_HEADS), _merged(kv_heads), _later(kv_heads)
    verb, group = read(_words()).verb, _HEADS // kv_heads
    names, answers = zip(*_questions(), strict=True)
    of_all, cached = (_cached(of.trace) for of in stages[:2])
    asks = chosen.asks - 1
    labels = {
        "queries": say("fewer.queries", heads=_HEADS),
        "rights": say("fewer.rights"),
        "takes": _takes(asks, names[asks], asks // group, _words()[verb]),
        "query": say("fewer.query_head"),
        "key_heads": say("fewer.key_heads"),
        "asked": say("fewer.asked"),
        "kind": say("fewer.kind"),
        "keys": say("fewer.keys"),
        "cache": say("fewer.cache_bar", cached=f"{cached:,}", of=f"{of_all:,}"),
        "cached": _percent(cached / of_all),
    }
    drawn = Sharing(
        "reads",
        say("fewer.reads"),
        _words(),
        torch.stack([_numbers(of.trace, "weights")[:, verb] for of in stages]).numpy(),
        answers,
        kv_heads,
        asks,
        [say("fewer.reads_key", head=head + 1, key=head // group + 1) for head in range(_HEADS)],
        names,
        [say("fewer.key_box", key=key + 1) for key in range(_HEADS)],
        [Stage(*words, of.right, _percent(of.right)) for words, of in zip(_stages(kv_heads), stages, strict=True)],
        labels,
        say("fewer.reads_all", heads=_HEADS) if group == 1 else _price(group, *(of.right for of in stages[1:])),
    )
    yield blocks.figures(drawn, click={"asks": "{row_number}"})


def _takes(head: int, question: str, key: int, word: str) -> str:
    """What stands above the shares of a head."""
    if question:
        return say("fewer.takes", head=head + 1, question=question, key=key + 1, word=word)
    return say("fewer.takes_unasked", head=head + 1, key=key + 1, word=word)


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _price(times: int, shared: float, later: float) -> str:
    """What sharing takes from the answers, what training gives back, and what is saved."""
    rights = {"averaged": f"{shared:.0%}", "later": f"{later:.1%}"}
    return say("fewer.reads_note", times=times, updates=UPDATES, **rights)


def _stages(kv_heads: int) -> list[tuple[str, str]]:
    """Of each stage what the layer is, and the same in a word or two."""
    made = [say("fewer.stage.own"), say("fewer.stage.not_shared"), say("fewer.stage.not_trained")]
    if kv_heads < _HEADS:
        made[1:] = say("fewer.stage.averaged", heads=kv_heads), say("fewer.stage.later", updates=UPDATES)
    short = say("fewer.short.own"), say("fewer.short.averaged"), say("fewer.short.later")
    return list(zip(made, short, strict=True))


def _cached(trace: Trace) -> int:
    """How many numbers the keys and values of the sentence are."""
    return sum(_numbers(trace, id).numel() for id in ("keys", "values"))


def one(screen: Screen) -> Iterator[Block]:
    """The scores of the query head that is chosen, and the keys that it reads."""
    chosen = screen.own(FewerKeys)
    kv_heads, at = int(chosen.kv_of_8), chosen.asks - 1
    trace = _merged(kv_heads).trace
    key, words = at // (_HEADS // kv_heads), _words()
    features = [str(place + 1) for place in range(SETTING.d_k)]
    scores = heatmap_of("head-scores", trace["scores"].of(batch=0, head=at), "query", "key")
    keys = heatmap_of("key-head", trace["keys"].of(batch=0, head=at), "key", "feature")
    run, labels = compute(Config()), {"query": words, "key": words, "feature": features}
    title = say("fewer.head_scores", head=at + 1)
    scores_figure = Figure(scores, title, words, words, say("fewer.scores_note", key=key + 1))
    keys_figure = Figure(keys, say("fewer.key_head", key=key + 1), words, features, say("fewer.key_note", head=at + 1))
    yield from explained.row(
        screen,
        "fewer-keys",
        ExplainedHeatmap(run, scores_figure, partial(cell, trace, "scores", batch=0, head=at), labels),
        ExplainedHeatmap(run, keys_figure, partial(cell, trace, "keys", batch=0, head=at), labels),
    )


def tiled(screen: Screen) -> Iterator[Block]:
    """The mistake: key heads tiled in place of repeated, by query head."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    trace = _merged(kv_heads).trace
    q, k, v = (_numbers(trace, id) for id in ("queries", "keys", "values"))
    k, v = (one.repeat(_HEADS // kv_heads, 1, 1) for one in (k, v))
    wrong = scaled_dot_product_attention(q, k, v)
    apart = (_numbers(trace, "output") - wrong).abs().amax((-2, -1)).tolist()
    yield blocks.text(say("fewer.tiled"))
    header = say("fewer.query_head"), *(str(head + 1) for head in range(_HEADS))
    yield blocks.table(*header, rows=[[say("fewer.apart"), *(digits(far, 2) for far in apart)]])
