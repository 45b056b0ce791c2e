"""The weights of each head for one word, and the question that the head answers there, if its scores earn one.

Nobody told a head its question: the name is ours. A head earns it for a word that asks that question if it puts at
least half of its weight on the right word, both here and over the test sentences, under the mask of the screen or
without one.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from torch import Tensor

from attention.experiments.learning import Scores
from attention.inputs.grammar import QUESTIONS, Asked
from attention.inputs.learned import Setting
from pages.shell.component.arcs import Ask
from pages.shell.component.asking import Asking
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import LEARNED, Config
from pages.shell.views import blocks, naming
from pages.shell.views.blocks import Block
from pages.shell.views.steps import focus_of
from pages.shell.views.taken import acting

# The least share of its weight that a head must put on the right word, to be named after the question.
EARNED = 0.5


def asks(run: Run, query: int, shown: int, of: str | None = None) -> list[Ask]:
    """Each head's weights of a query on the first words. shown: how many of them; of: the step whose weights are meant,
    None for those that act."""
    weights = run.trace[of or acting(run)].value[run.sentence, :, query].cpu().float()
    asked = questions(run, query)
    earned = _earned(run) if asked else []
    made = []
    for head, row in enumerate(weights):
        name, answer, told = "", -1, ""
        for one in asked if earned else ():
            of_head = max(scores.by_head[one.question][head] for scores in earned)
            if of_head >= EARNED and float(row[one.target]) >= EARNED:
                name, answer = name_of(one.question), one.target
                if of_words.is_nothing(run, one):
                    told = say("asking.answers", question=name, word=say("all_heads.no_adjective"))
        made.append(Ask(head + 1, row[:shown].tolist(), name, answer, told))
    return made


def _earned(run: Run) -> list[Scores]:
    """The share of weight that heads put on the right words of the test sentences, under the mask of the screen and
    without one: few of those sentences are made for a painted mask, which therefore takes no question away."""
    whole = replace(run.config, mask=Config.mask, painted="")
    found = (learned_scores.attended(config, run.module) for config in (run.config, whole))
    return [one for one in found if one is not None]


def questions(run: Run, query: int) -> list[Asked]:
    """The questions of a query's word, if the sentence belongs to the grammar that the layer has learned."""
    if run.config.preset != LEARNED or run.context is not None:
        return []
    (read,) = learned.sentences((run.tokens[: run.inputs.lengths[run.sentence]],))
    # Punctuation marks are no words of the grammar, and would shift the places of the others.
    if len(read.words) != run.inputs.lengths[run.sentence]:
        return []
    earlier = len(run.tokens) - run.trace.sizes["query"]
    return [one for one in read.asked if one.place == query + earlier]


def heads(screen: Screen) -> Iterator[Block]:
    """One line of weights for each head; a click chooses the head."""
    run, asked = screen.run, screen.query()
    query = focus_of(run) if asked is None else asked
    tokens = run.labels["key"]
    shown = max(run.inputs.lengths[run.sentence], 1) if run.context is None else len(tokens)
    made = asks(run, query, min(shown, len(tokens)))
    count, word = run.module.heads, run.labels["query"][query]
    named = any(one.name for one in made)
    yield blocks.figures(
        Asking(
            "asking",
            say("asking.title" if count > 1 else "asking.title_one", heads=count, word=word),
            "",
            names() if named else _unnamed(run, query),
            tokens[:shown],
            run.head,
            made,
            _once([said(run, one) for one in made]),
            [say("asking.head", head=one.head) for one in made],
            [{"head": "" if one.head == 1 else str(one.head)} for one in made],
        ),
        click={},
    )


def _once(told: list[str]) -> list[str]:
    """If heads one below the other have no known question, the first says so, and the next ones say "nor here"."""
    unclear = say("asking.unclear")
    pairs = pairwise(["", *told])
    return [say("asking.nor") if before == one == unclear else one for before, one in pairs]


def _unnamed(run: Run, query: int) -> str:
    """Why no head has a question for the word; "" if nobody trained the weights."""
    if run.config.preset != LEARNED:
        return ""
    return say("asking.idle" if of_words.is_idle(run, query) else "asking.unnamed")


def said(run: Run, one: Ask) -> str:
    """A head's work for the word: the question and its answer, or the word with most of its weight."""
    if one.said:
        return one.said
    if one.name:
        return say("asking.answers", question=one.name, word=run.labels["key"][one.answer])
    if run.config.preset == LEARNED:
        return say("asking.unclear")
    most = max(range(len(one.weights)), key=one.weights.__getitem__)
    if one.weights[most] >= EARNED:
        return say("asking.mostly", word=naming.of_key(run, most))
    if not any(one.weights):
        return say("asking.taken_away")
    return say("asking.spread", most=fixed(one.weights[most]))


def sure(run: Run, setting: Setting, query: int) -> Tensor:
    """The probabilities of the answers to each question of a query."""
    return learned.layer(setting).logits(run.trace["projected"].value[run.sentence, query].cpu().float()).softmax(-1)


def name_of(question: int) -> str:
    return marked(QUESTIONS[question])


def marked(question: str) -> str:
    """The name of a question by its id, with its question mark."""
    return say(f"learned.question.{question}") + say("asking.mark")


def names() -> str:
    """The sentence that training shared out the questions among the heads."""
    return say("asking.names")
