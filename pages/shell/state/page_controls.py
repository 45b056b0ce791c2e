"""Controls used by one page; those of the pages in the group `today` are in todays_controls.py."""

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
# How many sentences tell the walkthrough's steps one by one.
SENTENCES_TOLD = 7


@dataclass(frozen=True)
class Walkthrough(Controls):
    """The step that is large under the pipeline, empty where nobody chose one; which sentence about the steps is shown,
    0 for none; whether the pipeline shows gradients, and of which number (`output.3.2` from 0; empty: the largest of
    Y).

    zoom: how many words a side the enlarged part of the weights has; zoom_row, zoom_column: the tile in its middle.
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
    """The step that is shown under every mask, how many keys an index chooses, and the mask that is composed.
    studio: the first mask of the composition, how a second one is added, and the side of a block. The other controls
    are the parameters of masks by their names (`attention.patterns`); `lengths` and `parents` are texts, with parents
    counted from 1, and 0 for none.
    """

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
    """How many keep-masks are drawn for the statistics."""

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
    """How the words are shuffled, and what depends on their places.

    shuffle: which order is drawn, 0 for the words as they were written. word_order: the order after dragging, as places
    in the sentence from 1; where it does not name each place once, `shuffle` decides.
    """

    shuffle: int = knob(0, Range(0, 99))
    word_order: str = knob("", Text(400), in_figures=True)
    order_mask: str = knob("full", Choice(("full", "causal")))
    # It was a switch once.
    order_positions: str = knob("none", Choice(("none", "added"), (("false", "none"), ("true", "added"))))


@dataclass(frozen=True)
class Compare(Controls):
    """Side A, a screen that was kept; side B is the shared screen. Before anything is kept, A has the words of B and
    the defaults of all other controls, so that a change shows on B alone."""

    pinned: str = knob("", Bundle(Config, 65_536))

    @property
    def screen(self) -> Config:
        return Config.unbundled(self.pinned) or Config()

    def beside(self, config: Config) -> Config:
        """Side A of a screen that is side B."""
        return self.screen if self.is_kept else Config(**{name: getattr(config, name) for name in _WORDS})

    @property
    def is_kept(self) -> bool:
        return bool(self.pinned)


# The experiments of the page "What if…": first what leaves the arcs alone as the page opens, then what moves them, and
# at last what moves them and leaves the output alone. One more replaces a way of writing alone: it is no stop.
EXPERIMENTS = ("bias", "basis", "tied", "sentence", "mistakes", "importance", "columns")

# What can be added to every feature, and what the slider offers where no link has set more.
SHIFTS = Range(-20.0, 20.0, 0.5)
NEAR = Range(-5.0, 5.0, 0.5)


@dataclass(frozen=True)
class WhatIf(Controls):
    """Which experiment is open; what is added to every feature of which part, and which basis queries and keys are
    written in."""

    what_if: str = knob("tied", Choice(EXPERIMENTS))
    shifted: str = knob("keys", Choice(PARTS))
    shift: float = knob(5.0, SHIFTS)
    basis: int = knob(1, Range(1, 99))


@dataclass(frozen=True)
class Heads(Controls):
    """Whether the size of a head stays when their number changes."""

    fixed_d_k: bool = knob(False, Flag())

    def sized(self, config: Config) -> Config:
        """The screen with the d_k of four heads, where the page fixes d_k and the screen does not set it."""
        if not self.fixed_d_k or config.d_k != AUTO:
            return config
        return replace(config, d_k=str(max(1, int(config.d_model) // 4)))


@dataclass(frozen=True)
class Laboratory(Controls):
    """The page on scaling: what is drawn, on which axes, how many keys compete, which layer, which race."""

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


# After so many steps on one answer it is sure.
ANSWER_STEPS = 15
GOALS = ("cell", "row", "sum", "error", "loss", "answer")


@dataclass(frozen=True)
class Backward(Controls):
    """Which number is differentiated, learning from it, and training by hand.

    goal, goal_at: the kind of the number, and its cell as step, row and column (`output.3.2` from 0; empty: the largest
    of the output). answer_steps: of an answer, how many steps the layer takes on it alone; learned_from: that answer,
    where another one is looked at. pushed: a weight that is moved by hand, as head and key from 0 and hundredths. The
    other two: how many steps of training, at which rate.
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
    """A trained model, a text, one of its heads, and what is changed: in all layers, or in that of the head.

    An empty text stands for the model's own. model_width: the width of a window or the length of a prefix, for a mask
    that takes a number; rank: how many directions of W_Q W_K^T the head keeps, the largest value for all; model_off:
    heads that are switched off, as layer.head, counted from 1.
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
