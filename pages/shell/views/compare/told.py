"""What B changes, in words: which answers are lost or won, why, how much weight moves, and how often each is right."""

from collections.abc import Iterator
from typing import NamedTuple

from attention.inputs.grammar import ANSWERS, NOT_ASKED, NOTHING, answers, read
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain, quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.views import asking
from pages.shell.views.compare import why
from pages.shell.views.compare.compared import Sides
from pages.shell.views.taken import acting
from pages.shell.views.turned import turned

# Of float32 weights, which two runs of one screen may round differently.
_ROUNDING = 1e-6


class _Answer(NamedTuple):
    """What a layer says to a question, what is right, whether it names a word that its sentence does not have, and
    whether its mask hides the right word from the one that asks."""

    said: str
    right: str
    is_guess: bool
    is_hidden: bool


def first(both: Sides, query: int) -> str:
    """What counts most: which answers are lost and won; where nobody knows answers, how much weight moves."""
    return _answers(both, query) or _elsewhere(both, query)


def then(both: Sides, query: int) -> Iterator[str]:
    """What stands behind it."""
    yield from why.said(both, query)
    yield from _by_chance(both, query)
    yield from _guessed(both, query)
    yield from _whole(both)
    if _answers(both, query):
        yield _elsewhere(both, query)
    yield from _right(both)


def _answers(both: Sides, query: int) -> str:
    """Which questions of a word B answers no longer, and which it answers that A does not; "" where nobody knows."""
    a, b = (_answered(run, query) for run in (both.a, both.b))
    if both.a.tokens != both.b.tokens or not a or a.keys() != b.keys():
        return ""
    right = {side: {asked for asked, one in of.items() if one.said == one.right} for side, of in (("a", a), ("b", b))}
    lost, won = right["a"] - right["b"], right["b"] - right["a"]
    parts = {
        "lost": (_wrong(asked, one) for asked, one in b.items() if asked in lost),
        "won": (_wrong(asked, one) for asked, one in a.items() if asked in won),
    }
    found = {case: list(said) for case, said in parts.items()}
    said = [say(f"compare.answers.{case}", parts=listed("comma", told)) for case, told in found.items() if told]
    return listed("sentence", said or [say("compare.keeps", word=quoted(both.b.labels["query"][query]))])


def _by_chance(both: Sides, query: int) -> Iterator[str]:
    """Which right answers of B name a word that it cannot take anything from."""
    for asked, one in _answered(both.b, query).items():
        if one.is_hidden and one.said == one.right:
            yield say("compare.by_chance", asked=asked, said=plain(one.said))


def _guessed(both: Sides, query: int) -> Iterator[str]:
    """Which answers are words that their sentence does not have."""
    guesses = (one.said for run in (both.a, both.b) for one in _answered(run, query).values() if one.is_guess)
    if words := list(dict.fromkeys(guesses)):
        yield say("all_heads.unseen", words=listed("comma", map(plain, words)))


def _whole(both: Sides) -> Iterator[str]:
    """On which side a moment of the training was asked for that nobody kept."""
    for side, run in (("A", both.a), ("B", both.b)):
        layer, asked = learned.used(run.config), learned.wanted(run.config)
        if layer is not None and layer.updates != asked.updates:
            yield say("compare.whole", side=side, updates=layer.updates)


def _wrong(asked: str, one: _Answer) -> str:
    case = "guess" if one.is_guess else "wrong"
    return say(f"compare.answer.{case}", asked=asked, said=plain(one.said), right=plain(one.right))


def _answered(run: Run, query: int) -> dict[str, _Answer]:
    """By question, of those that a word asks in a sentence of the grammar."""
    setting = learned.used(run.config)
    asks = asking.questions(run, query)
    if setting is None or not asks:
        return {}
    known = answers(read(run.tokens[: run.inputs.lengths[run.sentence]]))
    sure = asking.sure(run, setting, query)
    seen, made = why.seen(run, query), {}
    at_hand = [token for token, is_seen in zip(run.labels["key"], seen.tolist(), strict=False) if is_seen]
    for one in asks:
        right = int(known[one.place, one.question])
        if right != NOT_ASKED:
            said = ANSWERS[one.question][int(sure[one.question].argmax())]
            is_guess = said != NOTHING and said not in run.tokens
            meant = ANSWERS[one.question][right]
            is_hidden = meant != NOTHING and meant not in at_hand
            made[asking.name_of(one.question)] = _Answer(_word(said), _word(meant), is_guess, is_hidden)
    return made


def _word(answer: str) -> str:
    return say("all_heads.no_adjective") if answer == NOTHING else answer


def _elsewhere(both: Sides, query: int) -> str:
    """The head that differs most, or else how much of what a word takes lies elsewhere: by head, or, where A and B have
    different numbers of heads, in their mean."""
    a, b = (run.trace[acting(run)].value[run.sentence].cpu().float() for run in (both.a, both.b))
    if a.shape[1:] != b.shape[1:]:
        return say("compare.other_words")
    word = quoted(both.b.labels["query"][query])
    if len(a) != len(b):
        moved = float((b[:, query].mean(0) - a[:, query].mean(0)).abs().sum()) / 2
        return say("compare.moved_together", share=f"{moved:.0%}", word=word)
    if found := turned(a[:, query], b[:, query], both.a.labels["key"], both.b.labels["key"]):
        return say("compare.turned", word=word, **found)
    moved = float((b[:, query] - a[:, query]).abs().sum(-1).mean()) / 2
    if moved <= _ROUNDING:
        return say("compare.still", word=word)
    return say("compare.moved", share=f"{moved:.0%}", word=word)


def _right(both: Sides) -> Iterator[str]:
    """How many answers to test sentences the layer of each has right, where both have sentences of the grammar."""
    found = [learned.tested(run.config, run.module) for run in (both.a, both.b)]
    means = [fixed(one.scores.mean) for one in found if one is not None]

    if len(means) == 2 and of_words.asked(both.a) and of_words.asked(both.b):
        yield say("compare.right", first=means[0], second=means[1])
