"""Multiplications in words, and how long somebody would take who does one each second."""

from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits

_YEAR = 365.25 * 24 * 3600


def many(count: float) -> str:
    """A count with the name that the language has for its size: 6.44 billion."""
    group, names = int(say("costs.many.group")), say("costs.many.names").split()
    power = next((at for at in range(len(names), 0, -1) if count >= group**at), 0)
    # What is written without a name is written whole.
    if group**power < 10**4:
        return f"{count:,.0f}"
    return say("costs.many.named", count=digits(count / group**power), name=names[power - 1])


def by_hand(count: float) -> str:
    """How long so many take."""
    years = count / _YEAR
    if years < 1:
        return say("costs.sheet.days", days=digits(365.25 * years, 2))
    return say("costs.sheet.years", years=f"{float(f'{years:.2g}'):,.0f}" if years < 10**6 else many(years))
