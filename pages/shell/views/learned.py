"""The layer that learned a grammar: its score, and the question of each head. Nothing for other presets."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attention.experiments.learning import Scores, constant
from attention.inputs.grammar import ANSWERS, QUESTIONS, VOCABULARY
from attention.inputs.learned import Setting
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code
from pages.shell.runs import asking, learned, learned_scores
from pages.shell.runs.run import Run
from pages.shell.screen import WORD, Screen
from pages.shell.state.config import LEARNED
from pages.shell.views import blocks, captions, steps
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, explained_heatmap

# The id of a head's map, before its number.
_MAP = "learned-head-"
# A lower score is mentioned.
_GOOD = 0.9


def scores(screen: Screen) -> Iterator[Block]:
    """The score of the layer as it is on the screen, and the questions of the sentence's verb."""
    run = screen.run
    found = learned_scores.tested(run.config, run.module)
    if found is None:
        return
    yield blocks.heading(say("learned.title", score=_two(found.scores.mean)))
    said = say("learned.lead"), learned.trained_with(found.setting)
    yield blocks.text(listed("sentence", filter(None, said)))
    yield blocks.figures(_bars(found.scores, _dropping(run)))
    yield from _verb(run, found.setting)


def look(run: Run, query: int, *, again: bool = False) -> dict[str, str]:
    """The settings of a click on a word: the head that answers the word's question, and its largest weight there.

    again: whether the word is chosen already; a verb then goes on to its next question.
    """
    head = asking.look(run, query, again=again)
    largest = int(run.trace["weights"].value[run.sentence, head, query].argmax())
    cell = {"cell": f"weights.{query}.{largest}.{WORD}"}
    # An address omits a default.
    return cell | ({} if head == run.head else {"head": str(head + 1) if head else ""})


def training(screen: Screen) -> Iterator[Block]:
    """The link to the layer that was trained with the changes that act here, and back."""
    config = screen.run.config
    acting = learned.acting(config) if config.preset == LEARNED else ""
    if acting and config.trained:
        yield blocks.buttons((say("learned.one_layer"), False, {"trained": ""}))
    elif acting:
        yield blocks.buttons((say("learned.train_with", parts=acting), False, {"trained": "true"}))


def _dropping(run: Run) -> str:
    """The remark on scores that were measured while weights are dropped."""
    p = run.config.dropout
    return say("learned.dropping", p=f"{p:.2f}") if p and run.config.mode == "training" else ""


def _bars(scores: Scores, dropping: str) -> Chart:
    at = np.arange(1, len(QUESTIONS) + 1)
    series = (
        Series(say("learned.accuracy"), at, scores.accuracy, "bars"),
        Series(say("learned.look"), at, scores.look, "dots", colour=1),
    )
    x = Axis(say("learned.asked"), range=(0.5, len(QUESTIONS) + 0.5), ticks=at.tolist(), names=_questions())
    y = Axis(say("learned.share"), range=(0, 1.05))
    text = listed("sentence", filter(None, (say("learned.scores_text"), dropping)))
    return Chart("learned-scores", say("learned.scores"), series, x, y, _summary(scores), text)


def _summary(scores: Scores) -> str:
    """The questions that are not answered, and those that are answered without a look at the right word."""
    asked = list(zip(_questions(), scores.accuracy, scores.look, strict=True))
    missed = [
        say("learned.short", question=question, share=_two(right), guess=_two(guess))
        for (question, right, _), guess in zip(asked, constant(), strict=True)
        if right < _GOOD
    ]
    blurred = [
        say("learned.at", question=question, share=_two(look))
        for question, right, look in asked
        if right >= _GOOD > look
    ]
    said = [say("learned.all_right", score=_two(scores.mean), kinds=len(QUESTIONS))]
    if missed:
        said.append(say("learned.missed", good=_GOOD, parts=listed("comma", missed)))
    if blurred:
        said.append(say("learned.blurred", good=_GOOD, parts=listed("comma", blurred)))
    return listed("sentence", said)


def _verb(run: Run, setting: Setting) -> Iterator[Block]:
    """The questions of the sentence's verb, the answers, and the head that looks at the right word."""
    sentence = learned.sentences((run.inputs.tokens[run.sentence][: run.inputs.lengths[run.sentence]],))[0]
    at = sentence.verb - (len(run.tokens) - run.trace.sizes["query"])
    if sentence.verb < 0 or at < 0:
        return
    output = run.trace["projected"].value[run.sentence, at].cpu().float()
    sure, answer = learned.layer(setting).logits(output).softmax(-1).max(-1)
    weights = run.trace["weights"].value[run.sentence, :, at].cpu()
    targets = {one.question: one.target for one in sentence.asked if one.place == sentence.verb}
    rows = []
    for question in range(3):
        told = code(ANSWERS[question][int(answer[question])]), _two(float(sure[question]))
        right = looked = "–"
        if question in targets:
            right = code(sentence.words[targets[question]])
            head = int(weights[:, targets[question]].argmax())
            looked = say("learned.head_looks", head=head + 1, weight=_two(float(weights[head, targets[question]])))
            if sentence.words[targets[question]] not in VOCABULARY:
                told = "?", "–"
        asks = say("learned.ask", verb=code(sentence.words[sentence.verb]), question=_questions()[question])
        rows.append((asks, right, looked, *told))
    header = [say(f"learned.column.{name}") for name in ("asks", "right", "head", "answer", "sure")]
    yield blocks.table(*header, rows=rows)


def heads(screen: Screen) -> Iterator[Block]:
    """Each head with the question whose right words have most of its weight, and a switch."""
    run = screen.run
    found = learned_scores.attended(run.config, run.module)
    if found is None:
        return
    masses, off = found.by_head, learned.off(run.config, run.module.heads)
    names = _questions()
    jobs = [
        listed("comma", (_job(names[one], masses[one], head) for one in job)) for head, job in enumerate(found.jobs)
    ]
    yield blocks.text(say("learned.heads"))
    yield blocks.buttons(
        *(
            (
                say("learned.head_off" if head in off else "learned.head_on", head=head + 1, job=job),
                head not in off,
                {"heads_off": ",".join(str(one + 1) for one in sorted({*off} ^ {head}))},
            )
            for head, job in enumerate(jobs)
        )
    )
    maps = [_map(run, head, job) for head, job in enumerate(jobs)]
    yield blocks.figures(*maps, click={"cell": "weights.{row}.{column}.learned", "step": "weights"}, opens="pipeline")


def _job(question: str, masses: tuple[float, ...], head: int) -> str:
    """A question of a head with the weight of its right words. masses: of all heads, of which another may have more."""
    told = say("learned.at", question=question, share=_two(masses[head]))
    return told if masses[head] == max(masses) else say("learned.own_most", told=told)


def _map(run: Run, head: int, job: str) -> Figure:
    """The weights of a head (from 0), with the right words framed."""
    one = replace(run, config=replace(run.config, head=head + 1))
    step, title = run.trace["weights"], f"{captions.head(one)} · {job}" if run.module.heads > 1 else job
    said = captions.note(one, step, steps.focus_of(one))
    forbidden = steps.forbidden(one, step)
    caption = Caption(f"{_MAP}{head + 1}", title, said)
    made = explained_heatmap(one, one.trace, "weights", caption, forbidden=forbidden)
    # The title names the head before its question.
    return replace(made.figure, outlined=steps.right_words(one), part="", sets={"head": head + 1})


def _questions() -> list[str]:
    return [say(f"learned.question.{name}") for name in QUESTIONS]


def _two(share: float) -> str:
    return f"{share:.2f}"
