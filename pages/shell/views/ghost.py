"""A, the kept screen, as a ghost: the weights of its heads for the same word, behind the present ones.

The page *A and B* compares with an example until a screen is kept, and shows that one as A.
"""

from attention.inputs.tokens import PAD
from pages.shell.component.arcs import Ask
from pages.shell.runs import of_page
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import looked_at
from pages.shell.state.page_controls import Compare
from pages.shell.views.taken import acting


def ghost(screen: Screen, query: int, shown: int) -> list[Ask]:
    """The weights of each head of A for a query on the first words. None if no screen is kept, if A has other words, or
    if its weights are the same."""
    now, kept = screen.run, screen.own(Compare)
    if not kept.is_kept:
        return []
    config = looked_at(screen.page, kept.screen)
    if config == screen.config:
        return []
    then = of_page.run(screen.page, config, screen.own)
    if _words(then, now.sentence) != _words(now, now.sentence) or then.labels["query"] != now.labels["query"]:
        return []
    weights = then.trace[acting(then)].value[now.sentence, :, query].cpu().float()
    same = now.trace[acting(now)].value[now.sentence, :, query].cpu().float()
    if weights.shape == same.shape and bool((weights == same).all()):
        return []
    return [Ask(head + 1, row[:shown].tolist()) for head, row in enumerate(weights)]


def _words(run: Run, sentence: int) -> tuple[str, ...]:
    if sentence >= len(run.keys.tokens):
        return ()
    return tuple(token for token in run.keys.tokens[sentence] if token != PAD)
