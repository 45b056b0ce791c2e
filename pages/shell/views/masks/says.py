"""What the layer says of a word without a mask and under the one that is there: what it reads, and what it guesses."""

from collections.abc import Iterator, Sequence

from attention.inputs.grammar import ANSWERS, NOTHING, answers, read
from pages.shell.i18n import say, with_and
from pages.shell.i18n.markdown import plain
from pages.shell.i18n.options import mask_word
from pages.shell.runs import learned
from pages.shell.runs.run import Run, earlier
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks, head_arcs
from pages.shell.views.blocks import Block


def answered(screen: Screen) -> Iterator[Block]:
    """The answers to what the word asks, without a mask and with it; what a model that writes could copy."""
    if screen.run.context is not None:
        return
    run = compute(screen.run.config, record_mask=True)
    query = head_arcs.asked_of(screen)
    place = query + earlier(run.trace.sizes["query"], run.trace.sizes["key"])
    setting = learned.used(run.config)
    asks = asking.questions(run, query)
    if setting is not None and asks:
        sees, known = run.matrix("mask")[query], answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
        header = {say("mask.says.without"): compute(run.config, unmasked=True)}
        if not run.matrix("mask").all():
            under = mask_word(run.config.mask, is_painted=bool(run.config.painted))
            header[say("mask.says.under", mask=under)] = run
        rows = []
        for one in asks:
            rows.append([asking.name_of(one.question)])
            for each in header.values():
                most = int(asking.sure(each, setting, query)[one.question].argmax())
                case = "right" if most == int(known[one.place, one.question]) else "wrong"
                said = say(f"mask.answer.{case}", word=_named(ANSWERS[one.question][most]))
                is_guess = each is run and not sees[one.target]
                rows[-1].append(say(f"mask.says.guessed.{case}", said=said) if is_guess else said)
        is_guessed = not all(sees[one.target] for one in asks)
        told = say(f"mask.asked.{'guesses' if is_guessed else 'trained'}", word=plain(run.labels["query"][query]))
        yield blocks.text(told)
        yield blocks.table(say("mask.says.asked"), *header, rows=rows)
        if is_guessed:
            return
        if ahead := [one.target for one in asks if one.target > place]:
            yield blocks.text(_ahead(run, ahead))
            return
    yield from _next(run, query, place)


def _named(answer: str) -> str:
    return say("all_heads.no_adjective") if answer == NOTHING else plain(answer)


def _ahead(run: Run, places: Sequence[int]) -> str:
    """Which answers come later and are in sight. places: theirs, from 0."""
    words = [say("note.named", token=plain(run.tokens[at])) for at in dict.fromkeys(places)]
    return say(f"mask.read.{'ahead' if len(words) > 1 else 'ahead_one'}", words=with_and(words))


def _next(run: Run, query: int, place: int) -> Iterator[Block]:
    """Whether a model that writes could copy the word after this one."""
    if place + 1 < run.inputs.lengths[run.sentence]:
        case = "seen" if run.matrix("mask")[query, place + 1] else "hidden"
        yield blocks.text(say(f"mask.next.{case}", next=say("note.named", token=plain(run.tokens[place + 1]))))
