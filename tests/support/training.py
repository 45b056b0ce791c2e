"""Races for several tests, each trained once."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from attention.experiments.race import EVERY, Race, State, train
from tests.support.covering import EVERY_TEST

# The page trains three seeds. The fast form takes the first in tests where one tells as much as three.
ALL_SEEDS = range(3)
SEEDS = ALL_SEEDS if EVERY_TEST else ALL_SEEDS[:1]
_LONGEST = 1000


def trained(race: Race) -> tuple[State, ...]:
    """All states of a race. They are the beginning of a longer race, which trains on when a test asks for more."""
    if race.steps > _LONGEST or race.steps % EVERY:
        # The longer race would not measure the accuracy at the last step of this one.
        return _alone(race)
    states, more = _begun(replace(race, steps=_LONGEST))
    states.extend(islice(more, max(0, race.steps + 1 - len(states))))
    return tuple(states[: race.steps + 1])


@cache
def _alone(race: Race) -> tuple[State, ...]:
    return tuple(train(race))


@cache
def _begun(race: Race) -> tuple[list[State], Iterator[State]]:
    return [], train(race)
