"""The controls that pages about one run of attention share, as one frozen Config."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from attention.device import devices
from attention.inputs.grammar import EXAMPLE
from attention.inputs.learned import ON_THE_WAY, TAKEN, Setting
from attention.inputs.presets import PRESETS, STORY
from attention.masks import CORNERS, MASKS
from pages.shell.state.controls import Controls, Knob, knob
from pages.shell.state.fields import Cells, Choice, Digest, Edits, Flag, Listed, Range, Text

AUTO = "auto"
TOKENS, SENTENCES, HEADS, SIZE, SEEDS = 64, 8, 16, 512, 10_000
# Tokens of a sentence whose weights are drawn as tiles; other figures show only its first tokens.
LONGEST = 512
SIZES = (*range(1, 65), *range(72, 129, 8), *range(160, 257, 32), *range(320, SIZE + 1, 64))
MODES = ("training", "inference")
# A layer that learned a small grammar, in sizes that visitors choose. Touching a size in another preset leads to it.
LEARNED = LIVE = "learned"
# Weights drawn for each screen. The weights of the other presets fit one kind of layer only.
RANDOM = "random"
# Queries, keys and values from the visitor's own file.
FILE = "file"
# The presets that bring positions.
PLACED = ("story", LEARNED)
# The value of a control that nobody has set: the preset decides.
OF_PRESET = "preset"
SCALES = ("sqrt_d_k", "none", "d_k", "sqrt_d_model")
# Positions that act on queries and keys, or on scores, and not on the input.
TURNED = ("rotary", "alibi")
# Positions that need drawn weights, since all other layers were trained or built without them.
OF_RANDOM = ("learned", *TURNED)
POSITIONS = (OF_PRESET, "none", "sinusoidal", *OF_RANDOM)
# Later models changed these beside positions.
VARIANTS = ("kv_heads", "qk_norm", "kv_cache", "softcap", "sink")
# The p of dropout in the training of the two layers between which Dropout chooses.
TRAINED_PS = ("0", "0.3")
# After this many updates the layer is fully trained.
ALL_UPDATES = str(Setting().steps)
# The numbers of updates, evenly apart, after which the layer's training can be looked at.
_STOPS = tuple(map(str, ON_THE_WAY))
_SIZES = Choice(tuple(map(str, SIZES)))
_HEAD_SIZES = Choice((AUTO, *map(str, SIZES)))


@dataclass(frozen=True)
class Config(Controls):
    """The screen: the settings of a link and of the widgets.

    trained: whether the preset `learned` brings the layer that was trained with this mask, scale, dropout and these
    positions; otherwise they act on the layer of these sizes that was trained without them. updates: the number of
    updates that layer has had. trained_p: the p of the dropout in its training, `auto` for that of `trained`, or none.
    tensors: the file of the preset `file`, by the name that `runs.brought` has given it.
    """

    preset: str = knob(LEARNED, Choice((LEARNED, *PRESETS, RANDOM, FILE)))
    tensors: str = knob("", Digest(32))
    text: str = knob("", Text(4000))
    positions: str = knob(OF_PRESET, Choice(POSITIONS))
    seed: int = knob(0, Range(0, SEEDS - 1))
    d_model: str = knob("16", _SIZES)
    heads: int = knob(4, Range(1, HEADS))
    d_k: str = knob(AUTO, _HEAD_SIZES)
    d_v: str = knob(AUTO, _HEAD_SIZES)
    d_out: str = knob(AUTO, _HEAD_SIZES)
    bias: bool = knob(False, Flag())
    kv_heads: str = knob(AUTO, Choice((AUTO, "1", "2", "3", "4", "6", "8")))
    qk_norm: bool = knob(False, Flag())
    kv_cache: str = knob("off", Choice(("off", "1", "2", "3", "4")))
    softcap: str = knob("off", Choice(("off", "0.5", "1", "2", "5", "10", "50")))
    sink: str = knob("off", Choice(("off", "0", "1", "2", "3", "5")))
    mask: str = knob(OF_PRESET, Choice((OF_PRESET, *MASKS)))
    width: int = knob(2, Range(1, TOKENS))
    length: int = knob(2, Range(0, TOKENS))
    last: int = knob(0, Range(0, TOKENS))
    corner: str = knob("upper_left", Choice(CORNERS))
    padding: bool = knob(True, Flag())
    painted: str = knob("", Cells())
    edited: str = knob("", Edits())
    scale: str = knob("sqrt_d_k", Choice(SCALES))
    dropout: float = knob(0.0, Range(0.0, 0.9, 0.05))
    mode: str = knob("training", Choice(MODES))
    draw: int = knob(0, Range(0, SEEDS - 1))
    trained: bool = knob(False, Flag())
    updates: str = knob(ALL_UPDATES, Choice((*map(str, TAKEN), ALL_UPDATES)))
    trained_p: str = knob(AUTO, Choice((AUTO, *TRAINED_PS)), in_figures=True)
    heads_off: str = knob("", Listed(r"[0-9]{1,3}"))
    sentence: int = knob(1, Range(1, SENTENCES))
    head: int = knob(1, Range(1, HEADS))
    device: str = knob(devices()[0], Choice(devices()))

    def complete(self) -> "Config":
        """The same screen with the sentence and the mask of the preset, unless others are set."""
        if self.preset == FILE:
            return replace(self, text="", mask=self.used_mask)
        text = self.sentence_of_preset if self.text == "" else self.text
        return replace(self, tensors="", text=text, mask=self.used_mask)

    def closed(self) -> "Config":
        """The same screen with a layer in place of a file, for a page that needs weights."""
        return replace(self, tensors="", preset=LEARNED if self.preset == FILE else self.preset)

    @property
    def has_positions(self) -> bool:
        """Whether the screen asks for positions, by itself or by its preset."""
        return self.positions != "none" and (self.positions != OF_PRESET or self.preset in PLACED)

    @property
    def sentence_of_preset(self) -> str:
        return EXAMPLE if self.preset == LEARNED else STORY

    @property
    def used_mask(self) -> str:
        """A key of `MASKS`. The preset `learned` brings no causal mask, since its words ask for later ones."""
        if self.mask != OF_PRESET:
            return self.mask
        return "full" if self.preset in (LEARNED, FILE) else "causal"

    def random(self) -> "Config":
        """The same screen with random weights, for a page on which no preset has a point to make."""
        return replace(self.whole(), preset=RANDOM)

    def whole(self) -> "Config":
        """The same screen with the default training of the layer and all heads on."""
        return replace(self, trained=Config.trained, heads_off=Config.heads_off)

    def of_two_texts(self) -> "Config":
        """The same screen with weights that can attend to another text: the layer that learned, or random ones."""
        return self.whole() if self.preset == LEARNED else self.random()

    def plain(self) -> "Config":
        """The same screen without later variants, for a page whose point holds for the paper of 2017 alone."""
        positions = "none" if self.positions in TURNED else self.positions
        return replace(self, positions=positions, **{name: getattr(Config, name) for name in VARIANTS})

    def all_asking(self) -> "Config":
        """The same screen with every token as a query, for comparisons that need as many queries as keys."""
        some = {name: getattr(Config, name) for name in ("last", "corner", "kv_cache", "dropout", "mode", "draw")}
        return replace(self, **some)

    def bare(self) -> "Config":
        """The same words and weights without mask, dropout, positions and edits."""
        places = ("width", "length", "last", "corner", "padding", "painted", "edited", "dropout", "mode", "draw")
        return replace(self, mask="full", positions="none", **{name: getattr(Config, name) for name in places})


def stops(updates: str) -> tuple[str, ...]:
    """The stops of the slider of the training; another number, which a link may name, becomes its last stop."""
    return _STOPS if updates in _STOPS else (*_STOPS, updates)


KNOBS: dict[str, Knob] = Config.knobs()
DEFAULTS = Config()
# Page to the part of the shared screen that the page uses. An unlisted page uses none of it.
_LOOKS: dict[str, Callable[[Config], Config]] = {
    "walkthrough": lambda config: config,
    "masks": lambda config: config.plain(),
    "dropout": lambda config: config.plain(),
    "compare": lambda config: config,
    # The page asks what each word contributes, and no gradient reaches the words in a cache.
    "backward": lambda config: replace(config, kv_cache=Config.kv_cache),
    "heads": lambda config: replace(config.plain(), last=Config.last, corner=Config.corner, d_out=Config.d_out),
    # This page has a mask control of its own.
    "cross_attention": lambda config: replace(
        config.of_two_texts().plain(), mask=Config.mask, last=Config.last, painted=Config.painted, edited=Config.edited
    ),
    "experiments": lambda config: config.plain().all_asking().whole(),
    "order": lambda config: config.plain().bare().whole(),
    # The page explains plain scores; a cap after the mask would leak where a shared mask hides something.
    "taming": lambda config: replace(
        config,
        mask="causal",
        positions=Config.positions if config.positions in TURNED else config.positions,
        **{name: getattr(Config, name) for name in (*VARIANTS, "painted", "dropout", "mode", "draw")},
    ),
    # Costs depend on sizes alone.
    "costs": lambda config: Config(
        preset="random", d_model=config.d_model, heads=config.heads, d_k=config.d_k, d_v=config.d_v
    ),
    # Tiles compute the sum of a row, and dropout acts after that sum is known.
    "tiles": lambda config: replace(config.plain(), dropout=Config.dropout, mode=Config.mode, draw=Config.draw),
}


# The pages that show the content of a visitor's file.
OPENS = ("walkthrough", "masks", "compare", "heads")


def looks(page: str) -> bool:
    """Whether a page looks at the shared screen at all."""
    return page in _LOOKS


# Cached, because every part of a page asks for the same screen, several times in a run.
@lru_cache(maxsize=64)
def looked_at(page: str, config: Config) -> Config:
    """The screen as a page looks at it: controls that the page ignores have their defaults."""
    # The other pages show the fully trained layer, and that of `trained`.
    config = config if page in ("backward", "compare") else replace(config, updates=Config.updates)
    config = config if page == "dropout" else replace(config, trained_p=Config.trained_p)
    return _LOOKS[page](config if page in OPENS else config.closed())


@cache
def unused(page: str) -> frozenset[str]:
    """The controls that a page ignores; they are not shown there, and stay in the link."""
    others = {name: replace(DEFAULTS, **{name: _another(name, knob)}) for name, knob in KNOBS.items()}
    seen = looked_at(page, DEFAULTS)
    return frozenset(name for name, other in others.items() if other != DEFAULTS and looked_at(page, other) == seen)


def _another(name: str, knob: Knob) -> Any:
    """A value that is not the default."""
    default = getattr(DEFAULTS, name)
    match knob:
        case Choice(options):
            return next((option for option in options if option != default), default)
        case Range(low, high):
            return type(default)(high if default == low else low)
        case Flag():
            return not default
    return f"{default}a"
