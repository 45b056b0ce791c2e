"""What a setting is on a page where nobody has set it, in place of the default of its control.

With p = 0 the page about dropout has nothing to show. Whoever chooses 0 there has it: a value that is set is no value
that is missing (docs/decisions/settings.md).
"""

from collections.abc import Mapping

# Page to settings, as texts by name.
UNSET: Mapping[str, Mapping[str, str]] = {"dropout": {"dropout": "0.3"}}


def unset(page: str) -> Mapping[str, str]:
    return UNSET.get(page, {})
