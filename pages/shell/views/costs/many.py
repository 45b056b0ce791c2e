"""Multiplications in words, and the time of a person who does one each second."""

from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits

# Seconds of a day; fewer years are told in days.
_DAY, _FEW = 24 * 3600, 10


def many(count: float, significant: int = 3) -> str:
    """A count with the name that the language has for its size: 6.44 billion."""
    group, names = int(say("costs.many.group")), say("costs.many.names").split()
    power = next((at for at in range(len(names), 0, -1) if count >= group**at), 0)
    # A number without a name is written in full.
    if group**power < 10**4:
        return f"{count:,.0f}"
    return say("costs.many.named", count=digits(count / group**power, significant), name=names[power - 1])


def by_hand(count: float) -> str:
    """The time for so many multiplications."""
    days = count / _DAY
    years = days / 365.25
    if years < _FEW:
        return say("costs.sheet.days", days=_rounded(days))
    return say("costs.sheet.years", years=_rounded(years) if years < 10**6 else many(years, 2))


def _rounded(number: float) -> str:
    """The number to two digits."""
    return digits(number, 2) if number < 10**2 else f"{float(f'{number:.2g}'):,.0f}"
