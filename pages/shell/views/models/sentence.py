"""The words of the text with arcs: the opened head's weights for one of them, and the next word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from pages.shell.component.arcs import Column
from pages.shell.component.trained_arcs import Chain, TrainedArcs
from pages.shell.i18n import say
from pages.shell.i18n.markdown import cut
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.trained.loaded import is_lacking
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, requested, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views import blocks
from pages.shell.views.arcs import written
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import asks_at, first, name, place, request, soon, spelled
from pages.shell.views.models.offered import asks, offered, opened
from pages.shell.views.models.relay import chained
from pages.shell.views.own_sentence import typed
from pages.shell.views.registry import named

# The least change of a weight that a reader sees.
_MOVED = 0.05
# Letters of a word that fit beside the sentence.
_LONG = 12


@named("models.sentence")
def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word chooses it."""
    wanted = request(screen)
    found = soon(wanted)
    if found is None:
        return
    (layer, head), query = place(screen), asks_at(screen, found)
    tokens, heads = spelled(wanted.model, found.tokens), offered(screen, found)
    row = found.weights[layer, head, query]
    most, at = int(row.argmax()), opened(screen, heads)
    where = name(layer, head)
    note = say("models.sentence.takes", head=where, word=tokens[query], number=fixed(row[most]), key=tokens[most])
    # Arcs of the other heads would have no name.
    ask, was, chain = asks(heads, found, query)[at], None, chained(screen, found)
    if (layer, head) in wanted.off:
        several = len(wanted.off) > 1
        note = say("models.opened.are_off" if several else "models.opened.is_off", head=where, count=len(wanted.off))
    elif wanted != wanted.plain() and (plain := soon(wanted.plain())) and len(plain.tokens) == len(tokens):
        before = plain.weights[layer, head, query]
        if moved := _moved(where, tokens, query, before, row):
            note, was, key = moved, before.tolist(), int(before.argmax())
            # The former largest weight stays marked.
            ask = replace(ask, name="", answer=key)
    drawn = TrainedArcs(
        "trained",
        say("models.sentence.title", word=tokens[query], head=where),
        note,
        tokens,
        query,
        [ask],
        0,
        [where],
        _columns(found, layer, head, query),
        _lines(wanted, found, tokens, where, chain, fixed(max(was)) if was else ""),
        _next(wanted, found),
        [{"cell": f"weights.{of}.{int(found.weights[layer, head, of].argmax())}.words"} for of in range(len(tokens))],
        _own(screen),
        (layer, head) in wanted.off,
        was or (),
        chain,
    )
    yield blocks.figures(drawn, click={})


def _lines(
    wanted: Request, found: Outputs, tokens: Sequence[str], where: str, chain: Chain | None, before: str
) -> Mapping[str, str]:
    """The texts beside the weights, after the last word, at the arcs as trained, and over columns of the table. before:
    the largest weight as trained."""
    lines = {"share": say("arcs.share"), "next": _follows(wanted, found, tokens[-1])}
    lines |= {"before": say("models.sentence.trained", was=before)} if before else {}
    lines |= {"was": say("models.sentence.trained_column", head=where)}
    if chain is None:
        return lines
    return lines | {"chain": say("models.sentence.chain_column", word=tokens[chain.of], head=chain.name)}


def _moved(where: str, tokens: Sequence[str], query: int, before: Tensor, now: Tensor) -> str:
    """The change of the head's largest weight since the training; "" if it is small."""
    most = int(before.argmax())
    if abs(float(before[most] - now[most])) < _MOVED:
        return ""
    told = {"head": where, "word": tokens[query], "key": tokens[most]}
    return say("models.sentence.took", before=fixed(before[most]), now=fixed(now[most]), **told)


def _columns(found: Outputs, layer: int, head: int, query: int) -> list[Column]:
    row = found.weights[layer, head, query]
    seen = [True] * len(row) if found.mask is None else found.mask[query].tolist()
    shares = zip(row.tolist(), seen, strict=True)
    return [Column(None, share if is_seen or share else None, written(share)) for share, is_seen in shares]


def _next(wanted: Request, found: Outputs) -> tuple[str, str, str] | None:
    """The most likely next word and its probability; in a changed model also the trained model's first word."""
    if not sizes_of(wanted.model).causal:
        return None
    token, sure = first(wanted.model, found)
    word = spelled(wanted.model, [found.tokens[-1], token])[1]
    plain = None if wanted == wanted.plain() else soon(wanted.plain())
    if plain is None:
        return word, sure, ""
    token, before = first(wanted.model, plain)
    was = cut(spelled(wanted.model, [plain.tokens[-1], token])[1], _LONG)
    is_same = int(plain.output.argmax()) == int(found.output.argmax())
    told = before if is_same else say("models.sentence.other", word=was, number=before)
    return word, sure, say("models.sentence.trained", was=told)


def _follows(wanted: Request, found: Outputs, last: str) -> str:
    """The text before the number: the word that it follows or, in a changed model, that the same word is still
    first."""
    plain = None if wanted == wanted.plain() or not sizes_of(wanted.model).causal else soon(wanted.plain())
    if plain is None or int(plain.output.argmax()) != int(found.output.argmax()):
        return say("models.sentence.next", word=last)
    return say("models.sentence.still_first")


def _own(screen: Screen) -> Mapping[str, object] | None:
    """The sentence can be typed over if the model is there to be asked."""
    own = screen.own(Models)
    if is_lacking(own.model):
        return None
    hint = say("models.sentence.hint")
    return typed("model_text", Models.knobs()["model_text"], requested(own).text, hint)
