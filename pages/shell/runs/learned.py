"""The preset `learned`: from the controls to the layer of the nearest setting."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from attention.inputs import learned as weights
from attention.inputs.grammar import EXAMPLE, Sentence, read
from attention.inputs.learned import SHIPPED, Learned, Setting
from attention.inputs.presets import Prepared
from attention.masks import MASKS
from pages.shell.i18n import listed, say
from pages.shell.i18n.markdown import code, cut, quoted
from pages.shell.i18n.options import word
from pages.shell.runs.results import results
from pages.shell.state.config import ALL_UPDATES, AUTO, LEARNED, Config
from pages.shell.state.url import written

# The most parameters that are trained while a visitor waits, which takes some ten seconds.
LARGEST = 100_000
SIZES = ("d_model", "heads", "d_k", "d_v", "bias", "seed")
# Conditions that can act on a finished layer, or on its training.
_CONDITIONS = ("mask", "scale", "positions", "dropout")
KNOWN = frozenset(SHIPPED)
# The most unknown words that are named, and the most quoted words of their sentence; a paragraph has hundreds.
_NAMED, _SAID = 8, 16
# The default setting: full mask, 1/sqrt(d_k), no dropout.
_PLAIN = Setting()


def sizes(config: Config) -> Setting:
    """The setting with the sizes, bias and seed of a screen, and the default conditions."""
    d_model = int(config.d_model)
    d_k = max(1, d_model // config.heads) if config.d_k == AUTO else int(config.d_k)
    d_v = d_k if config.d_v == AUTO else int(config.d_v)
    return Setting(d_model, config.heads, d_k, d_v, config.bias, seed=config.seed)


def conditions(config: Config) -> dict[str, object]:
    """Mask, scale, positions and dropout of a screen, as fields of a setting."""
    mask = config.used_mask
    parameters = {name: getattr(config, name) for name in MASKS[mask].parameters}
    positions = config.positions != "none"
    return {"mask": mask, "scale": config.scale, "positions": positions, "dropout": config.dropout} | parameters


# Cached, since each look at a run asks for it, and a setting checks its values.
@lru_cache(maxsize=256)
def wanted(config: Config) -> Setting:
    """The setting of the layer that a screen asks for. The conditions of the screen belong to it only with `trained`;
    otherwise they act on the finished layer. `trained_p` names a layer that was shipped, in place of `trained`."""
    chosen = config.trained_p != AUTO and replace(sizes(config), dropout=float(config.trained_p))
    if chosen and chosen in KNOWN:
        return chosen
    if config.trained:
        return replace(sizes(config), **conditions(config))  # type: ignore[arg-type]
    taken = None if config.updates == ALL_UPDATES else int(config.updates)
    return replace(sizes(config), taken=taken)


def used(config: Config) -> Setting | None:
    """The setting that is shown: the wanted one where it was shipped or trained, else the nearest shipped one. None for
    other presets."""
    if config.preset != LEARNED:
        return None
    setting = wanted(config)
    return setting if setting in KNOWN or results("learned").get(setting) else _nearest(setting)


_nearest = lru_cache(maxsize=256)(weights.nearest)


def is_own(config: Config) -> bool:
    """Whether the layer that is shown was trained with the mask of the screen."""
    found = used(config)
    return found is not None and _condition(found, "mask") == _condition(wanted(config), "mask")


def layer(setting: Setting) -> Learned:
    """The layer of a setting. ValueError: it was neither shipped nor trained here."""
    if setting in KNOWN:
        return weights.shipped(setting)
    states = results("learned").get(setting)
    if states is None:
        raise ValueError(f"nobody has trained {setting}")
    learned: Learned = states[-1].learned
    return learned


def words(tokens: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The sentences without punctuation marks, which the grammar lacks, and without sentences that have no word left;
    the example if no sentence is left."""
    left = (tuple(token for token in sentence if token[0].isalnum()) for sentence in tokens)
    return tuple(sentence for sentence in left if sentence) or (tuple(EXAMPLE.split()),)


def sentences(tokens: tuple[tuple[str, ...], ...]) -> tuple[Sentence, ...]:
    """The sentences as the grammar reads them."""
    return tuple(map(read, words(tokens)))


def prepared(config: Config, tokens: tuple[tuple[str, ...], ...]) -> tuple[Prepared, tuple[str, ...]]:
    """The sentences and the layer, and notes of what was adjusted."""
    setting = used(config)
    assert setting is not None
    lines = sentences(tokens)
    embed = _embedded if setting in KNOWN else _embed
    ready = embed(setting, lines, config.positions != "none")
    shown = lines[min(config.sentence, len(lines)) - 1]
    return replace(ready, focus=shown.verb), (*snapped(wanted(config), setting), *_outside(lines))


def _embed(setting: Setting, lines: tuple[Sentence, ...], positions: bool) -> Prepared:
    return layer(setting).prepared(lines, positions)


# Only for shipped layers, which never change. Moving a mask or dropout asks for the same words again.
_embedded = lru_cache(maxsize=64)(_embed)


def snapped(asked: Setting, found: Setting) -> tuple[str, ...]:
    """Notes on sizes that differ from the wanted ones, and on conditions that act on the shown layer afterwards."""
    said = []
    # d_v follows d_k unless somebody sets it apart, and is then not named.
    apart = any(one.d_v != one.d_k for one in (asked, found))
    moved = [name for name in SIZES if getattr(asked, name) != getattr(found, name) and (name != "d_v" or apart)]
    if moved:
        said.append(say("learned.snapped", asked=_sizes(asked, moved), found=_sizes(found, moved)))
    put_on = [(_condition(asked, name), _condition(found, name), name) for name in _CONDITIONS]
    applied = [_put_on(here, there, there == _condition(_PLAIN, name)) for here, there, name in put_on if here != there]
    if applied:
        said.append(say("learned.put_on", parts=listed("comma", applied)))
    return (" ".join(said),) if said else ()


def _sizes(setting: Setting, names: Iterable[str]) -> str:
    return listed("comma", (say("learned.size", name=name, value=written(getattr(setting, name))) for name in names))


def _condition(setting: Setting, name: str) -> str:
    """A condition as a link spells it; a mask comes with its parameters."""
    parameters = MASKS[setting.mask].parameters if name == "mask" else ()
    return ", ".join(f"{one} = {written(getattr(setting, one))}" for one in (name, *parameters))


def trained_with(setting: Setting) -> str:
    """The conditions, other than the default ones, that a layer was trained with, in words; "" for none."""
    named = [_condition(setting, name) for name in _CONDITIONS]
    parts = [code(one) for one, name in zip(named, _CONDITIONS, strict=True) if one != _condition(_PLAIN, name)]
    return say("learned.trained_with", parts=listed("comma", parts)) if parts else ""


def acting(config: Config) -> str:
    """The conditions of a screen that differ from the default ones, in words; "" for none."""
    here = replace(_PLAIN, **conditions(config))  # type: ignore[arg-type]
    names = [name for name in _CONDITIONS if _condition(here, name) != _condition(_PLAIN, name)]
    return listed("comma", (say(f"learned.this.{name}") for name in names)) if names else ""


def otherwise(before: Setting, now: Setting) -> str:
    """The difference of a layer's training (`now`) from that of another (`before`), in words; "" without one."""
    # d_v follows d_k unless somebody sets it apart, and is then not named.
    unequal = now.d_v != now.d_k or before.d_v != before.d_k
    names = [name for name in SIZES if getattr(before, name) != getattr(now, name) and (name != "d_v" or unequal)]
    parts = [say(f"learned.with.{_number(name, now)}", value=written(getattr(now, name))) for name in names]
    for name in _CONDITIONS:
        if (given := _condition(now, name)) != _condition(before, name):
            is_plain = given == _condition(_PLAIN, name)
            value = word(name, getattr(now, name)) if name in ("mask", "scale") else written(getattr(now, name))
            parts.append(say(f"learned.with.plain_{name}" if is_plain else f"learned.with.{name}", value=value))
    return listed("comma", parts) if parts else ""


def _number(name: str, setting: Setting) -> str:
    """The key of the text about a size; one head has a text of its own, since `1 heads` is wrong."""
    return "one_head" if name == "heads" and setting.heads == 1 else name


def _put_on(asked: str, found: str, is_plain: bool) -> str:
    """The text for a condition that acts now, with the one that the layer was trained with if that is another."""
    return code(asked) if is_plain else say("learned.instead", asked=code(asked), found=code(found))


def _outside(lines: tuple[Sentence, ...]) -> tuple[str, ...]:
    """Notes of words and sentences that the layer has never seen."""
    said = []
    for line in lines:
        # Both the length of a word and their number are limited, since they would fill the screen.
        shown = [quoted(word) for word in line.strange[:_NAMED]]
        shown += ["…"] * (len(line.strange) > _NAMED)
        words = listed("comma", shown) if shown else ""
        if line.fault:
            several = "_several" if line.fault == "class" and len(shown) > 1 else ""
            why = say(f"learned.fault.{line.fault}{several}", words=words)
            said.append(say("learned.outside", sentence=code(_first(line.words)), why=why))
        elif line.strange:
            said.append(say("learned.strange", words=words))
    return tuple(dict.fromkeys(said))


def _first(words: tuple[str, ...]) -> str:
    """The first words of a sentence, each shortened."""
    named = " ".join(map(cut, words[:_SAID]))
    return f"{named} …" if len(words) > _SAID else named


def off(config: Config, heads: int) -> tuple[int, ...]:
    """The heads, from 0, that are switched off. The text of the control has numbers from 1; others are ignored.

    The only head of a layer stays on, since the visitor switched off one among several.
    """
    if config.preset != LEARNED or heads == 1:
        return ()
    named = {int(number) - 1 for number in re.findall("[0-9]+", config.heads_off)}
    return tuple(sorted(named & set(range(heads))))
