"""Claims about positions; rotary angles are b^(-2p / d) from the paper, for 64 pairs."""

import math

import numpy as np
import torch

from attention.analysis.moved_positions import KINDS, scores
from pages.shell.i18n import say, speaking, with_and
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import TRAINED, Positions
from tests.support.claims.claim import Values, claim, near, number


def _angles(base: float) -> np.ndarray:
    return base ** (-np.arange(64) / 64)


def _slowest(screen: Screen) -> float:
    return float(_angles(float(screen.own(Positions).pos_base))[-1])


@claim("positions.waves_new", "positions.waves")
def _(screen: Screen, values: Values) -> bool:
    return near(values["later"], (2 * TRAINED - 1) * _slowest(screen)) and number(values["later"]) < 2 * math.pi


@claim("positions.waves_some", "positions.waves", {"pos_base": "1000"})
def _(screen: Screen, values: Values) -> bool:
    angle = (TRAINED - 1) * _slowest(screen)
    return near(values["angle"], angle) and angle < 2 * math.pi <= (2 * TRAINED - 1) * _slowest(screen)


@claim("positions.waves_none", "positions.waves", {"pos_base": "100"})
def _(screen: Screen, values: Values) -> bool:
    return bool(((TRAINED - 1) * _angles(float(screen.own(Positions).pos_base)) >= 2 * math.pi).all())


@claim("positions.beyond_ntk", "positions.stretched", {}, {"pos_base": "500000", "pos_factor": "32"})
def _(screen: Screen, values: Values) -> bool:
    chosen = screen.own(Positions)
    base, factor = float(chosen.pos_base), float(chosen.pos_factor)
    plain, wide = _angles(base), _angles(base * factor ** (128 / 126))
    open_ = (TRAINED - 1) * plain < 2 * math.pi
    return near(values["ratio"], float((factor * TRAINED * wide / (TRAINED * plain))[open_].max()))


@claim("positions.wrong", "positions.wrong")
def _(screen: Screen, values: Values) -> bool:
    curve = np.cos(np.arange(int(number(values["steps"])) + 1)[:, None] * _angles(1e4)).sum(-1)
    return number(values["rises"]) == int((np.diff(curve) > 0).sum())


@claim("positions.tails_note", "positions.fading")
def _(screen: Screen, values: Values) -> bool:
    """Four heads have the slopes 1/4, 1/16, 1/64 and 1/256."""
    return near(values["first"], 4 * math.log(2)) and near(values["last"], 256 * math.log(2))


@claim("positions.beyond_note", "positions.waves", {}, {"pos_base": "100"}, {"pos_scaling": "linear"})
def _(screen: Screen, values: Values) -> bool:
    """Without scaling, the angles beyond the trained length are new for each pair of features without a whole turn.
    With scaling, fewer are new."""
    chosen = screen.own(Positions)
    open_ = int(((TRAINED - 1) * _angles(float(chosen.pos_base)) < 2 * math.pi).sum())
    unseen = number(values["unseen"])
    return unseen <= open_ and (chosen.pos_scaling != "none" or int(chosen.pos_factor) == 1 or unseen == open_)


@claim("positions.some_note", "positions.turning", {"pos_turning": "8"}, {"pos_turning": "30", "pos_base": "100"})
@claim("positions.nothing_note", "positions.turning", {"pos_turning": "0"})
@claim("positions.circles_note", "positions.turning", {}, {"pos_query": 2, "pos_key": 60}, {"pos_base": "100"})
def _(screen: Screen, values: Values) -> bool:
    """The sentence has the score of the two words, and the score is the same seven places further on."""
    chosen = screen.own(Positions)
    at = [torch.tensor([place, place + 7]) for place in (chosen.pos_query, chosen.pos_key)]
    turning = {"base": float(chosen.pos_base), "turning": int(chosen.pos_turning)}
    here, moved = scores("rotary", *at, torch.Generator().manual_seed(7), **turning).tolist()
    return near(values["score"], here) and abs(here - moved) < 1e-9


def _differ(screen: Screen, kind: str, queries: list[int], keys: list[int]) -> bool:
    """Whether the scores of two words differ between places."""
    chosen = screen.own(Positions)
    turning = {"base": float(chosen.pos_base), "turning": int(chosen.pos_turning)}
    made = scores(kind, torch.tensor(queries), torch.tensor(keys), torch.Generator().manual_seed(7), **turning)
    return float(made.max() - made.min()) > 1e-9


def _going_by_distance(screen: Screen) -> str:
    """The kinds whose score is the same at each of three places, and differs by distance."""
    kept = [kind for kind in KINDS if not _differ(screen, kind, [11, 30, 63], [8, 27, 60])]
    found = [kind for kind in kept if _differ(screen, kind, [63, 63, 63], [60, 41, 22])]
    with speaking(screen.language):
        return with_and([say(f"positions.short.{kind}") for kind in found])


@claim("positions.kept", "positions.kinds", {"pos_query": 63, "pos_key": 56}, {"pos_query": 61, "pos_key": 43})
def _(screen: Screen, values: Values) -> bool:
    """The named kinds give two words at this distance the same score at three places."""
    chosen = screen.own(Positions)
    apart = chosen.pos_query - chosen.pos_key
    places = [apart + by for by in (2, 5, 11)]
    kept = [kind for kind in KINDS if not _differ(screen, kind, places, [2, 5, 11])]
    with speaking(screen.language):
        return values["names"] == with_and([say(f"positions.short.{kind}") for kind in kept])


_ALONE = {"pos_query": 63, "pos_key": 23, "pos_alone": "key"}


@claim("positions.same", "positions.kinds", _ALONE, _ALONE | {"pos_turning": "0"})
def _(screen: Screen, values: Values) -> bool:
    return values["names"] == _going_by_distance(screen)


@claim("positions.directed", "positions.kinds", _ALONE)
def _(screen: Screen, values: Values) -> bool:
    """The named kinds go by distance, and their score changes when the two words change places."""
    asked = _going_by_distance(screen)
    with speaking(screen.language):
        names = {say(f"positions.short.{kind}"): kind for kind in KINDS}
        found = [name for name, kind in names.items() if name in asked and _differ(screen, kind, [41, 12], [12, 41])]
        return values["names"] == with_and(found)
