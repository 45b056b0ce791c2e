"""The saving by fewer key heads, and the lost answers, by the number of key heads, before and after training."""

from collections.abc import Iterator

from attention.inputs.shared_keys import recovered
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.fewer_keys import layers
from pages.shell.views.fewer_keys.layers import HEADS
from pages.shell.views.fewer_keys.repair import percent

# The stops of the slider, drawn at equal distances.
_KEPT = (1, 2, 4, HEADS)


def trade(screen: Screen) -> Iterator[Block]:
    """The cache as bars, the right answers on test sentences as lines: averaged, and trained on."""
    own, places = layers.own(screen).right, range(len(_KEPT))
    cache = [kept / HEADS for kept in _KEPT]
    # The layer with a key head for each query head is neither averaged nor trained further.
    averaged, trained = ([*(recovered(kept)[at] for kept in _KEPT[:-1]), own] for at in (0, -1))
    # The words stand left of the rising line and above the level one, and hide neither.
    series = [
        Series(say("fewer.trade_cache"), places, cache, "bars", said=(-0.4, 0.33, say("fewer.trade_kept"))),
        Series(say("fewer.trade_averaged"), places, averaged, colour=1, said=(1.9, 0.62, say("fewer.short.averaged"))),
        Series(say("fewer.trade_trained"), places, trained, colour=2, said=(1.9, 1.13, say("fewer.short.later"))),
    ]
    note = say("fewer.trade_note", cache=percent(cache[0]), averaged=percent(averaged[0]), trained=percent(trained[0]))
    x = Axis(say("fewer.key_heads"), range=(-0.6, places[-1] + 0.6), ticks=places, names=list(map(str, _KEPT)))
    y = Axis(say("fewer.trade_share"), range=(0, 1.25), ticks=(0, 0.5, 1), names=("0%", "50%", "100%"))
    here = _KEPT.index(int(screen.own(FewerKeys).kv_of_8))
    yield blocks.figures(
        Chart("trade", say("fewer.trade"), series, x, y, note, marks=[(here, say("fewer.trade_here"))], light=True)
    )
