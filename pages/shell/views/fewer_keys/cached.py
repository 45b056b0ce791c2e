"""The size of a token in the cache: in published models, and for chosen sizes."""

from collections.abc import Iterator

from attention.cache import PUBLISHED, Model, cached_bytes
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# Tokens of a text that is long today.
LONG = 128 * 1024
# A model that reads texts of this length, and has four query heads for each key head.
_READER = "Llama-3-8B"


def matters(screen: Screen) -> Iterator[Block]:
    """The saving by shared key heads in the cache of a long text in a published model."""
    model = next(one for one in PUBLISHED if one.name == _READER)
    now, unshared = (f"{size / 2**30:.3g} GiB" for size in (model.text(LONG), model.unshared() * LONG))
    yield blocks.text(say("fewer.matters", model=model.name, n=f"{LONG:,}", now=now, unshared=unshared))


def models(screen: Screen) -> Iterator[Block]:
    """Bytes of a token in the cache of published models, as they are and with a key head for each query head."""
    yield blocks.text(say("fewer.cache_lead"))
    place = list(range(len(PUBLISHED)))
    made = {
        "fewer.now": [model.bytes() / 1024 for model in PUBLISHED],
        "fewer.unshared": [model.unshared() / 1024 for model in PUBLISHED],
    }
    series = [
        Series(say("fewer.unshared"), place, made["fewer.unshared"], "dots", colour=1),
        Series(say("fewer.now"), place, made["fewer.now"], "bars"),
    ]
    names = [_named(model) for model in PUBLISHED]
    times = [f"{model.unshared() / model.bytes():.0f}" for model in PUBLISHED]
    most = max(times, key=int)
    # Models whose saving is equal in the shown digits share the first place.
    saving = listed("comma", (name for name, saved in zip(names, times, strict=True) if saved == most))
    note = say("fewer.cache_note", models=saving, times=most)
    x, y = Axis(say("fewer.model"), ticks=place, names=names), Axis(say("fewer.kib"), log=True)
    yield blocks.figures(Chart("cache", say("fewer.cache"), series, x, y, note))
    header = (say("fewer.model"), say("fewer.sizes"), say("fewer.kib"), say("fewer.kib_unshared"), _long())
    rows = (
        [
            _named(model),
            "\u00a0·\u00a0".join(map(str, (model.layers, model.heads, model.kv_heads, model.d_k))),
            f"{model.bytes() / 1024:,.4g}",
            f"{model.unshared() / 1024:,.4g}",
            f"{model.text(LONG) / 2**30:.3g} GiB",
        ]
        for model in PUBLISHED
    )
    yield blocks.table(*header, rows=rows)


def _named(model: Model) -> str:
    """The model's name, marked if it keeps a latent: then the number of key heads does not tell the size of a token."""
    return say("fewer.latent_model", model=model.name) if model.latent else model.name


def _long() -> str:
    return say("fewer.long", n=f"{LONG:,}")


def own(screen: Screen) -> Iterator[Block]:
    """The size of a token in the cache for chosen sizes."""
    chosen = screen.own(FewerKeys)
    layers, d_k, heads = chosen.own_layers, int(chosen.own_d_k), int(chosen.kv_of_8)
    costs = {count: cached_bytes(layers, count, d_k) for count in (8, 4, 2, 1)}
    rows = ([str(count), f"{cost / 1024:,.4g}", f"{cost * LONG / 2**30:.3g} GiB"] for count, cost in costs.items())
    yield blocks.table(say("fewer.key_heads"), say("fewer.own_kib"), _long(), rows=rows)
    yield blocks.text(say("fewer.own_note", kv_heads=heads, kib=f"{costs[heads] / 1024:,.4g}"))
