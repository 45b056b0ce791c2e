"""Screens at random: any page, any of its controls, anything that a control can hold; in every process the same."""

import json
from random import Random
from typing import Any

from attention.inputs.edits import MATRICES, Typed
from pages.shell.lectures.format import lecture
from pages.shell.runs.preparation import prepared
from pages.shell.runs.trained.request import possible
from pages.shell.runs.translating import context_of
from pages.shell.state import typed_numbers
from pages.shell.state.config import Config, looked_at, looks
from pages.shell.state.controls import Bundle
from pages.shell.state.fields import Cells, Choice, Configuration, Edits, Flag, Range
from pages.shell.state.page_controls import CROSS, CrossAttention, Models
from pages.shell.state.painted_cells import SIZE, text
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, default
from pages.shell.state.url import written

WORDS = (
    "a",
    "über",
    "naïve",
    "猫",
    "坐在垫子上",
    "🦊",
    "<b>",
    "&amp;",
    "100%",
    "a+b",
    "#1",
    "?",
    "=",
    "'",
    '"',
    "\\",
    "`",
    ".",
)
# What a page computes for seconds, at sizes at which it takes none.
QUICK = {
    "d": 256,
    "samples": 2048,
    "keys": 64,
    "gradient_d": 64,
    "layer": 128,
    "race_d": 64,
    "race_steps": 50,
    "race_seeds": 1,
    "draws": 300,
}


def screen(page: str, seed: int) -> dict[str, str]:
    """The parameters of a screen of a page: about half of its controls are off their defaults."""
    random = Random(f"{page} {seed}")
    controls = [*(Config.knobs() if looks(page) else ()), *(BY_PAGE[page].knobs() if page in BY_PAGE else ())]
    # Of the page with most of its own there are the fewest screens.
    often = 0.9 if page == "scaling" else 0.5
    moved = {name: value(random, name) for name in controls if name != "device" and random.random() < often}
    link = {name: written(held) for name, held in moved.items() if written(held) != written(default(name))}
    return _there(page, link) | (_reader(random) if link else {})


def value(random: Random, name: str) -> Any:
    """Anything that a control can hold; the ends of a range as often as all that is between."""
    knob, first = ALL_FIELDS[name], default(name)
    most = QUICK.get(name)
    match knob:
        case Choice(options):
            return random.choice([one for one in options if not most or int(one) <= most])
        case Range(low, high, step):
            count = round(((most or high) - low) / step)
            return type(first)(round(low + step * random.choice((0, count, random.randint(0, count))), 6))
        case Flag():
            return random.choice((True, False))
        case Cells():
            cells = ((random.randrange(SIZE), random.randrange(SIZE)) for _ in range(random.choice((1, 7, 40))))
            return text(tuple(cells))
        case Configuration():
            step = random.choice(("full_attention_interval", "sliding_window_pattern", "vocab_size"))
            entries = {"num_hidden_layers": random.randint(1, 9), "num_attention_heads": 2, step: 3}
            return knob.nearest(json.dumps(entries), "")
        case Edits(_):
            typed = (Typed(random.choice(MATRICES), 0, random.randrange(3), random.randrange(3), 0.5) for _ in range(5))
            return typed_numbers.text(typed_numbers.Edit(random.choice(typed_numbers.PRESETS), one) for one in typed)
        case Bundle(of):
            moved = {other: value(random, other) for other in random.sample(sorted({*of.knobs()} - {"device"}), 4)}
            return of(**moved).bundled()
    lines = [" ".join(random.choices(WORDS, k=random.randint(1, 9))) for _ in range(random.randint(1, 4))]
    return "\n".join(lines)[: knob.most]


def _there(page: str, link: dict[str, str]) -> dict[str, str]:
    """The link with a sentence, heads and a layer that the page and the model have."""
    opened = possible(Models.of(link))
    link = link | {name: written(getattr(opened, name)) for name in ("model_layer", "model_head") if name in link}
    link = {name: value for name, value in link.items() if value != written(default(name))}
    if not looks(page):
        return link
    config = Config.of(link)
    shown = looked_at(page, config)
    ready = prepared(shown, context_of(shown, CrossAttention.of(link).context) if page == CROSS else None)[0]
    most = {"sentence": len(ready.inputs.tokens), "head": ready.module.heads}
    there = {name: written(min(int(held), most[name])) if name in most else held for name, held in link.items()}
    return {name: held for name, held in there.items() if held != written(default(name))}


def _reader(random: Random) -> dict[str, str]:
    """Who reads: a language, the projector, a lecture that is left at a stop to look at this screen,
    alone or among the visitors of a room, in a quiz or not."""
    moved: dict[str, Any] = {}
    if random.random() < 0.3:
        moved["lang"] = random.choice(ALL_FIELDS["lang"].options)  # type: ignore[union-attr]
    if random.random() < 0.3:
        moved["lecture"] = random.choice(
            [name for name in ALL_FIELDS["lecture"].options if name not in ("none", "own")]
        )  # type: ignore[union-attr]
        moved["stop"] = random.randint(1, len(lecture(moved["lecture"]).stops))
        moved["room"] = random.choice(("", *WORDS))
    if random.random() < 0.3:
        moved["present"] = True
    if random.random() < 0.3:
        moved["quiz"] = True
    return {name: written(held) for name, held in moved.items() if written(held) != written(getattr(Reader, name))}
