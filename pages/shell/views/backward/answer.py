"""The questions of a word whose answers the layer learned, and its answers."""

from dataclasses import replace

from attention.inputs.grammar import ANSWERS, NOTHING, Asked
from attention.inputs.learned import ON_THE_WAY
from pages.shell.i18n import say
from pages.shell.runs import asking as of_words
from pages.shell.runs import backward, learned
from pages.shell.runs.run import Run
from pages.shell.views import asking, naming


def is_trained(run: Run) -> bool:
    """Whether all numbers are those of the training: none was typed by hand, and no head was taken away."""
    return learned.used(run.config) is not None and not run.typed and not learned.off(run.config, run.module.heads)


def is_on_the_way(run: Run) -> bool:
    """Whether this state of the layer was kept during the training, and all numbers are those of the training."""
    setting = learned.used(replace(run.config, updates=str(ON_THE_WAY[0])))
    return is_trained(run) and setting is not None and setting.taken is not None


def first_of(run: Run, row: int) -> int:
    """The first question of a word; 0 if it asks nothing."""
    return next((one.question for one in asked(run, row)), 0)


def asked(run: Run, row: int) -> list[Asked]:
    """The questions of a word whose right answer the layer knows."""
    known = backward.right_answers(run)[run.sentence, row]
    return sorted((one for one in asking.questions(run, row) if known[one.question] >= 0), key=lambda one: one.question)


def knows(run: Run, row: int, question: int) -> bool:
    """Whether the right answer to a question of a word is known."""
    known = backward.right_answers(run)[run.sentence]
    return row < known.shape[0] and question < known.shape[1] and bool(known[row, question] >= 0)


def wrong(run: Run, row: int) -> list[Asked]:
    """The questions of a word that the layer answers wrong."""
    return [one for one in asked(run, row) if not given(run, row, one.question)[2]]


def of_question(run: Run, row: int, question: int | None) -> Asked | None:
    """A question of a word; None if the word does not ask it."""
    return next((one for one in asked(run, row) if one.question == question), None)


def right(run: Run, one: Asked) -> str:
    return say("all_heads.no_adjective") if of_words.is_nothing(run, one) else run.tokens[one.target]


def right_named(run: Run, one: Asked) -> str:
    """The right answer, named for a sentence."""
    return say("all_heads.no_adjective") if of_words.is_nothing(run, one) else naming.of_key(run, one.target)


def given(run: Run, row: int, question: int) -> tuple[str, float, bool]:
    """The layer's answer to a question of a word, named for a sentence; its probability; and whether it is right."""
    setting = learned.used(run.config)
    assert setting is not None
    most, at = asking.sure(run, setting, row)[question].max(-1)
    return (
        named(question, int(at)),
        float(most),
        int(at) == int(backward.right_answers(run)[run.sentence, row, question]),
    )


def given_bare(run: Run, row: int, question: int) -> str:
    """The layer's answer, named for a button."""
    word = ANSWERS[question][_given(run, row, question)]
    return say("all_heads.no_adjective") if word == NOTHING else _marked(run, word, word)


def now_says(after: Run, row: int, one: Asked) -> str:
    found, is_right = placed(after, one.question, _given(after, row, one.question)), given(after, row, one.question)[2]
    return say(f"backward.now_says.{'right' if is_right else 'wrong'}", given=found)


def _given(run: Run, row: int, question: int) -> int:
    """The number of the layer's answer."""
    setting = learned.used(run.config)
    assert setting is not None
    return int(asking.sure(run, setting, row)[question].argmax())


def is_unseen(run: Run, row: int, question: int) -> bool:
    """Whether the layer answers with a word that is not in its sentence."""
    return ANSWERS[question][_given(run, row, question)] not in (NOTHING, *run.tokens)


def placed(run: Run, question: int, at: int) -> str:
    """An answer of the layer, named for a sentence; a word that is not in the sentence is marked as such."""
    return _marked(run, ANSWERS[question][at], named(question, at))


def _marked(run: Run, word: str, told: str) -> str:
    return told if word in (NOTHING, *run.tokens) else say("backward.unseen", word=told)


def named(question: int, at: int) -> str:
    """An answer of the layer by its number, named for a sentence."""
    word = ANSWERS[question][at]
    return say("all_heads.no_adjective") if word == NOTHING else say("note.named", token=word)


def sure(run: Run, row: int, question: int) -> float:
    """The probability of the right answer to a question of a word."""
    setting = learned.used(run.config)
    assert setting is not None
    right = int(backward.right_answers(run)[run.sentence, row, question])
    return float(asking.sure(run, setting, row)[question, right])
