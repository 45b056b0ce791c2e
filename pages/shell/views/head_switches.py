"""The switches of heads: switching a head off answers the question whether it can go. Below stand the layer's answers
then, and how often it is right on the test sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from attention.experiments.learning import Scores
from attention.inputs.grammar import QUESTIONS
from pages.shell.component.arcs import Ask
from pages.shell.component.asking import Asking
from pages.shell.component.head_arcs import Answers, Switches
from pages.shell.i18n import listed, say, with_and, with_or
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import asking, blocks, head_answers, head_colours, head_votes, naming
from pages.shell.views.blocks import Block
from pages.shell.views.head_arcs import asked_of

# Pixels of the bar of a certain answer.
_WIDE = 320


def switches(screen: Screen) -> Iterator[Block]:
    """The word's questions, and a line of weights for each head. A click switches the head off or on, and so guesses
    which head can go."""
    run, query = screen.run, asked_of(screen)
    count, off = run.module.heads, learned.off(run.config, run.module.heads)
    shown = max(run.inputs.lengths[run.sentence], 1)
    made = asking.asks(run, query, shown)
    is_fixed = run.config.preset != LEARNED or count == 1
    looks_on = say("all_heads.switch") if off and not is_fixed else ""
    told = "" if is_fixed else _guessed(run, query)
    names = asking.names() if any(one.name for one in made) else ""
    drawn = Asking(
        "switches",
        _asked(run, query),
        told or looks_on,
        looks_on if told and off else names,
        run.labels["key"][:shown],
        run.head,
        made,
        [_said(run, query, one) for one in made],
        [say("asking.head", head=one.head) for one in made],
        [{"heads_off": ",".join(str(each + 1) for each in sorted({*off} ^ {at}))} for at in range(count)],
    )
    yield blocks.figures(Switches(drawn, off, is_fixed, head_colours.places(run)), click={})
    # The heads stay off when another word is chosen.
    if off:
        said = say("all_heads.are_off", heads=_named(off))
        yield blocks.buttons((say("all_heads.all_on"), None, {"heads_off": ""}), said=said)


def _said(run: Run, query: int, one: Ask) -> str:
    """The answering word that a head looks at, whether or not it earns the question."""
    for asked in asking.questions(run, query):
        if not of_words.is_nothing(run, asked) and one.weights[asked.target] >= asking.EARNED:
            return say("all_heads.looks", word=naming.of_key(run, asked.target))
    return asking.said(run, one)


def _asked(run: Run, query: int) -> str:
    """The word's questions; the number of heads if nobody knows the questions of the layer."""
    if asks := asking.questions(run, query):
        asked = " ".join(asking.name_of(one.question) for one in asks)
        return naming.opened(say("all_heads.asks", word=naming.of_query(run, query), questions=asked))
    if run.config.preset == LEARNED and of_words.is_idle(run, query):
        return naming.opened(say("shown_head.idle", word=naming.of_query(run, query)))
    return say("asking.title" if run.module.heads > 1 else "asking.title_one", heads=run.module.heads)


def _guessed(run: Run, query: int) -> str:
    """The question whether a head can go, and its verdict once heads are off; "" if the right answers are not known."""
    off, judged = learned.off(run.config, run.module.heads), head_answers.judged(run, query)
    if judged is None:
        return ""
    if not off:
        return say("all_heads.guess", word=naming.of_query(run, query))
    said = _verdict(judged, off)
    # If several heads are off, none of them was the guess.
    is_right = all(one.is_right for one in judged.lines)
    verdict = "predict.right" if is_right else "predict.wrong" if judged.lost else ""
    if not verdict or len(off) > 1:
        return said
    if not judged.lost:
        return listed("sentence", (say(verdict), said))
    # If no head can go, the switch has shown it, and no guess was wrong.
    right = head_answers.can_go(run, query)
    if not right:
        return listed("sentence", (said, say("all_heads.none_can_go")))
    return listed("sentence", (say(verdict), said, naming.opened(say("all_heads.can_go", heads=_named(right, "or")))))


def answered(screen: Screen) -> Iterator[Block]:
    """The layer's answers to the questions of the word; nothing if the right ones are not known. Answers that are lost
    without heads are told at the switches."""
    run, query = screen.run, asked_of(screen)
    judged = head_answers.judged(run, query)
    if judged is None:
        yield from _nothing_asked(run, query)
        return
    header = [say(f"all_heads.column.{name}") for name in ("asked", "said", "sure")]
    title = say("all_heads.answers", word=run.labels["query"][query])
    is_off = bool(learned.off(run.config, run.module.heads))
    # The reason of a lost answer is told by the heads' contributions: that other heads ask the same would suggest that
    # it is not lost.
    missed = () if judged.lost else head_votes.carries_little(run, query) or _doubled(run, query)
    told = [] if judged.lost else [*missed, *_less(run)] if is_off else [_fails(judged)]
    if judged.unseen:
        told.append(say("all_heads.unseen", words=listed("comma", dict.fromkeys(judged.unseen))))
    note = listed("sentence", told) if told else ""
    drawn = Answers(
        "answers",
        title,
        "" if judged.lost else _why(run, query),
        note,
        header,
        judged.lines,
        _WIDE,
        say("all_heads.sure"),
    )
    yield blocks.figures(drawn)


def _nothing_asked(run: Run, query: int) -> Iterator[Block]:
    """The sentence that a word asks nothing, and another one that does."""
    if run.config.preset == LEARNED and of_words.is_idle(run, query) and (others := of_words.offered(run)):
        told = {"word": naming.of_query(run, query), "other": naming.of_query(run, others[0])}
        yield blocks.text(naming.opened(say("all_heads.nothing_asked", **told)))


def _why(run: Run, query: int) -> str:
    """Why there are several heads: the weights that the answering words would get from one head, and those that they
    get from the heads that are on; "" if one word answers everything, or if no head is on."""
    asked = [one.target for one in asking.questions(run, query) if not of_words.is_nothing(run, one)]
    words = sorted({*asked})
    count, off = run.module.heads, learned.off(run.config, run.module.heads)
    acting = [head for head in range(count) if head not in off]
    if len(words) < 2 or not acting:
        return ""
    most = run.trace["weights"].value[run.sentence, acting][:, query, words].cpu().max(0).values
    named = [naming.of_key(run, at) for at in words]
    if count == 1:
        row = run.trace["weights"].value[run.sentence, 0, query].cpu()
        spent = {"share": fixed(row.max()), "rest": fixed(max(0.0, float(row.sum() - row.max())))}
        return say("all_heads.one_look", word=naming.of_key(run, int(row.argmax())), **spent)
    which = say(f"all_heads.with.{'all' if not off else 'one' if len(acting) == 1 else 'on'}", heads=len(acting))
    if float(most.min()) <= 1 / len(words):
        given = (say("all_heads.given", word=word, share=fixed(share)) for word, share in zip(named, most, strict=True))
        return say("all_heads.several_share", which=which, given=with_and([*given]))
    each = {"share": fixed(1 / len(words)), "least": fixed(most.min())}
    return say("all_heads.why", words=with_and(named), which=which, **each)


def turned(screen: Screen) -> Iterator[str]:
    """The answers that the last change has made wrong or right. The effect of a switch is told at the switches."""
    before, now = screen.before, screen.run
    if before is None or before.tokens != now.tokens or before.config.heads_off != now.config.heads_off:
        return
    query = asked_of(screen)
    was, judged = (head_answers.judged(run, query) for run in (before, now))
    if was is None or judged is None:
        return
    known = {one.asked: one.is_right for one in was.lines}
    for is_right, told in ((False, "all_heads.now_wrong"), (True, "all_heads.now_right")):
        others = [one.asked for one in judged.lines if one.is_right == is_right != known.get(one.asked, is_right)]
        if others:
            yield say(told, questions=with_and(others))


def _less(run: Run) -> Iterator[str]:
    """The need for the off heads in other sentences, if this one loses no answer."""
    every, left = _scores(compute(replace(run.config, heads_off=""))), _scores(run)
    if every and left and fixed(left.mean) != fixed(every.mean) and left.mean < every.mean:
        yield say("all_heads.tested_less", before=fixed(every.mean), now=fixed(left.mean))


def tests(screen: Screen) -> Iterator[Block]:
    """The share of right answers on the test sentences, with all heads and without those that are off."""
    run = screen.run
    off = learned.off(run.config, run.module.heads)
    made = {say("all_heads.with_every"): _scores(compute(replace(run.config, heads_off="")))}
    if off:
        made[say("all_heads.without", heads=_named(off))] = _scores(run)
    shown = {name: scores.accuracy for name, scores in made.items() if scores is not None}
    if not shown:
        return
    yield blocks.heading(say("all_heads.tests"))
    rows = [(asking.name_of(at), *(fixed(accuracy[at]) for accuracy in shown.values())) for at in range(len(QUESTIONS))]
    yield blocks.table(say("all_heads.column.asked"), *shown, rows=rows)


def _scores(run: Run) -> Scores | None:
    found = learned_scores.tested(run.config, run.module)
    return found.scores if found else None


def _doubled(run: Run, query: int) -> Iterator[str]:
    """The questions of off heads that others ask too; if it is a single other head, with its weight."""
    off = learned.off(run.config, run.module.heads)
    made = asking.asks(run, query, max(run.inputs.lengths[run.sentence], 1))
    for question in dict.fromkeys(made[head].name for head in off if made[head].name):
        others = [one for at, one in enumerate(made) if one.name == question and at not in off]
        was = next(made[head] for head in off if made[head].name == question)
        if len(others) == 1 and others[0].answer == was.answer >= 0:
            (other,) = others
            shares = [fixed(one.weights[was.answer]) for one in (other, was)]
            word = naming.named(run.labels["key"], was.answer)
            told = {"question": question, "word": word, "share": shares[0], "shared": shares[1]}
            yield say("all_heads.asked_by", head=other.head, other=was.head, **told)
        elif others:
            heads = with_and([say("asking.head", head=one.head) for one in others])
            yield say("all_heads.asked_too", question=question, heads=heads)


def _fails(judged: head_answers.Judged) -> str:
    wrong = [one.asked for one in judged.lines if not one.is_right]
    return say("all_heads.fails", questions=with_and(wrong)) if wrong else say("all_heads.none_fails")


def _named(heads: Sequence[int], last: Literal["and", "or"] = "and") -> str:
    names = [say("asking.head", head=head + 1) for head in heads]
    return with_and(names) if last == "and" else with_or(names)


def _verdict(judged: head_answers.Judged, off: Sequence[int]) -> str:
    """The answers that fail without the heads that are off."""
    heads, lost = _named(off), judged.lost
    if lost:
        return say(
            "all_heads.lost" if len(lost) == 1 else "all_heads.lost_several", heads=heads, questions=with_and(lost)
        )
    if all(one.is_right for one in judged.lines):
        return say("all_heads.none_lost", heads=heads)
    return listed("sentence", (say("all_heads.are_off", heads=heads), _fails(judged)))
