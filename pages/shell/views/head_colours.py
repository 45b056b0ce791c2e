"""The colours of trained heads, by the question that each answers best: a question keeps its colour when another layer
has other heads."""

from dataclasses import replace

from pages.shell.runs import learned_scores
from pages.shell.runs.run import Run
from pages.shell.state.config import LEARNED, Config
from pages.shell.views.asking import EARNED

# The place of each question's colour among those of series.
_OF_QUESTION = (0, 3, 2, 1, 4)


def places(run: Run) -> list[int]:
    """The colour of each head, as a place; if several answer one question, the best of them has its colour. Empty for
    weights that learned no question: their heads are coloured by number."""
    config = run.config
    if config.preset != LEARNED or run.context is not None:
        return []
    scores = learned_scores.attended(replace(config, mask=Config.mask, painted="", heads_off=""), run.module)
    if scores is None:
        return []
    found: dict[int, int] = {}
    for question, place in enumerate(_OF_QUESTION):
        mass = {
            head: by_head
            for head, by_head in enumerate(scores.by_head[question])
            if by_head >= EARNED and by_head == max(asked[head] for asked in scores.by_head)
        }
        if mass:
            found[max(mass, key=mass.__getitem__)] = place
    count = run.module.heads
    free = (place for place in range(2 * count + len(_OF_QUESTION)) if place not in found.values())
    return [found[head] if head in found else next(free) for head in range(count)]
