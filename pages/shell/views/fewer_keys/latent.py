"""Latent attention: one short vector a token, from which the keys and values of all heads are made, and its error."""

from collections.abc import Iterator
from functools import lru_cache

import torch
from torch import Tensor

from attention.analysis.latent import Latent, latent_attention
from attention.explain.explanation import Explanation, dot
from attention.explain.latex import subscript
from attention.figures import heatmap_of
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.component.heatmap import Figure
from pages.shell.i18n import say
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks, explained
from pages.shell.views.blocks import Block
from pages.shell.views.explained import ExplainedHeatmap

_N, _D_MODEL, _HEADS, _D = 16, 16, 4, 4
_WHOLE = 2 * _HEADS * _D


@lru_cache(maxsize=1)
def _drawn() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x, and W_Q, W_K and W_V by head."""
    generator = torch.Generator().manual_seed(11)
    x = torch.randn(_N, _D_MODEL, generator=generator, dtype=torch.float64)
    weights = torch.randn(3, _HEADS, _D_MODEL, _D, generator=generator, dtype=torch.float64) / _D_MODEL**0.5
    w_q, w_k, w_v = weights
    return x, w_q, w_k, w_v


@lru_cache(maxsize=_D_MODEL)
def _made(rank: int) -> Latent:
    return latent_attention(*_drawn(), rank)


def _lost(rank: int) -> float:
    """The largest difference between an output with a latent of this rank and the same output with all features."""
    return float((_made(rank).output - _made(_D_MODEL).output).abs().max())


def lead(screen: Screen) -> Iterator[Block]:
    yield blocks.text(say("fewer.latent.lead"))


def latent(screen: Screen) -> Iterator[Block]:
    """The latent of each token, and the keys and values that are made of it."""
    d_c = screen.own(FewerKeys).d_c
    made, (x, *_) = _made(d_c), _drawn()
    tokens, names = [str(place + 1) for place in range(_N)], [str(place + 1) for place in range(d_c)]
    kept = heatmap_of("latent", made.latent, "token", "latent")
    joined = heatmap_of("latent-joined", made.joined, "token", "joined")
    rank = int(torch.linalg.matrix_rank(made.joined))
    note = say("fewer.latent.kept_note", latent=d_c, whole=_WHOLE, times=fixed(_WHOLE / d_c, 1))
    far = apart((made.output - made.absorbed).abs().max())
    of_both = say("fewer.latent.joined_note", rank=rank, most=min(*joined.z.shape, _D_MODEL), far=far)
    run, labels = compute(Config()), {"token": tokens, "latent": names}

    def explain_kept(row: int, column: int) -> Explanation:
        at = rf"c_{{{subscript(row, column)}}}"
        return dot(at, (f"x_{{{row + 1}}}", rf"(W_{{DKV}})_{{:,{column + 1}}}"), x[row], made.down[:, column], "model")

    def explain_joined(row: int, column: int) -> Explanation:
        at = rf"[K\,V]_{{{subscript(row, column)}}}"
        names = f"c_{{{row + 1}}}", rf"(W_{{UKV}})_{{:,{column + 1}}}"
        return dot(at, names, made.latent[row], made.up[:, column], "latent")

    yield from explained.row(
        screen,
        "latent",
        ExplainedHeatmap(run, Figure(kept, say("fewer.latent.kept"), tokens, names, note), explain_kept, labels),
        ExplainedHeatmap(
            run,
            Figure(joined, say("fewer.latent.joined"), tokens, (), of_both, band=_WHOLE // 2),
            explain_joined,
            labels,
        ),
    )


def costs(screen: Screen) -> Iterator[Block]:
    """Numbers that a token leaves in the cache, by way; and the error of the output, by features of the latent."""
    d_c = screen.own(FewerKeys).d_c
    ways = {say("fewer.latent.heads", heads=heads): 2 * heads * _D for heads in (4, 2, 1)}
    ways[say("fewer.latent.way", latent=d_c)] = d_c
    place = list(range(len(ways)))
    bars = Series(say("fewer.latent.numbers"), place, list(ways.values()), "bars")
    x = Axis(say("fewer.latent.ways"), ticks=place, names=list(ways))
    note = say("fewer.latent.cache_note", latent=d_c, whole=_WHOLE)
    cached = Chart("latent-cache", say("fewer.latent.cache"), [bars], x, Axis(say("fewer.latent.numbers")), note)
    features = list(range(1, _D_MODEL + 1))
    lost = Series(say("fewer.latent.lost"), features, [_lost(rank) for rank in features])
    note = say("fewer.latent.lost_note", latent=d_c, lost=apart(_lost(d_c)), most=_D_MODEL)
    axes = Axis(say("fewer.latent.features")), Axis(say("fewer.latent.lost"))
    title = say("fewer.latent.lost_title")
    yield blocks.figures(cached, Chart("latent-lost", title, [lost], *axes, note, marks=[(d_c, f"d_c = {d_c}")]))


def wrong(screen: Screen) -> Iterator[Block]:
    yield blocks.text(say("fewer.latent.wrong"))
