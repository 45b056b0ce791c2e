"""The output of the model for the text, as trained and as changed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch

from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.head_arcs import Answered, Answers
from pages.shell.i18n import say
from pages.shell.i18n.markdown import in_table
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request, sizes_of
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Models
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import (
    after,
    before,
    first,
    found,
    name,
    others,
    request,
    soon,
    spelled,
    two,
    words,
)
from pages.shell.views.models.offered import effects
from pages.shell.views.registry import named

_MOST = 10
# Lines of the list beside the arcs, and pixels of its widest bar.
_LISTED, _WIDE = 5, 220
# Letters of a sentence under a bar.
_SHORT = 32
# The clear majority of a head's weight; a small and a large part of the probability.
_CLEAR, _LITTLE, _MUCH = 0.5, 0.05, 0.5


@named("models.output")
def figure(screen: Screen) -> Iterator[Block]:
    plain, changed, wanted = before(screen), after(screen), request(screen)
    if plain is None or changed is None:
        return
    # First the trained model, then the changed one, if it is changed.
    both = [plain] if wanted == wanted.plain() else [plain, changed]
    is_causal = sizes_of(wanted.model).causal
    yield blocks.figures(_next_tokens(wanted.model, both) if is_causal else _similarity(screen, both))
    pieces = " ".join(in_table(token) for token in plain.tokens)
    yield blocks.text(say("models.pieces", count=len(plain.tokens), pieces=pieces))


@named("models.next")
def listed(screen: Screen) -> Iterator[Block]:
    """The output of the model in a few lines."""
    wanted = request(screen)
    is_causal, is_plain = sizes_of(wanted.model).causal, wanted == wanted.plain()
    plain = soon(wanted.plain())
    changed = plain if is_plain else soon(wanted)
    if plain is None or changed is None:
        return
    if is_causal:
        said, note, lines = _likely(wanted, plain, changed)
    else:
        said, note, lines = _alike(screen, plain, changed)
    rows = [
        Answered(place, name, True, max(now, 0.0), two(now), two(now) if is_plain else _moved(before, now))
        for place, name, before, now in lines
    ]
    header = [say(f"models.next.column.{name}") for name in ("place", said, "number", "moved")]
    last = spelled(wanted.model, plain.tokens)[-1]
    title = say("models.next.title.next_token", word=last) if is_causal else say("models.next.title.similar")
    yield blocks.figures(Answers("said", title, "", note, header, rows, _WIDE))


# Place, text, trained probability or similarity, and the present one.
_Line = tuple[str, str, float, float]


def _likely(wanted: Request, plain: Outputs, changed: Outputs) -> tuple[str, str, list[_Line]]:
    model = wanted.model
    most = torch.maximum(plain.output, changed.output).topk(_LISTED).indices
    order = most[changed.output[most].argsort(descending=True, stable=True)].tolist()
    names = [spelled(model, [plain.tokens[-1], word])[1] for word in words(model, order)]
    lines = [
        (_ranked(changed, line, at), name, float(plain.output[at]), float(changed.output[at]))
        for line, (name, at) in enumerate(zip(names, order, strict=True), 1)
    ]
    first = int(plain.output.argmax())
    name = spelled(model, [plain.tokens[-1], words(model, [first])[0]])[1]
    before, now = two(float(plain.output[first])), two(float(changed.output[first]))
    if plain is changed:
        return "token", say("models.next.said.first", name=name, before=before), lines
    gone = _gone(wanted, plain, changed)
    is_same = int(changed.output.argmax()) == first
    told = {"name": name, "before": before, "now": now}
    note = say("models.next.said.still_first" if is_same else "models.next.said.first_moved", other=names[0], **told)
    return "token", " ".join((note, *_alone(wanted, plain, gone))), lines


def _ranked(outputs: Outputs, line: int, word: int) -> str:
    """The rank of a word in the whole vocabulary; the list may end with a word that was likely before the change. A
    record has no rank of an unlikely word. Equal words keep the order of the lines."""
    likely = float(outputs.output[word])
    return f"{max(line, int((outputs.output > likely).sum()) + 1)}." if likely > 0 else "…"


def _alone(wanted: Request, plain: Outputs, gone: float) -> Iterator[str]:
    """For a single head that is off: that no other matters more, or that others take from the same word; for such a
    head with a large effect, that it brings something else from there."""
    table = effects(wanted) if len(wanted.off) == 1 and replace(wanted, off=()) == wanted.plain() else None
    if table is None:
        return
    count = len(table)
    [(layer, head)] = wanted.off
    taken = plain.weights[:, :, -1]
    key = int(taken[layer, head].argmax())
    look = taken[:, :, key] >= _CLEAR
    look[layer, head] = False
    others = int(look.sum())
    if gone >= float(table["effect"].max()):
        yield say("models.next.said.most", count=count)
    elif gone < _LITTLE and float(taken[layer, head, key]) >= _CLEAR and others > 0:
        word = spelled(wanted.model, plain.tokens)[key]
        most = table[[bool(look[at]) for at in zip(table["layer"], table["head"], strict=True)]].nlargest(1, "effect")
        [(of, at, moved)] = most[["layer", "head", "effect"]].to_numpy().tolist()
        if moved >= _MUCH:
            yield say("models.next.said.differs", head=name(int(of), int(at)), key=word, gone=two(moved))
        else:
            yield say(
                "models.next.said.stand_in", others=others, key=word, word=spelled(wanted.model, plain.tokens)[-1]
            )


def _gone(wanted: Request, plain: Outputs, changed: Outputs) -> float:
    """The total probability that moved between words. For one head off this is its measured effect, because a record
    omits unlikely words."""
    is_one = len(wanted.off) == 1 and replace(wanted, off=()) == wanted.plain()
    table = effects(wanted) if is_one else None
    if table is None:
        return float((plain.output - changed.output).abs().sum()) / 2
    [(layer, head)] = wanted.off
    return float(table.loc[(table["layer"] == layer) & (table["head"] == head), "effect"].iloc[0])


def _alike(screen: Screen, plain: Outputs, changed: Outputs) -> tuple[str, str, list[_Line]]:
    texts, wanted = others(screen.own(Models)), request(screen)
    lines = []
    for place, text in enumerate(texts, 1):
        beside = [found(each.of(text)) for each in (wanted.plain(), wanted)]
        before, now = (
            float(outputs.output @ other.output) if other is not None else 0.0
            for outputs, other in zip((plain, changed), beside, strict=True)
        )
        lines.append((f"{place}.", text, before, now))
    _, name, before, now = lines[0]
    moved = "" if plain is changed else "_moved"
    return "text", say(f"models.next.said.near{moved}", name=name, before=two(before), now=two(now)), lines


def _moved(before: float, now: float) -> str:
    return say("models.next.was", now=two(now), before=two(before))


def asked(wanted: Request, texts: Sequence[str]) -> list[Request]:
    """The texts that an encoder compares with its own, as trained and as changed."""
    if sizes_of(wanted.model).causal:
        return []
    return [each.of(text) for each in dict.fromkeys((wanted.plain(), wanted)) for text in texts]


def _bars(at: np.ndarray, numbers: list[np.ndarray]) -> list[Series]:
    labels = ("trained", "changed")[: len(numbers)]
    return [
        Series(say(f"models.as.{label}"), at, y, "bars", colour=place)
        for place, (label, y) in enumerate(zip(labels, numbers, strict=True))
    ]


def _next_tokens(model: str, both: list[Outputs]) -> Chart:
    likely = torch.unique(torch.cat([outputs.output.topk(_MOST).indices for outputs in both]))
    most = torch.stack([outputs.output[likely] for outputs in both]).amax(0)
    top = likely[most.argsort(descending=True)][: _MOST + 2 * (len(both) - 1)]
    names, at = words(model, top.tolist()), np.arange(1, len(top) + 1)
    series = _bars(at, [outputs.output[top].numpy() for outputs in both])
    x = Axis(say("models.next_token.token"), range=(0.5, len(names) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.next_token.probability"), range=(0, 1.05))
    token, number = first(model, both[0])
    note = say("models.next_token.first", token=token, number=number)
    if len(both) > 1:
        plain, changed = (outputs.output for outputs in both)
        other, then = first(model, both[1])
        left, gone = float(changed[plain.argmax()]), float((plain - changed).abs().sum()) / 2
        numbers = {"token": token, "number": number, "then": then, "gone": two(gone)}
        if other == token:
            note = say("models.next_token.note_same", **numbers)
        else:
            note = say("models.next_token.note", other=other, left=two(left), **numbers)
    return Chart("next", say("models.next_token.title"), series, x, y, note, say("models.next_token.text"))


def _similarity(screen: Screen, both: list[Outputs]) -> Chart:
    texts, wanted = others(screen.own(Models)), request(screen)
    cosines = []
    for outputs, each in zip(both, (wanted.plain(), wanted), strict=False):
        beside = [found(each.of(text)) for text in texts]
        cosines.append(np.array([float(outputs.output @ other.output) for other in beside if other is not None]))
    at = np.arange(1, len(texts) + 1)
    names = [text if len(text) <= _SHORT else f"{text[:_SHORT]}…" for text in texts]
    x = Axis(say("models.similar.other"), range=(0.5, len(texts) + 0.5), ticks=at.tolist(), names=names)
    y = Axis(say("models.similar.cosine"), range=(min(-0.05, *(float(one.min()) for one in cosines)), 1.05))
    near, far = (two(one) for one in cosines[0])
    note = say("models.similar.note", text=names[0], near=near, far=far)
    if len(both) > 1:
        note = say("models.similar.changed", text=names[0], near=near, then=two(cosines[1][0]))
    title, text = say("models.similar.title"), say("models.similar.text")
    return Chart("similar", title, _bars(at, cosines), x, y, note, text)
