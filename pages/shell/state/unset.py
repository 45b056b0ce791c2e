"""Values of untouched settings on a page, in place of the defaults of their controls.

With p = 0 the page about dropout has nothing to show. A visitor who chooses 0 there gets it, since a value that is set
is not missing (docs/decisions/settings.md).
"""

from collections.abc import Mapping

# Page to settings, as texts by name.
UNSET: Mapping[str, Mapping[str, str]] = {"dropout": {"dropout": "0.3"}}


def unset(page: str) -> Mapping[str, str]:
    return UNSET.get(page, {})
