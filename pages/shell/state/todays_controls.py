"""Controls used by one page: those of the pages about changes since 2017, and about costs."""

from dataclasses import dataclass

from attention.analysis.costs import MODELS
from attention.analysis.moved_positions import D_MODEL
from attention.inputs.shared_keys import EVERY, SENTENCES, UPDATES
from attention.modules import GATES
from attention.positions import SCALINGS
from pages.shell.state.controls import Controls, knob
from pages.shell.state.fields import CellName, Choice, Configuration, Flag, Range


@dataclass(frozen=True)
class Tiles(Controls):
    """The sides of a tile of scores; the explained tile, from 1, 0 for the first one, or the one with a score, whatever
    the sides are; the followed query, from 1, 0 for the one whose largest score jumps most; the layers of a sliding
    window, whether one of them sees all keys, and the position, from 1, whose inputs are shown, 0 for the last."""

    tile_queries: int = knob(4, Range(1, 16))
    tile_keys: int = knob(4, Range(1, 16))
    tile_step: int = knob(0, Range(0, 4096), in_figures=True)
    tile_at: str = knob("", CellName(), in_figures=True)
    tile_row: int = knob(0, Range(0, 64), in_figures=True)
    field_width: int = knob(3, Range(1, 16))
    field_layers: int = knob(3, Range(1, 8))
    field_global: bool = knob(False, Flag())
    field_position: int = knob(0, Range(0, 64), in_figures=True)


COSTS, OWN = "costs", "own"


@dataclass(frozen=True)
class Costs(Controls):
    """The model whose sizes are used, and the number of tokens; the heads and the d_k of a measurement, and its number,
    0 for the brief one; the configuration of the visitor's own model."""

    cost_model: str = knob("gpt2", Choice((*MODELS, OWN)))
    cost_n: str = knob("1024", Choice.powers(16, 131_072))
    cost_heads: str = knob("2", Choice(("1", "2", "4")))
    cost_d_k: str = knob("64", Choice.powers(8, 128))
    cost_lap: int = knob(0, Range(0, 999), in_figures=True)
    cost_config: str = knob("", Configuration())


# The factors by which the page on taming scores multiplies queries: ten steps for each factor of ten.
STRETCHES = (
    *("0.03", "0.04", "0.05", "0.06", "0.08"),
    *("0.1", "0.12", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.8"),
    *("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8"),
    *("10", "12", "15", "20", "25", "30", "40", "50", "60", "80", "100"),
)


# The end of the slider: under each remedy the row has reached its final state by this factor.
_ENOUGH = STRETCHES.index("10") + 1


def stretches(chosen: str) -> tuple[str, ...]:
    """The factors of the slider: all of them if a link has a larger one."""
    return STRETCHES[:_ENOUGH] if chosen in STRETCHES[:_ENOUGH] else STRETCHES


@dataclass(frozen=True)
class Taming(Controls):
    """The cap of the scores, and whether it comes after the mask; the factor of the queries; the logit of the sink; the
    logit of a gate, and its target; the part of another head that is subtracted; and the number of keys of which one
    matches."""

    taming_cap: float = knob(2.0, Range(0.5, 50.0, 0.5))
    taming_after: bool = knob(False, Flag())
    taming_stretch: str = knob("0.1", Choice(STRETCHES))
    taming_sink: float = knob(0.0, Range(-5.0, 10.0, 0.5))
    taming_gate: float = knob(-1.0, Range(-8.0, 8.0, 0.5))
    taming_gate_of: str = knob("head", Choice(GATES[::-1]))
    taming_lambda: float = knob(0.5, Range(0.0, 1.0, 0.05))
    taming_n: str = knob("1000", Choice(("10", "100", "1000", "10000", "100000")))


# Positions that the models of the page on positions have seen in training.
TRAINED = 4096


@dataclass(frozen=True)
class Positions(Controls):
    """The places of the two words of the page, from 0, and the word that was moved last, "" for both; the number of
    their features that turn; the base of the wavelengths; the stretching of the wavelengths, and for texts how many
    times longer than in training."""

    pos_query: int = knob(12, Range(0, 63), in_figures=True)
    pos_key: int = knob(5, Range(0, 63), in_figures=True)
    pos_alone: str = knob("", Choice(("", "query", "key")), in_figures=True)
    pos_turning: str = knob(str(D_MODEL), Choice(tuple(map(str, range(0, D_MODEL + 1, 2)))))
    pos_base: str = knob("10000", Choice(("100", "1000", "10000", "100000", "500000")))
    pos_scaling: str = knob("none", Choice(SCALINGS))
    pos_factor: str = knob("8", Choice.powers(2, 32))


# The numbers of updates with a stored layer.
TRAINED_FOR = tuple(map(str, range(0, UPDATES + 1, EVERY)))


@dataclass(frozen=True)
class FewerKeys(Controls):
    """The number of key heads that eight query heads share, the number of further updates with them, the sentence, the
    asking query head, the visitor's own model, and the features of the latent behind keys and values."""

    kv_of_8: str = knob("2", Choice(("1", "2", "4", "8")))
    # Earlier links spell this control as a switch.
    kv_trained: str = knob("0", Choice(TRAINED_FOR, (("false", TRAINED_FOR[0]), ("true", TRAINED_FOR[-1]))))
    kv_sentence: str = knob("hen", Choice(tuple(SENTENCES)))
    asks: int = knob(3, Range(1, 8))
    own_layers: int = knob(32, Range(1, 128))
    own_d_k: str = knob("128", Choice.powers(8, 256))
    d_c: int = knob(6, Range(1, 16))


@dataclass(frozen=True)
class OneToken(Controls):
    """The number of words so far."""

    token_at: int = knob(7, Range(1, 11))


@dataclass(frozen=True)
class State(Controls):
    """The number of told facts; how much of each fact is written; how much each leaves of earlier facts, and whether
    that decay holds for the whole state or for one row of it."""

    state_at: int = knob(4, Range(1, 4), in_figures=True)
    state_beta: float = knob(1.0, Range(0.0, 2.0, 0.05))
    state_alpha: float = knob(1.0, Range(0.0, 1.0, 0.05))
    state_fades: str = knob("all", Choice(("all", "one")))
