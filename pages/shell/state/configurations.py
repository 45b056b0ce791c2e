"""A model's config.json as a setting: only the entries that say what its layers keep, so that a link can carry them."""

import json
from collections.abc import Mapping
from typing import Any

from attention.configuration import READ

# Letters of the file of a large model with a type for each layer; and as many of what is none as a message quotes.
MOST, QUOTED = 20_000, 200


def compact(raw: str) -> str:
    """The entries that are read, as JSON on one line; the beginning of what is no configuration."""
    line = " ".join(raw[:MOST].split())
    line = "".join(letter for letter in line if letter.isprintable() and letter != "\ufffd")
    found = entries(line)
    if not isinstance(found, Mapping):
        # What is cut may not become a configuration by that.
        cut = line[:QUOTED].rstrip()
        return cut[:-1] if isinstance(entries(cut), Mapping) else cut
    kept = {name: found[name] for name in READ if found.get(name) is not None}
    return json.dumps(kept or {"": ""}, separators=(",", ":"))


def entries(text: str) -> Any:
    """What a text says, with the entries of a model's part for text among the others; None where it is no JSON."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    inner = found.get("text_config") if isinstance(found, Mapping) else None
    return {**found, **inner} if isinstance(inner, Mapping) else found
