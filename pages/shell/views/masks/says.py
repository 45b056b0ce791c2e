"""Answers for a word without a mask and under each of its masks: those that the layer reads, and those it guesses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attention.inputs.grammar import ANSWERS, NOTHING, Asked, answers, read
from attention.inputs.learned import Setting
from pages.shell.i18n import say, with_and
from pages.shell.i18n.markdown import plain
from pages.shell.i18n.options import mask_word
from pages.shell.runs import learned
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.blocks import Block


@dataclass(frozen=True)
class _Under:
    """A column of the table: the layer under one mask. sees: the keys (from 0) that the word sees there."""

    name: str
    run: Run
    setting: Setting
    sees: Sequence[bool]


def answered(screen: Screen) -> Iterator[Block]:
    """The answers to the word's questions, mask by mask, and the next word, which a model that writes could copy."""
    if screen.run.context is not None:
        return
    run = compute(screen.run.config, record_mask=True)
    query = head_arcs.asked_of(screen)
    place = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    asks = asking.questions(run, query)
    if not asks and any(asking.questions(run, at) for at in range(len(run.labels["query"]))):
        yield blocks.text(say("mask.asks_nothing", word=_named(run, query)))
    if asks and (columns := _columns(run, query)):
        header = say("mask.says.asked", word=plain(run.labels["query"][query])), *(one.name for one in columns)
        yield blocks.table(*header, rows=[_row(one, query, columns) for one in asks])
        # Another line, beside the button of painted cells, says what they let the word read ahead.
        if run.config.painted or not all(columns[-1].sees[one.target] for one in asks):
            return
        if ahead := [one.target for one in asks if one.target > place]:
            yield blocks.text(_ahead(run, ahead))
            return
    yield from _next(run, query, place)


def _named(run: Run, query: int) -> str:
    return say("note.named", token=plain(run.labels["query"][query]))


def _columns(run: Run, query: int) -> list[_Under]:
    """One column without a mask, one under the mask to compare with (the one below painted cells, else the causal one),
    and one under the current mask. Empty for a layer that was not trained to answer."""
    config, sees = run.config, run.matrix("mask")
    setting = learned.used(config)
    if setting is None:
        return []
    found = [_Under(say("mask.says.without"), compute(config, unmasked=True), setting, [True] * sees.shape[-1])]
    beside = replace(config, painted="") if config.painted else replace(config, mask="causal")
    if not bool(sees.all()) or config.painted:
        for one in (beside, config) if beside != config else (config,):
            under, of = compute(one, record_mask=True), learned.used(one)
            if of is not None and (one == config or not bool(under.matrix("mask").all())):
                name = mask_word(one.mask, is_painted=bool(one.painted))
                found.append(_Under(name, under, of, under.matrix("mask")[query].tolist()))
    return found


def _row(one: Asked, query: int, columns: Sequence[_Under]) -> list[str]:
    """A question with its answers. The current mask's answer is bold if it differs from that of the mask before it."""
    said = [_said(one, query, under) for under in columns]
    if len(said) > 1 and said[-1] != said[-2]:
        said[-1] = f"**{said[-1]}**"
    return [asking.name_of(one.question), *said]


def _said(one: Asked, query: int, under: _Under) -> str:
    known = answers(read(under.run.tokens[: under.run.inputs.lengths[under.run.sentence]]))
    sure = asking.sure(under.run, under.setting, query)[one.question]
    # An output of zeros makes all answers equally likely.
    if bool((sure == sure[0]).all()):
        return say("mask.says.even")
    most = int(sure.argmax())
    case = "right" if most == int(known[one.place, one.question]) else "wrong"
    answer = ANSWERS[one.question][most]
    word = say("all_heads.no_adjective") if answer == NOTHING else plain(answer)
    said = say(f"mask.answer.{case}", word=word)
    return said if under.sees[one.target] else say(f"mask.says.guessed.{case}", said=said)


def _ahead(run: Run, places: Sequence[int]) -> str:
    """The line about visible answers that come later. places: those of the answers, from 0."""
    words = [say("note.named", token=plain(run.tokens[at])) for at in dict.fromkeys(places)]
    return say(f"mask.read.{'ahead' if len(words) > 1 else 'ahead_one'}", words=with_and(words))


def _next(run: Run, query: int, place: int) -> Iterator[Block]:
    """Whether a model that writes could copy the word after this one."""
    if place + 1 < run.inputs.lengths[run.sentence]:
        case = "seen" if run.matrix("mask")[query, place + 1] else "hidden"
        yield blocks.text(say(f"mask.next.{case}", next=say("note.named", token=plain(run.tokens[place + 1]))))
