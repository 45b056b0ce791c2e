"""The keys that the layers of published models see, and the size of a text in their caches; also of a reader's
model."""

from collections.abc import Iterator

from attention.configuration import strip
from attention.layer_kinds import KINDS, LayerKind, Strip
from attention.published_layers import PUBLISHED_LAYERS
from pages.shell.component.layer_strips import LayerStrips, Row
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import binary, share
from pages.shell.screen import Screen
from pages.shell.state import configurations
from pages.shell.state.todays_controls import Costs
from pages.shell.views import blocks
from pages.shell.views.blocks import Block


def strips(screen: Screen) -> Iterator[Block]:
    """A row of layers for each published model, and one for the configuration that a visitor brought."""
    chosen = screen.own(Costs)
    tokens = int(chosen.cost_n)
    shown = [one.strip for one in PUBLISHED_LAYERS]
    if chosen.cost_config:
        try:
            shown.insert(0, strip(configurations.entries(chosen.cost_config), say("costs.strips.own")))
        except ValueError as error:
            yield blocks.note(say("costs.strips.refused", reason=str(error)))
    labels = {
        "model": say("costs.strips.model"),
        "layers": say("costs.strips.layers"),
        "own": say("costs.strips.own_kv"),
        "cache": say("costs.strips.cache", n=f"{tokens:,}"),
        "kind": say("costs.strips.kind"),
        "keys": say("costs.strips.keys"),
    }
    kinds = [say(f"costs.layer.{kind}") for kind in KINDS]
    rows = [_row(one, tokens) for one in shown]
    yield blocks.figures(
        LayerStrips("costs-strips", say("costs.strips.title"), _note(shown, tokens), kinds, rows, labels)
    )


def _row(shown: Strip, tokens: int) -> Row:
    # Equal layers share their text.
    alike = list(dict.fromkeys(shown.layers))
    cells = [alike.index(layer) for layer in shown.layers]
    says = [_said(layer, tokens) for layer in alike]
    keeps = shown.bytes(tokens)
    kinds = [KINDS.index(layer.kind) for layer in alike]
    reads = [at for at, layer in enumerate(alike) if layer.of is not None]
    return Row(shown.name, cells, kinds, says, reads, own(shown), keeps, binary(keeps))


def own(shown: Strip) -> str:
    """The number of layers with keys and values of their own, of all layers."""
    return f"{shown.producers} / {len(shown.layers)}"


def _said(layer: LayerKind, tokens: int) -> str:
    told = [say(f"costs.layer.{layer.kind}")]
    if layer.reach:
        told.append(say("costs.strips.reach", keys=f"{layer.reach:,}"))
    if layer.kv_heads:
        told.append(say("costs.strips.heads", heads=layer.kv_heads))
    if not layer.positions:
        told.append(say("costs.strips.unplaced"))
    if layer.of is not None:
        told.append(say("costs.strips.reads", layer=layer.of + 1))
    else:
        told.append(binary(2 * layer.kept(tokens)))
    return listed("comma", told)


def _note(shown: list[Strip], tokens: int) -> str:
    """The models of the picture that keep the most and the least, and those whose layers read keys and values of
    others."""
    most, least = (pick(shown, key=lambda one: one.bytes(tokens)) for pick in (max, min))
    sizes = {"most": binary(most.bytes(tokens)), "least": binary(least.bytes(tokens))}
    said = [say("costs.strips.note", n=f"{tokens:,}", large=most.name, small=least.name, **sizes)]
    for one in shown:
        count = len(one.layers)
        if one.producers < count:
            part = share(one.producers / count)
            said.append(say("costs.strips.shares", model=one.name, own=one.producers, layers=count, share=part))
    return listed("sentence", said)


def sources(screen: Screen) -> Iterator[Block]:
    """The sources of the layers in the picture."""
    header = (
        say("costs.strips.model"),
        say("costs.strips.layers"),
        say("costs.strips.own_kv"),
        say("costs.strips.source"),
    )
    rows = ((one.name, str(len(one.strip.layers)), own(one.strip), one.source) for one in PUBLISHED_LAYERS)
    yield blocks.table(*header, rows=rows)
    yield blocks.text(say("costs.strips.classes"))
