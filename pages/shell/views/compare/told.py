"""The effects of B in words: answers that are lost or won, the reason, the weight that moves, and how often each side
is right."""

from collections.abc import Iterator

from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import plain, quoted
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned, learned_scores
from pages.shell.views.compare import coloured, scored, why
from pages.shell.views.compare.compared import Sides
from pages.shell.views.taken import acting
from pages.shell.views.turned import turned

# Rounding differences of float32 weights between two runs of one screen.
_ROUNDING = 1e-6


def first(both: Sides, query: int) -> str:
    """The main effect: the answers that are lost and won, or the moved weight if the right answers are not known."""
    return _answers(both, query) or _elsewhere(both, query)


def then(both: Sides, query: int) -> Iterator[str]:
    """The reason, as far as the records show one, or else the moved weight; answers that are right by chance, and
    answers that are no words of the sentence."""
    reasons = list(why.said(both, query))
    yield from reasons or ([_elsewhere(both, query)] if _answers(both, query) else [])
    yield from _by_chance(both, query)
    yield from _guessed(both, query)
    if coloured.are_questions(both, query):
        yield say("compare.colours")


def more(both: Sides, query: int) -> Iterator[str]:
    """The further numbers that a reader may open: the moved weight, and how often the layer of each side is right."""
    if _answers(both, query) and any(why.said(both, query)):
        yield _elsewhere(both, query)
    yield from _right(both)


def _answers(both: Sides, query: int) -> str:
    """The questions of a word that A answers and B does not, and the reverse; "" if the right answers are not known."""
    found = scored.of_both(both, query)
    if found is None:
        return ""
    a, b = found
    right = [{asked for asked, one in of.items() if one.state == "right"} for of in found]
    lost, won = right[0] - right[1], right[1] - right[0]
    parts = {
        "lost": [_wrong(asked, one) for asked, one in b.items() if asked in lost],
        "won": [_wrong(asked, one) for asked, one in a.items() if asked in won],
    }
    named = {"lost": "not_yet" if both.is_earlier else "lost", "won": "won"}
    said = [say(f"compare.answers.{named[case]}", parts=listed("comma", told)) for case, told in parts.items() if told]
    return listed("sentence", said or [say("compare.keeps", word=quoted(both.b.labels["query"][query]))])


def _by_chance(both: Sides, query: int) -> Iterator[str]:
    """The right answers of B that name a word without an arc."""
    for asked, one in scored.answered(both.b, query).items():
        if one.state == "chance":
            yield say("compare.by_chance", asked=asked, said=plain(one.said))


def _guessed(both: Sides, query: int) -> Iterator[str]:
    """The answers that are not words of their sentence."""
    guesses = (one.said for run in (both.a, both.b) for one in scored.answered(run, query).values() if one.is_guess)
    if words := list(dict.fromkeys(guesses)):
        yield say("all_heads.unseen", words=listed("comma", map(plain, words)))


def whole(both: Sides) -> Iterator[str]:
    """The side that asks for a moment of the training that was not kept."""
    for side, run in (("A", both.a), ("B", both.b)):
        layer, asked = learned.used(run.config), learned.wanted(run.config)
        if layer is not None and layer.updates != asked.updates:
            yield say("compare.whole", side=side, updates=layer.updates)


def _wrong(asked: str, one: scored.Answer) -> str:
    case = "chance" if one.state == "chance" else "guess" if one.is_guess else "wrong"
    return say(f"compare.answer.{case}", asked=asked, said=plain(one.said), right=plain(one.right))


def _elsewhere(both: Sides, query: int) -> str:
    """The head that differs most, or else the share of a word's weight that moves: by head or, if A and B have
    different numbers of heads, in their mean."""
    a, b = (run.trace[acting(run)].value[run.sentence].cpu().float() for run in (both.a, both.b))
    if a.shape[1:] != b.shape[1:]:
        return say("compare.other_words")
    word = quoted(both.b.labels["query"][query])
    if len(a) != len(b):
        share = f"{float((b[:, query].mean(0) - a[:, query].mean(0)).abs().sum()) / 2:.0%}"
        if 1 in (len(a), len(b)):
            one, many = ("A", "B") if len(a) == 1 else ("B", "A")
            return say("compare.moved_one", share=share, word=word, one=one, many=many)
        return say("compare.moved_together", share=share, word=word)
    if found := turned(a[:, query], b[:, query], both.a.labels["key"], both.b.labels["key"]):
        return say("compare.turned", word=word, **found)
    moved = float((b[:, query] - a[:, query]).abs().sum(-1).mean()) / 2
    if moved <= _ROUNDING:
        return say("compare.still", word=word)
    return say("compare.moved", share=f"{moved:.0%}", word=word)


def _right(both: Sides) -> Iterator[str]:
    """The share of right answers to test sentences on each side, if both have sentences of the grammar."""
    found = [learned_scores.tested(run.config, run.module) for run in (both.a, both.b)]
    means = [fixed(one.scores.mean) for one in found if one is not None]

    if len(means) == 2 and of_words.asked(both.a) and of_words.asked(both.b):
        yield say("compare.right", first=means[0], second=means[1])
