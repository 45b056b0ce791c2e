"""The shown head's work for one word, in words: the question that it answers there, or that it answers none, and then
the word with its largest weight."""

from collections.abc import Iterator

from pages.shell.component.arcs import Ask
from pages.shell.i18n import listed, say, with_or
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs.run import Run
from pages.shell.views import asking, naming
from pages.shell.views.taken import acting

# The most that a sum in two decimals may differ from one.
_LEAST = 0.005


def shown_head(run: Run, query: int) -> str:
    """The sentences about the shown head; "" if the right answers are not known: for other presets, and outside the
    grammar."""
    if not of_words.asked(run):
        return ""
    row = run.matrix(acting(run))[query].float().cpu()
    named = asking.asks(run, query, len(row))[run.head]
    return listed("sentence", map(naming.opened, _said(run, query, named)))


def leads_on(run: Run, query: int) -> bool:
    """Whether the head has nothing to show for the word, so that its line names words for which it has."""
    if of_words.is_idle(run, query):
        return True
    found = of_words.answers(run, query)
    return any(one.head == run.head for one in found) and all(one.is_nothing for one in found)


def _said(run: Run, query: int, named: Ask) -> Iterator[str]:
    row = run.matrix(acting(run))[query].float().cpu()
    most, word = int(row.argmax()), naming.of_query(run, query)
    parts = {"word": word, "head": str(run.head + 1), "weight": fixed(row[most]), "key": naming.of_key(run, most)}
    found = of_words.answers(run, query)
    if leads_on(run, query):
        asked = " ".join(asking.marked(one.question) for one in found)
        yield say("shown_head.not_said", word=word, questions=asked) if found else say("shown_head.idle", word=word)
        if found and not _sum(run, query):
            yield say("shown_head.somewhere", **parts)
        if offered := of_words.offered(run):
            yield say("shown_head.try", words=with_or([naming.of_query(run, one) for one in offered]))
        return
    if named.name:
        answer = {"weight": fixed(row[named.answer]), "key": naming.of_key(run, named.answer)}
        # A click on a word chooses the head that answers it; the sentence says which, and why.
        best = run.module.heads > 1 and any(one.head == run.head and one.target == named.answer for one in found)
        told = "shown_head.best" if best else "shown_head.answers"
        yield say(told, question=named.name, heads=run.module.heads, **parts | answer)
    # Questions that no other head answers better, and that this one answers wrong.
    wrong = [one for one in found if one.head == run.head and not one.is_hidden and one.largest != one.target]
    if wrong:
        questions = [asking.marked(one.question) for one in wrong]
        if named.name:
            yield say("shown_head.wrong_too", questions=with_or(questions), **parts)
        else:
            yield say("shown_head.wrong", questions=" ".join(questions), **parts)
    elif not named.name:
        is_right = most in {one.target for one in found} and float(row[most]) >= asking.EARNED
        yield say("shown_head.seldom" if is_right else f"shown_head.unclear{_sum(run, query)}", **parts)
    hidden = [naming.of_key(run, one.target) for one in found if one.is_hidden]
    if hidden and not named.name:
        yield say("shown_head.hidden", word=word, keys=listed("comma", hidden))


def _sum(run: Run, query: int) -> str:
    """The suffix of the text: only if the weights add up to 1 may it say that they have to."""
    sum = float(run.matrix(acting(run))[query].sum())
    return "" if abs(sum - 1) < _LEAST else "_unbound"
