"""The word of the other text that the layer says for a word, the head that takes its value, and whether it is right and
found."""

from collections.abc import Iterable, Iterator, Sequence

from attention.inputs.dictionary import BOTH, MEANINGS
from pages.shell.i18n import listed, say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.runs.run import Run
from pages.shell.runs.translating import context_of
from pages.shell.screen import Screen
from pages.shell.views import blocks, head_arcs, naming
from pages.shell.views.blocks import Block
from pages.shell.views.crossing import CLEAR, hidden, is_same, target, texts
from pages.shell.views.taken import acting
from pages.shell.views.translated import answers

# A layer whose second word is more probable than this only guesses between two that mean the same.
_TORN = 0.25


def told(screen: Screen) -> Iterator[Block]:
    """The word that the layer says for the chosen one, whether it is right or a mask hides the right one and, if that
    stands elsewhere than at first, whether it is found. Nothing with random weights. If the text is its own context,
    the explanation of that."""
    run, query = screen.run, head_arcs.asked_of(screen)
    if is_same(run):
        yield blocks.text(say("cross.said.same"))
        return
    said = answers(run)
    if query >= len(said):
        return
    (text, context), meant = texts(run), target(run, query)
    (answer, sure), (other, rest) = said[query]
    right = context[meant] if meant >= 0 else ""
    case = _unknown(text[query], context) if not right else "right" if answer == right.lower() else "wrong"
    if case == "wrong" and answer == text[query].lower():
        case = "repeats"
    if case in ("right", "repeats") and rest > _TORN and _is_torn(run, query, meant, (answer, other)):
        case = "guesses"
    is_told = case in ("right", "wrong", "repeats", "guesses") and _is_elsewhere(run, meant)
    if right and hidden(run, query, len(context))[meant]:
        case, is_told = "hidden", False
    head, weight = _taken(run, query, meant) if right else (0, 0.0)
    # A word elsewhere gets a second sentence instead. It may be found and not said, or said and not found.
    if case == "right" and not is_told:
        case = "right_taken" if weight > CLEAR else "right_unfound"
    elif case == "wrong" and weight > CLEAR:
        case, is_told = "wrong_taken", False
    parts = {
        "word": naming.quoted(text, query),
        "said": naming.quoted([answer], 0),
        "sure": fixed(sure),
        "other": naming.quoted([other], 0),
        "rest": fixed(rest),
        "right": naming.quoted(context, meant) if right else "",
        "head": str(head + 1),
        "weight": fixed(weight),
        "strange": with_and([naming.quoted([word], 0) for word in _strange((text[query], *context))] or [""]),
    }
    sentences = [say(f"cross.said.{case}", **parts)]
    if is_told and (case := _found(run, query, meant)):
        sentences.append(say(f"cross.said.{case}", **parts))
    yield blocks.text(listed("sentence", map(naming.opened, sentences)))


def _is_torn(run: Run, query: int, meant: int, answers: Sequence[str]) -> bool:
    """Whether both answers mean the same, and no head has found which of them stands there."""
    word = run.labels["query"][query].lower()
    return not _is_found(run, query, meant) and {*answers} <= {word, *MEANINGS.get(word, ())}


def _taken(run: Run, query: int, meant: int) -> tuple[int, float]:
    """The head with the largest weight on the word that means the same, and that weight."""
    weights = run.trace[acting(run)].value[run.sentence, :, query, meant]
    head = int(weights.argmax())
    return head, float(weights[head])


def _is_found(run: Run, query: int, meant: int) -> bool:
    return float(run.trace["weights"].value[run.sentence, :, query, meant].max()) > CLEAR


def _strange(words: Iterable[str]) -> list[str]:
    """The words that the layer has never learned."""
    return [word for word in dict.fromkeys(words) if word.lower() not in BOTH]


def _unknown(word: str, context: Sequence[str]) -> str:
    """Why the right word of the context is unknown: some words are unknown, none means the same, or several could be
    right."""
    there = {other.lower() for other in context}
    if there & {word.lower(), *MEANINGS.get(word.lower(), ())}:
        return "unknown"
    if _strange((word, *context)):
        return "strange"
    return "nothing" if word.lower() in MEANINGS else "unknown"


def _is_elsewhere(run: Run, meant: int) -> bool:
    """Whether the word that means the same stands at another place than at first."""
    before = context_of(run.config, "").split()
    return before[meant : meant + 1] != [texts(run)[1][meant]]


def _found(run: Run, query: int, meant: int) -> str:
    """The sentence about a word that stands elsewhere because it or another one was moved: whether a head finds it, and
    how its place matters. "" if it is not found though its place is not in its key."""
    made_room = _made_room(context_of(run.config, "").split(), texts(run)[1], meant)
    is_found = _is_found(run, query, meant)
    if run.config.positions == "none":
        return ("shifted" if made_room else "moved_placeless") if is_found else ""
    return ("shifted" if is_found else "shifted_lost") if made_room else "moved" if is_found else "lost"


def _made_room(before: Sequence[str], now: Sequence[str], at: int) -> bool:
    """Whether a word made room for another one that was moved; not if it was moved itself, or if more than one was."""
    moved = [
        now_at
        for was, one in enumerate(before)
        for now_at, other in enumerate(now)
        if one == other and was != now_at and _without(before, was) == _without(now, now_at)
    ]
    return bool(moved) and at not in moved


def _without(words: Sequence[str], at: int) -> list[str]:
    return [*words[:at], *words[at + 1 :]]
