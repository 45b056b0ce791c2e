"""A model's config.json as a setting: only the entries about what its layers keep, so that a link can carry them."""

import json
from collections.abc import Mapping
from typing import Any

from attention.configuration import READ

# MOST: letters of a configuration, enough for a large model with a type for each layer. QUOTED: letters of a text that
# is no configuration, for the message that quotes it.
MOST, QUOTED = 20_000, 200


def compact(raw: str) -> str:
    """The known entries, as JSON on one line; for a text that is no configuration, its beginning."""
    line = " ".join(raw[:MOST].split())
    line = "".join(letter for letter in line if letter.isprintable() and letter != "\ufffd")
    found = entries(line)
    if not isinstance(found, Mapping):
        # The cut text must not happen to be a configuration.
        cut = line[:QUOTED].rstrip()
        return cut[:-1] if isinstance(entries(cut), Mapping) else cut
    kept = {name: found[name] for name in READ if found.get(name) is not None}
    return json.dumps(kept or {"": ""}, separators=(",", ":"))


def entries(text: str) -> Any:
    """The parsed JSON of a text, None for other texts; the entries of `text_config` join the others."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    inner = found.get("text_config") if isinstance(found, Mapping) else None
    return {**found, **inner} if isinstance(inner, Mapping) else found
