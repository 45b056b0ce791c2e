"""All heads of a layer at once on one sentence: their arcs, a switch on each, and what the layer then answers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from attention.experiments.learning import Scores
from attention.figures import LIMIT
from attention.inputs.grammar import ANSWERS, NOT_ASKED, NOTHING, answers, read
from pages.shell.component.arcs import Ask
from pages.shell.component.asking import Asking
from pages.shell.component.head_arcs import Answered, Answers, HeadArcs, Switches
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, RANDOM
from pages.shell.views import asking, blocks, ghost, naming
from pages.shell.views.blocks import Block
from pages.shell.views.crossing import crossing
from pages.shell.views.steps import focus_of

# Where the table of a figure has two decimals, a change of the test scores is said.
_LEAST = 0.005

_Drawn = TypeVar("_Drawn", bound=HeadArcs)


def asked_of(screen: Screen) -> int:
    """The query whose arcs are drawn: the one that the address names, else the preset's."""
    named = screen.query()
    return focus_of(screen.run) if named is None else named


def warning(screen: Screen) -> Iterator[Block]:
    """Of random weights, before all else, that their pattern means nothing."""
    if screen.run.config.preset == RANDOM:
        yield blocks.note(say("random.warning"), "info")


def arcs(screen: Screen) -> Iterator[Block]:
    """A click on a word looks at it."""
    if screen.run.context is not None:
        yield from crossing(screen)
        return
    query = asked_of(screen)
    made = drawn(screen.run, query)
    yield blocks.figures(replace(made, ghost=ghost.ghost(screen, query, len(made.tokens))), click={})


def drawn(run: Run, query: int, id: str = "head-arcs") -> HeadArcs:
    """What each head of a run takes for a query."""
    earlier = len(run.labels["key"]) - len(run.labels["query"])
    focus, tokens = query + earlier, run.labels["key"]
    shown = max(run.inputs.lengths[run.sentence], focus + 1)
    made = asking.asks(run, query, shown)
    return HeadArcs(
        id,
        say("all_heads.title", word=run.labels["query"][query]),
        _told(run, query),
        tokens[:shown],
        focus,
        run.head,
        made,
        [named(one.head, one.name) for one in made],
        [one.name or named(one.head, "") for one in made],
        learned.off(run.config, run.module.heads),
        [{"cell": f"weights.{at - earlier}.0.arcs"} if 0 <= at - earlier < LIMIT else {} for at in range(shown)],
    )


def named_after(arcs: _Drawn, others: Sequence[Ask]) -> _Drawn:
    """The same heads with the question that each has beside it in another picture, where it answers it here, too."""
    asks = [
        replace(one, name=other.name, answer=other.answer)
        if not one.name and other.answer >= 0 and one.weights[other.answer] >= asking.EARNED
        else one
        for one, other in zip(arcs.asks, others, strict=True)
    ]
    names = [named(one.head, one.name) for one in asks]
    return replace(arcs, asks=asks, names=names, short=[one.name or named(one.head, "") for one in asks])


def two(above: HeadArcs, below: HeadArcs) -> Iterator[Block]:
    """Two runs on one picture: the arcs of the second hang below the words of the first, if they are the same words."""
    same = list(above.tokens) == list(below.tokens) and above.focus == below.focus
    if same:
        # What both answer stands in one place.
        above = replace(above, mirrored=True, other_side=below.side, other_scored=below.scored)
        below = replace(below, mirrored=True, hangs=True)
    yield blocks.figures(above, below, click={})


def named(head: int, question: str) -> str:
    """What a head is called beside its arcs, with the question that it answers, "" for none."""
    return say("all_heads.named", head=head, question=question) if question else say("asking.head", head=head)


def _told(run: Run, query: int) -> str:
    """Where the largest weight of each head is."""
    weights = run.trace["weights"].value[run.sentence, :, query].cpu()
    parts = [
        say("all_heads.most", head=head + 1, weight=fixed(row.max()), key=naming.of_key(run, int(row.argmax())))
        for head, row in enumerate(weights[:8])
        if row.any()
    ]
    return listed("sentence", parts) if parts else naming.opened(say("arcs.nothing", word=naming.of_query(run, query)))


def switches(screen: Screen) -> Iterator[Block]:
    """A line of shares a head; a click switches the head off or on."""
    run, query = screen.run, asked_of(screen)
    count, off = run.module.heads, learned.off(run.config, run.module.heads)
    shown = max(run.inputs.lengths[run.sentence], 1)
    made = asking.asks(run, query, shown)
    is_fixed = run.config.preset != LEARNED or count == 1
    drawn = Asking(
        "switches",
        _how_many(run, query, made, is_told=bool(off)),
        "" if is_fixed else say("all_heads.switch"),
        asking.names() if any(one.name for one in made) else "",
        run.labels["key"][:shown],
        run.head,
        made,
        [asking.said(run, one) for one in made],
        [say("asking.head", head=one.head) for one in made],
        [{"heads_off": ",".join(str(each + 1) for each in sorted({*off} ^ {at}))} for at in range(count)],
    )
    yield blocks.figures(Switches(drawn, off, is_fixed), click={})


def _how_many(run: Run, query: int, made: Sequence[Ask], *, is_told: bool) -> str:
    """How many heads ask and, where several ask the same, how many questions there are, and which heads these are.
    is_told: whether that may be said, which a reader finds by switching a head off."""
    count, asked = run.module.heads, dict[str, list[str]]()
    for one in made:
        if one.name:
            asked.setdefault(one.name, []).append(str(one.head))
    same = [say("all_heads.same", heads=with_and(heads)) for heads in asked.values() if len(heads) > 1]
    if not same or not is_told:
        return say("asking.title" if count > 1 else "asking.title_one", heads=count, word=run.labels["query"][query])
    said = say("all_heads.one_question" if len(asked) == 1 else "all_heads.questions", count=len(asked))
    return say("all_heads.doubled", heads=count, asked=said, same=listed("semicolon", same))


def answered(screen: Screen) -> Iterator[Block]:
    """What the layer answers to the questions of the word, and how often it is right on the test sentences; nothing
    where nobody knows what is right."""
    run, query = screen.run, asked_of(screen)
    # The same layer with every head.
    every = compute(replace(run.config, heads_off=""))
    here, whole = _scores(run), _scores(every)
    setting = learned.used(run.config)
    asks = asking.questions(run, query)
    if here is None or whole is None or setting is None or not asks:
        return
    word = run.labels["query"][query]
    sure, unchanged = (asking.sure(each, setting, query) for each in (run, every))
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
    lines, lost, unseen = [], [], []
    for one in asks:
        right = int(known[one.place, one.question])
        if right == NOT_ASKED:
            continue
        most = int(sure[one.question].argmax())
        answer = ANSWERS[one.question][most]
        is_there = answer == NOTHING or answer in run.tokens
        case = "right" if most == right else "wrong" if is_there else "guessed"
        if case == "guessed":
            unseen.append(answer)
        asked = asking.name_of(one.question)
        if most != right == int(unchanged[one.question].argmax()):
            lost.append(asked)
        lines.append(
            Answered(
                asked,
                say(f"all_heads.said.{case}", word=_word(one.question, most), right=_word(one.question, right)),
                most == right,
                float(sure[one.question, most]),
                fixed(sure[one.question, most]),
                _elsewhere(whole, here, one.question),
            )
        )
    if lines:
        header = [say(f"all_heads.column.{name}") for name in ("asked", "said", "sure", "elsewhere")]
        title, text = say("all_heads.answers", word=word), say("all_heads.answers_text")
        over = [say(f"all_heads.over.{name}") for name in ("here", "tests")]
        told = [_verdict(run, lines, lost), *_doubled(run, query)]
        if unseen:
            told.append(say("all_heads.unseen", words=listed("comma", dict.fromkeys(unseen))))
        yield blocks.figures(Answers("answers", title, text, listed("sentence", told), header, lines, over=over))


def _scores(run: Run) -> Scores | None:
    found = learned_scores.tested(run.config, run.module)
    return found.scores if found else None


def _word(question: int, answer: int) -> str:
    word = ANSWERS[question][answer]
    return say("all_heads.no_adjective") if word == NOTHING else word


def _elsewhere(whole: Scores, here: Scores, question: int) -> str:
    before, now = whole.accuracy[question], here.accuracy[question]
    if abs(before - now) < _LEAST:
        return say("all_heads.elsewhere", share=fixed(now))
    return say("all_heads.elsewhere_moved", before=fixed(before), share=fixed(now))


def _doubled(run: Run, query: int) -> Iterator[str]:
    """Which questions of heads that are off are asked by others, too."""
    off = learned.off(run.config, run.module.heads)
    made = asking.asks(run, query, max(run.inputs.lengths[run.sentence], 1))
    for question in dict.fromkeys(made[head].name for head in off if made[head].name):
        others = [one.head for at, one in enumerate(made) if one.name == question and at not in off]
        if others:
            heads = with_and([say("asking.head", head=head) for head in others])
            yield say("all_heads.asked_too", question=question, heads=heads)


def _verdict(run: Run, lines: Sequence[Answered], lost: Sequence[str]) -> str:
    """Which answers fail; where heads are off, which of them do so without these. lost: those, in words."""
    off = learned.off(run.config, run.module.heads)
    wrong = [one.asked for one in lines if not one.is_right]
    fails = say("all_heads.fails", questions=with_and(wrong)) if wrong else say("all_heads.none_fails")
    if not off:
        return fails
    heads = with_and([say("asking.head", head=head + 1) for head in off])
    if lost:
        questions = with_and(lost)
        if len(lost) == 1:
            return say("all_heads.lost", heads=heads, questions=questions)
        return say("all_heads.lost_several", heads=heads, questions=questions)
    if not wrong:
        return say("all_heads.none_lost", heads=heads)
    return listed("sentence", (say("all_heads.are_off", heads=heads), fails))
