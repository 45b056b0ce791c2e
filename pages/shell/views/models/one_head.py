"""The opened head: its pattern, and all its steps."""

from collections.abc import Iterator

from attention.figures import heatmap_of
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.runs.trained.request import last_word, sizes_of
from pages.shell.screen import Screen
from pages.shell.views import blocks, pipeline
from pages.shell.views import ledger as ledgers
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import after, is_ready, measured, name, numbers, place, request, run
from pages.shell.views.registry import named


@named("models.facts")
def facts(screen: Screen) -> Iterator[Block]:
    found, (layer, head) = after(screen), place(screen)
    if found is None:
        return
    yield blocks.heading(say("models.opened.heading", head=name(layer, head), code=f"L{layer}H{head}"))
    yield blocks.text(numbers(measured(found), layer, head))


@named("models.map")
def weights(screen: Screen) -> Iterator[Block]:
    """The weights of a head whose other steps were not kept."""
    found, (layer, head) = after(screen), place(screen)
    if found is None or is_ready(screen):
        return
    hides = None if found.mask is None else ~found.mask
    tokens, z = found.tokens, found.weights[layer, head]
    drawn = heatmap_of("weights", z, "query", "key", "probability", forbidden=hides, hidden=0.0)
    query = last_word(len(tokens), is_causal=sizes_of(request(screen).model).causal)
    key = int(z[query].argmax())
    note = say("models.opened.map_note", query=tokens[query], key=tokens[key], number=f"{z[query, key]:.2f}")
    title = say("models.opened.map", head=name(layer, head))
    yield blocks.figures(Figure(drawn, title, tokens, tokens, note, say("models.opened.map_text")))


@named("models.ledger")
def ledger(screen: Screen) -> Iterator[Block]:
    if run(screen) is not None:
        yield from ledgers.ledger(screen)


@named("models.strip")
def strip(screen: Screen) -> Iterator[Block]:
    if run(screen) is not None:
        yield from pipeline.strip(screen, chooses="model_head")


@named("models.formula")
def formula(screen: Screen) -> Iterator[Block]:
    if run(screen) is not None:
        yield from pipeline.formula(screen)


@named("models.large")
def large(screen: Screen) -> Iterator[Block]:
    if run(screen) is not None:
        yield from pipeline.large(screen)
