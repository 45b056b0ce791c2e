"""Which query head reads which key head, what merging costs, and the mistake that shapes do not tell."""

from collections.abc import Iterator, Sequence
from functools import partial

import torch

from attention.experiments.learning import TEST
from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.inputs.grammar import LENGTHS
from attention.inputs.shared_keys import EVERY, SETTING, UPDATES, recovered
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.component.sharing import Sharing, Stage
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.fewer_keys import layers
from pages.shell.views.fewer_keys.layers import HEADS, Measured

# What counts as repaired: the price is told by the updates until then.
_REPAIRED = 0.9
# A sentence is called lucky if more than so many times the share of the test questions is right in it.
_LUCKY = 2


def readers(screen: Screen) -> Iterator[Block]:
    """Query heads and the key head that each reads, what the layer answers to the verb of the sentence and rightly on
    test sentences, by stage; what the training took, and the cache. A click chooses a query head."""
    chosen = screen.own(FewerKeys)
    kv_heads = int(chosen.kv_of_8)
    made = layers.merged(HEADS), layers.merged(kv_heads), layers.later(kv_heads)
    sentence, group = layers.sentence(), HEADS // kv_heads
    asked = [layers.question(one.question) for one in layers.asked()]
    answers = [sentence.words[one.target] for one in layers.asked()]
    of_all, cached = (_cached(of.trace) for of in made[:2])
    asks = layers.questions()
    labels = {
        "queries": say("fewer.queries", heads=HEADS),
        "rights": say("fewer.rights", sentences=TEST * len(LENGTHS)),
        "answered": say("fewer.answered", sentence=" ".join(sentence.words), word=sentence.words[sentence.verb]),
        "here": say("fewer.here"),
        "query": say("fewer.query_head"),
        "key_heads": say("fewer.key_heads"),
        "asked": say("fewer.asked"),
        "kind": say("fewer.kind"),
        "keys": say("fewer.keys"),
        "cache": say("fewer.cache_bar", cached=f"{cached:,}", of=f"{of_all:,}"),
        "cached": _percent(cached / of_all),
        "first": "0",
        "last": say("fewer.updates", updates=UPDATES),
    }
    drawn = Sharing(
        "reads",
        say("fewer.reads"),
        kv_heads,
        chosen.asks - 1,
        asks,
        [say("fewer.reads_key", head=head + 1, key=head // group + 1) for head in range(HEADS)],
        [asked[at] if at >= 0 else say("fewer.mixed") for at in asks],
        [say("fewer.key_box", key=key + 1) for key in range(HEADS)],
        asked,
        [_stage(*words, of, answers) for words, of in zip(_stages(kv_heads), made, strict=True)],
        *_way(kv_heads),
        labels,
        say("fewer.reads_all", heads=HEADS) if group == 1 else _price(kv_heads, made[1], answers),
    )
    yield blocks.figures(drawn, click={"asks": "{row_number}"})


def _way(kv_heads: int) -> tuple[Sequence[float], int]:
    """How much is answered rightly on the way of the training, and the step at which that is enough."""
    if kv_heads == HEADS:
        return (), -1
    return recovered(kv_heads), layers.updates_until(_REPAIRED, kv_heads) // EVERY


def _stage(said: str, short: str, of: Measured, answers: Sequence[str]) -> Stage:
    right = [one == answer for one, answer in zip(of.answers, answers, strict=True)]
    here = say("fewer.right_of", right=sum(right), all=len(right))
    return Stage(said, short, of.right, _percent(of.right), of.answers, right, here)


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _price(kv_heads: int, shared: Measured, answers: Sequence[str]) -> str:
    """What sharing takes from the answers, here and on test sentences; what is paid for it, and what it saves."""
    right = sum(one == answer for one, answer in zip(shared.answers, answers, strict=True))
    told = say(
        "fewer.reads_note",
        right=right,
        all=len(answers),
        averaged=f"{shared.right:.0%}",
        updates=UPDATES,
        first=SETTING.steps,
        times=HEADS // kv_heads,
    )
    # Few answers of one sentence say little: where they mislead, that is said.
    is_lucky = right / len(answers) > _LUCKY * shared.right
    return listed("sentence", (told, say("fewer.lucky"))) if is_lucky else told


def _stages(kv_heads: int) -> list[tuple[str, str]]:
    """Of each stage what the layer is, and the same in a word or two."""
    made = [say("fewer.stage.own"), say("fewer.stage.not_shared"), say("fewer.stage.not_trained")]
    if kv_heads < HEADS:
        until = layers.updates_until(_REPAIRED, kv_heads)
        made[1] = say("fewer.stage.averaged", heads=kv_heads)
        made[2] = say("fewer.stage.later", share=f"{_REPAIRED:.0%}", updates=until)
    short = say("fewer.short.own"), say("fewer.short.averaged"), say("fewer.short.later")
    return list(zip(made, short, strict=True))


def _cached(trace: Trace) -> int:
    """How many numbers the keys and values are that the heads hold for the sentence."""
    return sum(trace[id].value[0].numel() for id in ("keys", "values"))


def one(screen: Screen) -> Iterator[Block]:
    """What the chosen query head takes for the verb at each stage; its scores, and the keys that it reads."""
    chosen = screen.own(FewerKeys)
    kv_heads, at = int(chosen.kv_of_8), chosen.asks - 1
    made = layers.merged(HEADS), layers.merged(kv_heads), layers.later(kv_heads)
    trace, sentence = made[1].trace, layers.sentence()
    key, words = at // (HEADS // kv_heads), list(sentence.words)
    features = [str(place + 1) for place in range(SETTING.d_k)]
    names = [short for _, short in _stages(kv_heads)]
    takes = torch.stack([of.of_verb("weights")[at] for of in made])
    taken = heatmap_of("head-takes", takes, "stage", "key", "probability")
    scores = heatmap_of("head-scores", trace["scores"].of(batch=0, head=at), "query", "key")
    keys = heatmap_of("key-head", trace["keys"].of(batch=0, head=at), "key", "feature")
    run, labels = compute(Config()), {"query": words, "key": words, "feature": features}
    title = say("fewer.head_takes", head=at + 1, word=words[sentence.verb])
    taken_figure = Figure(taken, title, names, words, say("fewer.takes_note"))
    title = say("fewer.head_scores", head=at + 1)
    scores_figure = Figure(scores, title, words, words, say("fewer.scores_note", key=key + 1))
    keys_figure = Figure(keys, say("fewer.key_head", key=key + 1), words, features, say("fewer.key_note", head=at + 1))

    def explain_taken(stage: int, place: int) -> Explanation:
        return cell(made[stage].trace, "weights", sentence.verb, place, batch=0, head=at)

    yield from explained.row(
        screen,
        "fewer-keys",
        ExplainedHeatmap(run, taken_figure, explain_taken, {"key": words}),
        ExplainedHeatmap(run, scores_figure, partial(cell, trace, "scores", batch=0, head=at), labels),
        ExplainedHeatmap(run, keys_figure, partial(cell, trace, "keys", batch=0, head=at), labels),
    )


def tiled(screen: Screen) -> Iterator[Block]:
    """The mistake: key heads tiled in place of repeated, by query head."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    merged = layers.merged(kv_heads)
    q, k, v = (merged.of_sentence(id) for id in ("queries", "keys", "values"))
    k, v = (one.repeat(HEADS // kv_heads, 1, 1) for one in (k, v))
    wrong = scaled_dot_product_attention(q, k, v)
    apart = (merged.of_sentence("output") - wrong).abs().amax((-2, -1)).tolist()
    yield blocks.text(say("fewer.tiled"))
    header = say("fewer.query_head"), *(str(head + 1) for head in range(HEADS))
    yield blocks.table(*header, rows=[[say("fewer.apart"), *(digits(far, 2) for far in apart)]])
