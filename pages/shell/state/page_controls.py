"""Controls used by one page; those of pages about changes since 2017 and about costs are in todays_controls.py."""

from dataclasses import dataclass, replace

from attention.analysis.interventions import PARTS
from attention.experiments.distributions import DISTRIBUTIONS
from attention.experiments.dot_products import Pairs
from attention.experiments.optimizers import OPTIMISERS
from attention.masks import MASKS
from attention.notation import QUANTITIES
from attention.patterns import PATTERNS
from attention.scales import SCALES
from pages.shell.state.config import AUTO, OF_PRESET, SEEDS, TOKENS, Config
from pages.shell.state.config import SCALES as SHOWN_SCALES
from pages.shell.state.controls import Bundle, Controls, knob
from pages.shell.state.fields import CellName, Choice, Flag, Range, Text

# The steps that are matrices.
STEPS = tuple(dict.fromkeys(row.id for row in QUANTITIES if row.axes))
# All weights of a long text are drawn as at most this many tiles a side.
TILES = 128
# The number of sentences about the walkthrough's steps.
SENTENCES_TOLD = 7


@dataclass(frozen=True)
class Walkthrough(Controls):
    """The step that is large under the pipeline, empty for none; the shown sentence about the steps, 0 for none;
    whether the pipeline shows gradients, and of which number (`output.3.2` from 0; empty: the largest of Y).

    zoom: the number of words on a side of the enlarged part of the weights; zoom_row, zoom_column: the tile in its
    middle.
    """

    step: str = knob("", Choice(("", *STEPS)), in_figures=True)
    told: int = knob(0, Range(0, SENTENCES_TOLD), in_figures=True)
    backward: bool = knob(False, Flag())
    backward_of: str = knob("", CellName(), in_figures=True)
    zoom: str = knob("16", Choice(("16", "32", "64")), in_figures=True)
    zoom_row: int = knob(1, Range(1, TILES), in_figures=True)
    zoom_column: int = knob(1, Range(1, TILES), in_figures=True)


@dataclass(frozen=True)
class OneQuery(Controls):
    """A query vector in the plane: its angle in degrees and its length."""

    q_angle: int = knob(130, Range(0, 359))
    q_length: float = knob(1.5, Range(0.0, 4.0, 0.1))


@dataclass(frozen=True)
class Masks(Controls):
    """The step that is shown under every mask, the number of keys that an index chooses, and the composed mask. studio:
    the first mask of the composition, the way of adding a second one, and the side of a block. The other controls are
    the parameters of masks by their names (`attention.patterns`); `lengths` and `parents` are texts, with parents
    counted from 1, and 0 for none."""

    every_mask: str = knob("weights", Choice(("weights", "masked", "mask")))
    index_keep: int = knob(3, Range(1, TOKENS))
    studio_mask: str = knob("dilated", Choice(tuple(name for name in MASKS | PATTERNS if "&" not in name)))
    studio_how: str = knob("and", Choice(("alone", "not", "and", "or", "and_not", "or_not")))
    studio_second_mask: str = knob("causal", Choice(("causal", "window", "prefix", "sinks", "documents", "chunks")))
    studio_block: int = knob(2, Range(1, 32))
    studio_width: int = knob(3, Range(1, TOKENS))
    studio_length: int = knob(5, Range(0, TOKENS))
    studio_lengths: str = knob("4, 3, 4", Text(60))
    studio_step: int = knob(2, Range(1, 16))
    studio_reach: int = knob(8, Range(1, TOKENS))
    studio_chunk: int = knob(4, Range(1, 32))
    studio_kernel: int = knob(3, Range(1, 15))
    studio_columns: int = knob(4, Range(1, TOKENS))
    studio_parents: str = knob("0, 1, 1, 2, 2, 3", Text(60))


@dataclass(frozen=True)
class Dropout(Controls):
    """The number of keep-masks for the statistics."""

    draws: str = knob("1000", Choice(("10", "30", "100", "300", "1000", "3000", "10000")))


CROSS, COMPARE = "cross_attention", "compare"
# The shared controls that decide the words of a screen.
_WORDS = ("preset", "tensors", "text", "sentence")


@dataclass(frozen=True)
class CrossAttention(Controls):
    """The context that the shared text attends to, empty for the text in Portuguese, and the mask between them."""

    context: str = knob("", Text(4000))
    cross_mask: str = knob("full", Choice(tuple(MASKS)))


@dataclass(frozen=True)
class Order(Controls):
    """The order of the words, and the settings that depend on their places.

    shuffle: the number of a drawn order, 0 for the words as they were written. word_order: the order after dragging, as
    places in the sentence from 1; if it does not name each place once, `shuffle` decides.
    """

    shuffle: int = knob(0, Range(0, 99))
    word_order: str = knob("", Text(400), in_figures=True)
    order_mask: str = knob("full", Choice(("full", "causal")))
    # Earlier links spell this control as a switch.
    order_positions: str = knob("none", Choice(("none", "added"), (("false", "none"), ("true", "added"))))


@dataclass(frozen=True)
class Compare(Controls):
    """Side A, a screen that was kept; side B is the shared screen. Before a screen is kept, A has the words of B and
    the defaults of all other controls, so that a change shows on B alone."""

    pinned: str = knob("", Bundle(Config, 65_536))

    @property
    def screen(self) -> Config:
        return Config.unbundled(self.pinned) or Config()

    def beside(self, config: Config) -> Config:
        """Side A for a given side B."""
        return self.screen if self.is_kept else Config(**{name: getattr(config, name) for name in _WORDS})

    @property
    def is_kept(self) -> bool:
        return bool(self.pinned)


# The experiments of the page "What if…": first those that leave the arcs alone as the page opens, then those that move
# the arcs, and last the one that moves them and leaves the output alone. One further experiment replaces only a way of
# writing, and is no stop.
EXPERIMENTS = ("bias", "basis", "tied", "sentence", "mistakes", "importance", "columns")

# The numbers that can be added to every feature, and the slider's part of them unless a link has set more.
SHIFTS = Range(-20.0, 20.0, 0.5)
NEAR = Range(-5.0, 5.0, 0.5)


@dataclass(frozen=True)
class WhatIf(Controls):
    """The open experiment; the number that is added to every feature of a part, and that part; the basis in which
    queries and keys are written."""

    what_if: str = knob("tied", Choice(EXPERIMENTS))
    shifted: str = knob("keys", Choice(PARTS))
    shift: float = knob(5.0, SHIFTS)
    basis: int = knob(1, Range(1, 99))


@dataclass(frozen=True)
class Heads(Controls):
    """Whether the size of a head stays when the number of heads changes."""

    fixed_d_k: bool = knob(False, Flag())

    def sized(self, config: Config) -> Config:
        """The screen with the d_k of four heads, if the page fixes d_k and the screen does not set it."""
        if not self.fixed_d_k or config.d_k != AUTO:
            return config
        return replace(config, d_k=str(max(1, int(config.d_model) // 4)))


@dataclass(frozen=True)
class Laboratory(Controls):
    """The page on scaling: the drawn numbers, the axes, the number of competing keys, the layer, the race."""

    d: str = knob("64", Choice.powers(1, 4096))
    log_axes: bool = knob(False, Flag())
    samples: str = knob("4096", Choice((*Choice.powers(256, 16384).options, "20000")))
    distribution: str = knob("normal", Choice(tuple(DISTRIBUTIONS)))
    sigma_q: float = knob(1.0, Range(0.1, 4.0, 0.1))
    sigma_k: float = knob(1.0, Range(0.1, 4.0, 0.1))
    mu_q: float = knob(0.0, Range(-2.0, 2.0, 0.1))
    mu_k: float = knob(0.0, Range(-2.0, 2.0, 0.1))
    correlation: float = knob(0.0, Range(-0.9, 0.9, 0.1))
    lab_seed: int = knob(0, Range(0, 9999))
    matrix: bool = knob(False, Flag())
    keys: str = knob("16", Choice.powers(4, 1024))
    gradient_d: str = knob("1024", Choice(("16", "64", "256", "1024")))
    # 768 and 12: GPT-2's.
    layer: str = knob("512", Choice(("64", "128", "256", "512", "768", "1024")))
    layer_heads: str = knob("8", Choice(("1", "2", "4", "8", "12", "16")))
    race_d: str = knob("256", Choice.powers(4, 1024))
    race_lr: str = knob("1", Choice(("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3")))
    race_optimiser: str = knob("sgd", Choice(tuple(OPTIMISERS)))
    race_steps: str = knob("100", Choice(("50", "100", "200", "500", "1000")))
    race_seeds: int = knob(3, Range(1, 5))
    race_twin: bool = knob(False, Flag())
    mistake: str = knob("sqrt_d_model", Choice(tuple(SCALES)))

    @property
    def pairs(self) -> Pairs:
        return Pairs(self.distribution, self.sigma_q, self.sigma_k, self.mu_q, self.mu_k, self.correlation)


# The layer is sure of an answer after this number of steps on it alone.
ANSWER_STEPS = 15
GOALS = ("cell", "row", "sum", "error", "loss", "answer")


@dataclass(frozen=True)
class Backward(Controls):
    """The differentiated number, learning from it, and training by hand.

    goal, goal_at: the kind of the number, and its cell as step, row and column (`output.3.2` from 0; empty: the largest
    of the output). answer_steps: the number of steps that the layer takes on one answer alone; learned_from: that
    answer, if another one is looked at. pushed: a weight moved by hand, as head and key from 0 and hundredths. The
    other two: the number and the rate of training steps.
    """

    goal: str = knob("cell", Choice(GOALS))
    goal_at: str = knob("", CellName(), in_figures=True)
    answer_steps: int = knob(0, Range(0, ANSWER_STEPS))
    learned_from: str = knob("", CellName(), in_figures=True)
    pushed: str = knob("", CellName(), in_figures=True)
    sgd_rate: str = knob("1", Choice(("0.01", "0.03", "0.1", "0.3", "1", "3")))
    sgd_steps: int = knob(0, Range(0, 1000))


@dataclass(frozen=True)
class Models(Controls):
    """A trained model, a text, one of its heads, and the changes: in all layers, or in that of the head.

    An empty text stands for the model's own. model_width: the width of a window or the length of a prefix, for a mask
    that takes a number; rank: the number of directions of W_Q W_K^T that the head keeps, the largest value for all;
    model_off: the heads that are off, as layer.head, counted from 1.
    """

    model: str = knob("smollm2", Choice(("smollm2", "minilm")))
    model_text: str = knob("", Text(400))
    other_text: str = knob("", Text(400))
    model_layer: int = knob(24, Range(1, 30))
    model_head: int = knob(5, Range(1, 12))
    model_scale: str = knob("sqrt_d_k", Choice(SHOWN_SCALES))
    model_mask: str = knob(OF_PRESET, Choice((OF_PRESET, *MASKS)))
    model_width: int = knob(4, Range(1, TOKENS))
    model_dropout: float = knob(0.0, Range(0.0, 0.9, 0.05))
    model_draw: int = knob(0, Range(0, SEEDS - 1))
    rank: int = knob(64, Range(0, 64))
    hide_first: bool = knob(False, Flag())
    everywhere: bool = knob(True, Flag())
    model_off: str = knob("", Text(1600))
