"""Limit the settings of a link to the sentences, heads and layers that exist."""

from collections.abc import Mapping
from dataclasses import replace

from pages.shell.runs.preparation import prepared
from pages.shell.runs.trained import request
from pages.shell.runs.translating import context_of
from pages.shell.state.config import Config, looked_at, looks
from pages.shell.state.controls import Controls
from pages.shell.state.page_controls import CROSS, CrossAttention, Models
from pages.shell.state.reader import Reader
from pages.shell.state.registry import SCREENS, changed
from pages.shell.state.url import means


def possible(page: str, parameters: Mapping[str, str]) -> tuple[Controls, ...]:
    """The controls of a page, with each sentence, head or layer that does not exist replaced by the last one."""
    config = Config.of(parameters)
    shown = looked_at(page, config) if looks(page) else config
    ready = prepared(shown, context_of(shown, CrossAttention.of(parameters).context) if page == CROSS else None)[0]
    sentence, head = min(config.sentence, len(ready.inputs.tokens)), min(config.head, ready.module.heads)
    return replace(config, sentence=sentence, head=head), request.possible(Models.of(parameters))


def nearest(page: str, came: Mapping[str, str], parameters: Mapping[str, str], *also: Controls) -> dict[str, str]:
    """The settings of a link that must change, by name, each with the nearest possible text. came: the texts of the
    link; parameters: the texts that are set; also: further sets of controls, limited elsewhere."""
    others = (screen.of(parameters) for screen in SCREENS if screen not in (Config, Reader, Models))
    return {name: text for name, (_, text) in changed(came, *others, *possible(page, parameters), *also).items()}


def other_than(came: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The texts that differ in meaning from those of the link, by name: (the link's, the nearest)."""
    return {name: (came[name], text) for name, text in texts.items() if not means(came[name], text)}
