"""The key head that each query head reads, the answers of the layer then, and the mistake that shapes do not tell."""

from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Tensor

from attention.explain.cell import cell
from attention.explain.explanation import Explanation
from attention.figures import heatmap_of
from attention.functional import scaled_dot_product_attention
from attention.inputs.shared_keys import SETTING
from attention.trace import Trace
from pages.shell.component.heatmap import Figure
from pages.shell.component.sharing import Answer, Query, Sharing
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap
from pages.shell.views.fewer_keys import layers, repair
from pages.shell.views.fewer_keys.layers import HEADS, Measured

# A layer answers almost as well as before if it loses less than this share of the test questions.
_NEAR = 0.02
# A share counts as a half if it is off by no more than this.
_HALF = 0.05


def readers(screen: Screen) -> Iterator[Block]:
    """Query heads and the key head that each reads, the layer's answers to the verb of the sentence, the cache, and the
    right answers on test sentences. A click chooses a query head."""
    chosen = screen.own(FewerKeys)
    shown, sentence, own = layers.shown(screen), layers.sentence(screen), layers.own(screen)
    asked = [layers.question(one.question) for one in layers.asked(sentence)]
    verb, right = sentence.words[sentence.verb], [sentence.words[one.target] for one in layers.asked(sentence)]
    of_all, cached = (_cached(of.trace) for of in (own, shown))
    labels = {
        "answered": repair.answered(shown),
        "asking": say("fewer.asking", word=verb),
        "query_heads": say("fewer.query_heads"),
        "query_heads_show": say("fewer.query_heads_show"),
        "key_heads": say("fewer.key_heads_row"),
        "key_heads_show": _made(chosen),
        "own_heads": say("fewer.own_heads"),
        "legend": say("fewer.legend", word=verb),
        "key_legend": say("fewer.key_legend"),
        "below": say("one_token.label.below"),
        "above": say("one_token.label.above"),
        "query": say("fewer.query_head"),
        "key": say("fewer.key_head_column"),
        "asked": say("fewer.asked"),
        "takes": say("fewer.takes"),
        "answer": say("fewer.answer"),
        "here": repair.here(shown),
        "kind": say("fewer.kind"),
        "keys": say("fewer.keys"),
    }
    drawn = Sharing(
        "reads",
        say("fewer.reads"),
        chosen.asks - 1,
        sentence.words,
        sentence.verb,
        list(_queries(shown, asked)),
        _kept(shown),
        _kept(own),
        [
            Answer(question, said, is_right, say("fewer.rightly", word=word))
            for question, said, is_right, word in zip(asked, shown.answers, shown.are_right, right, strict=True)
        ],
        [
            (
                cached / of_all,
                say("fewer.cache_bar", cached=f"{cached:,}", of=f"{of_all:,}"),
                repair.percent(cached / of_all),
            ),
            (shown.right, say("fewer.rights", sentences=repair.TESTED), repair.percent(shown.right)),
        ],
        labels,
        _told(chosen, shown, own),
    )
    yield blocks.figures(drawn, click={"asks": "{row_number}"})


def _queries(shown: Measured, asked: Sequence[str]) -> Iterator[Query]:
    """Each query head in words: its question, its key head and its largest weight for the verb."""
    weights, words = shown.of_verb("weights"), shown.sentence.words
    group = HEADS // len(shown.of_sentence("keys"))
    serve = layers.serve(shown)
    for head, at in enumerate(layers.questions(shown.sentence)):
        most = int(weights[head].argmax())
        taken = {"share": f"{float(weights[head, most]):.0%}", "word": words[most]}
        if serve[head] and group > 1 and not shown.are_right[at]:
            takes = say("fewer.takes_shared", head=head + 1, heads=group, said=shown.answers[at], **taken)
        elif at >= 0 and not serve[head] and (halves := _halves(weights[head])):
            first, other = (words[place] for place in halves)
            takes = say("fewer.takes_halves", head=head + 1, question=asked[at], first=first, other=other)
        else:
            takes = _takes(head + 1, asked[at] if at >= 0 else "", serve[head], **taken)
        yield Query(
            asked[at] if at >= 0 else say("fewer.mixed"),
            say("fewer.reads_key", head=head + 1, key=head // group + 1),
            takes,
            say("fewer.lost", question=asked[at]) if at >= 0 and not serve[head] and not shown.are_right[at] else "",
            at,
            serve[head],
            weights[head],
        )


def _halves(weights: Tensor) -> list[int]:
    """The two words, in their order, that get half of the weight each; empty without them."""
    (*shares,), (*places,) = (one.tolist() for one in weights.topk(2))
    return sorted(places) if all(abs(share - 0.5) <= _HALF for share in shares) else []


def _takes(head: int, question: str, serves: bool, **most: str) -> str:
    """A head's (from 1) largest weight in words, and why the head is pale if it is."""
    if not question:
        return say("fewer.takes_other", head=head, **most)
    return say("fewer.takes_most" if serves else "fewer.takes_lost", head=head, question=question, **most)


def _told(chosen: FewerKeys, shown: Measured, own: Measured) -> str:
    """The saving, the answers that are still right, and whether these are as many as before."""
    kv_heads = int(chosen.kv_of_8)
    answers = say(
        "fewer.still_right",
        right=sum(shown.are_right),
        all=len(shown.are_right),
        share=repair.percent(shown.right),
        sentences=repair.TESTED,
    )
    if kv_heads == HEADS:
        return listed("sentence", (say("fewer.own"), answers))
    told = [say("fewer.saved", times=HEADS // kv_heads)]
    is_near = own.right - shown.right < _NEAR
    well = say("fewer.almost_as_well" if is_near else "fewer.less_well", before=repair.percent(own.right))
    told += [answers, well]
    if words := layers.unseen(shown):
        told.append(say("fewer.unseen", words=listed("comma", (f"“{word}”" for word in words))))
    return listed("sentence", told)


def _kept(of: Measured) -> Tensor:
    """The content of the cache: for each key head, the key of each word followed by its value."""
    return torch.cat((of.of_sentence("keys"), of.of_sentence("values")), -1)


def _made(chosen: FewerKeys) -> str:
    """The parts of each key head in words, if query heads share it."""
    group = HEADS // int(chosen.kv_of_8)
    if group == 1:
        return ""
    return say("fewer.made_trained" if int(chosen.kv_trained) else "fewer.made", heads=group)


def _cached(trace: Trace) -> int:
    """How many numbers the keys and values of the sentence are, over all key heads."""
    return sum(trace[id].value[0].numel() for id in ("keys", "values"))


def one(screen: Screen) -> Iterator[Block]:
    """The chosen query head's weights for the verb at each stage; its scores, and the keys that it reads."""
    chosen = screen.own(FewerKeys)
    kv_heads, at = int(chosen.kv_of_8), chosen.asks - 1
    made, trace, sentence = layers.stages(screen), layers.shown(screen).trace, layers.sentence(screen)
    key, words = at // (HEADS // kv_heads), list(sentence.words)
    features = [str(place + 1) for place in range(SETTING.d_k)]
    names = repair.short_stages()
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
    """The mistake: the error of each query head if key heads are tiled instead of repeated."""
    kv_heads = int(screen.own(FewerKeys).kv_of_8)
    shown = layers.shown(screen)
    q, k, v = (shown.of_sentence(id) for id in ("queries", "keys", "values"))
    k, v = (one.repeat(HEADS // kv_heads, 1, 1) for one in (k, v))
    wrong = scaled_dot_product_attention(q, k, v)
    apart = (shown.of_sentence("output") - wrong).abs().amax((-2, -1)).tolist()
    yield blocks.text(say("fewer.tiled"))
    header = say("fewer.query_head"), *(str(head + 1) for head in range(HEADS))
    yield blocks.table(*header, rows=[[say("fewer.apart"), *(digits(far, 2) for far in apart)]])
