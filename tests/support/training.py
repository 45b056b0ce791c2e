"""Races that several tests judge are trained once."""

from functools import cache

from attention.experiments.race import Race, State, train


@cache
def trained(race: Race) -> tuple[State, ...]:
    """All states of a race."""
    return tuple(train(race))
