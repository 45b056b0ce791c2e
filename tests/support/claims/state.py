"""Claims about a state, by the loop that defines it, and by the sizes of the models."""

from dataclasses import replace
from functools import partial

from attention.cache import HYBRIDS
from pages.shell.runs.remembering import FACTS, LIKE, WHO
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import State
from tests.support.claims.claim import Values, claim, number

# Half of the last printed digit, plus the rounding of float32.
_WRITTEN = 0.0051


def remembered(asked: State, adds: bool) -> dict[tuple[str, str], float]:
    """The number that a state has for each animal and property after the told facts."""
    held = {(who, like): 0.0 for who in WHO for like in LIKE}
    for who, like in FACTS[: asked.state_at]:
        for at in held:
            if asked.state_fades == "all" or at[0] == WHO[0]:
                held[at] *= asked.state_alpha
        for each in LIKE:
            found = 0.0 if adds else held[who, each]
            held[who, each] += asked.state_beta * ((each == like) - found)
    return held


def numbers(text: str) -> dict[str, float]:
    """The numbers of a list such as `old 1.00, red −0.50`."""
    words = text.replace("、", ", ").replace("，", ", ").split(", ")
    return {like: number(value) for like, _, value in (word.partition(" ") for word in words) if like in LIKE}


@claim("state.answer", "state.memories", {"state_at": 4}, {"state_alpha": 0.5, "state_fades": "one"})
def _(screen: Screen, values: Values) -> bool:
    told, asked = numbers(values["like"]), screen.own(State)
    for adds in (True, False):
        held = remembered(asked, adds)
        if all(abs(told.get(like, 0.0) - held[WHO[0], like]) < _WRITTEN for like in LIKE):
            return True
    return False


@claim("state.told", "state.player", {"state_at": 4}, {"state_at": 2, "state_beta": 0.5})
def _(screen: Screen, values: Values) -> bool:
    asked = screen.own(State)
    who, like = FACTS[asked.state_at - 1]
    after = remembered(asked, adds=False)
    found, written = numbers(values["found"]), numbers(values["written"])
    # The found number plus the written number is the number afterwards.
    right = all(abs(found.get(one, 0.0) + written.get(one, 0.0) - after[who, one]) < 2 * _WRITTEN for one in LIKE)
    return right and (values["who"], values["like"]) == (who, like)


@claim("state.memory.note", "state.memory")
def _(screen: Screen, values: Values) -> bool:
    model = next(one for one in HYBRIDS if one.name == values["model"])
    return abs(number(values["equal"]) * model.token - model.heads * model.d_k * model.d_v) <= model.token / 2


def _why(screen: Screen, values: Values, case: str) -> bool:
    """Whether the numbers of the sentence are right, and the case is the one that they call for."""
    asked = screen.own(State)
    before = remembered(replace(asked, state_at=len(FACTS) - 1), adds=False)
    found = before[WHO[0], FACTS[0][1]] * asked.state_alpha
    left = remembered(replace(asked, state_at=len(FACTS)), adds=False)[WHO[0], FACTS[0][1]]
    told = {"found": found, "left": left, "beta": asked.state_beta, "alpha": asked.state_alpha}
    right = all(abs(number(values[name]) - one) < _WRITTEN for name, one in told.items() if name in values)
    share = left / found if found else 0.0
    holds = {
        "taken": abs(left) < _WRITTEN < abs(found) + _WRITTEN,
        "partly": 0 < share <= 0.9 + _WRITTEN,
        "hardly": share > 0.9 - _WRITTEN,
        "turned": left < 0,
        "faded": abs(found) < _WRITTEN and asked.state_beta > 0,
        "nothing": asked.state_beta == 0,
    }
    return right and holds[case]


_WHYS = {
    "taken": ({}, {"state_alpha": 0.5}),
    "partly": ({"state_beta": 0.5},),
    "hardly": ({"state_beta": 0.05},),
    "turned": ({"state_beta": 1.5},),
    "faded": ({"state_alpha": 0.1},),
    "nothing": ({"state_beta": 0.0},),
}
for _case, _at in _WHYS.items():
    claim(f"state.why.{_case}", "state.asked", *_at)(partial(_why, case=_case))
