"""The reason why an answer is lost without a head: each head's lead of the right answer over the given one."""

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor

from attention.analysis import heads
from pages.shell.component.head_arcs import Answered, Answers
from pages.shell.i18n import say, with_and
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.views import asking, blocks, head_colours, naming
from pages.shell.views.blocks import Block
from pages.shell.views.head_answers import Flip, word_of
from pages.shell.views.head_answers import judged as judged_of
from pages.shell.views.head_arcs import asked_of

# Pixels of the longest bar.
_WIDE = 260
# A smaller part of a lead counts as little.
_LITTLE = 0.1


def votes(screen: Screen) -> Iterator[Block]:
    """A bar for each head, for the first answer that is lost without the off heads; nothing if none is lost."""
    run, query = screen.run, asked_of(screen)
    off, judged = learned.off(run.config, run.module.heads), judged_of(run, query)
    if judged is None or not judged.flips or not off:
        return
    flip = judged.flips[0]
    every = compute(replace(run.config, heads_off=""))
    added = _leads(every, heads.contributions(every.trace)[every.sentence, :, query], flip)
    looks = run.trace["weights"].value[run.sentence, :, query, flip.target].cpu()
    right, wrong = word_of(flip.question, flip.right), word_of(flip.question, flip.given)
    # One frame holds both sides of 0.
    least, most = min(0.0, float(added.min())), max(0.0, float(added.max()))
    wide = (most - least) or 1.0
    lines = [
        Answered(
            say("votes.off" if head in off else "asking.head", head=head + 1),
            say("votes.looks", share=fixed(looks[head])),
            True,
            float(lead) / wide,
            _signed(float(lead)),
        )
        for head, lead in enumerate(added)
    ]
    header = [say(f"votes.column.{name}") for name in ("head", "looks", "adds")]
    drawn = Answers(
        "votes",
        say("votes.title", right=right, wrong=wrong),
        _wide(looks, added, off, naming.of_key(run, flip.target)),
        # With no head on, there is no lead to tell.
        "" if len(off) == len(added) else naming.opened(_led(run, every, query, flip)),
        header,
        lines,
        _WIDE,
        say("votes.over", right=right, wrong=wrong),
        -least / wide,
        head_colours.places(every) or range(len(added)),
        off,
    )
    yield blocks.figures(drawn)


def carries_little(run: Run, query: int) -> list[str]:
    """For off heads that look at an answering word: their part in that answer's lead over the next one, if it is
    little."""
    off, setting = learned.off(run.config, run.module.heads), learned.used(run.config)
    if not off or setting is None:
        return []
    every = compute(replace(run.config, heads_off=""))
    sure = asking.sure(every, setting, query)
    looks = run.trace["weights"].value[run.sentence, :, query].cpu()
    told = []
    for one in asking.questions(run, query):
        right, following = sure[one.question].topk(2).indices.tolist()
        flip = Flip(one.question, right, following, one.target)
        lead = float(_leads(every, every.trace["projected"].value[every.sentence, query], flip))
        added = _leads(every, heads.contributions(every.trace)[every.sentence, :, query], flip)
        idle = [head for head in off if looks[head, one.target] >= asking.EARNED and added[head] < _LITTLE * lead]
        word = naming.of_key(run, one.target)
        told += [_looks(looks[head, one.target], added[head], head, word) for head in idle]
    return told


def _looks(share: Tensor, added: Tensor, head: int, word: str) -> str:
    points = _signed(float(added))
    return say("votes.wide", head=head + 1, word=word, share=fixed(share), points=points)


def _leads(run: Run, output: Tensor, flip: Flip) -> Tensor:
    """The lead of the right answer's logit over the given one's in an output (..., out)."""
    setting = learned.used(run.config)
    assert setting is not None
    logits = learned.layer(setting).logits(output.cpu().float())[..., flip.question, :]
    return logits[..., flip.right] - logits[..., flip.given]


def _wide(looks: Tensor, added: Tensor, off: tuple[int, ...], word: str) -> str:
    """The contribution of the head that is on and looks most at the right word; "" if none looks much."""
    on = [head for head in range(len(looks)) if head not in off and float(looks[head]) >= asking.EARNED]
    if not on:
        return ""
    head = max(on, key=lambda one: float(looks[one]))
    return _looks(looks[head], added[head], head, word)


def _led(run: Run, every: Run, query: int, flip: Flip) -> str:
    """The contribution of the off heads to the right answer, and the lead without them."""
    led, leads = (float(_leads(one, one.trace["projected"].value[one.sentence, query], flip)) for one in (every, run))
    named = with_and([say("asking.head", head=at + 1) for at in learned.off(run.config, run.module.heads)])
    right, wrong = word_of(flip.question, flip.right), word_of(flip.question, flip.given)
    gave, behind = f"{led - leads:.1f}", f"{abs(leads):.1f}"
    return say("votes.led", heads=named, right=right, wrong=wrong, gave=gave, behind=behind)


def _signed(points: float) -> str:
    written = f"{points:+.1f}"
    return "0.0" if float(written) == 0 else written.replace("-", "−")
