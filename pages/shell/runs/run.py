"""From a Config to its run: the inputs, the module, and the record that every figure reads."""

import copy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypedDict

import torch
from torch import Tensor

from attention import reading
from attention.analysis.heads import without
from attention.export.given import Given
from attention.figures import matrix
from attention.inputs.edits import Typed, typed_over
from attention.inputs.names import Names
from attention.inputs.tokens import Inputs
from attention.masks import MASKS, flipped, grid, padding
from attention.modules import MultiHeadAttention
from attention.scales import SCALES
from attention.trace import Trace
from pages.shell.i18n import say, spoken
from pages.shell.runs import brought, learned, variants
from pages.shell.runs.brought import Brought
from pages.shell.runs.memo import Memo
from pages.shell.runs.preparation import prepared
from pages.shell.state import typed_numbers
from pages.shell.state.config import FILE, RANDOM, SEEDS, Config
from pages.shell.state.painted_cells import Cell, cells

# Bytes of records: room for a thousand default screens, or for three of the largest.
_REMEMBERED = 64_000_000


class Where(TypedDict):
    """A sentence and a head, from 0, as `matrix`, `heatmap` and `cell` take them."""

    batch: int
    head: int


@dataclass(frozen=True)
class Run:
    """One screen: its configuration, inputs, module and trace, and notes of what was adjusted to make it possible.

    context: the sentences that keys and values are made from, one for each sentence of the inputs; None where they are
    the inputs themselves. asking: the names of queries that are not the last tokens; figures of such a run bring their
    own labels. typed: the numbers that were typed over by hand; homeless: the typed numbers that have no place at these
    sizes. names: what the features stand for, where somebody built them.
    """

    config: Config
    inputs: Inputs
    module: MultiHeadAttention
    trace: Trace
    focus: int
    notes: tuple[str, ...] = ()
    context: Inputs | None = None
    asking: tuple[str, ...] = ()
    typed: tuple[Typed, ...] = ()
    homeless: tuple[Typed, ...] = ()
    names: Names = field(default_factory=dict)

    @property
    def has_layer(self) -> bool:
        """Whether the record begins with X and the weights of a layer; that of a file begins with queries."""
        return "x" in self.trace

    @property
    def sentence(self) -> int:
        return min(self.config.sentence, len(self.inputs.tokens)) - 1

    @property
    def head(self) -> int:
        return min(self.config.head, self.module.heads) - 1

    @property
    def where(self) -> Where:
        """The shown sentence and head, as keyword arguments."""
        return {"batch": self.sentence, "head": self.head}

    def matrix(self, id: str) -> Tensor:
        """The (rows, columns) of a step, of the sentence and the head that are shown."""
        return matrix(self.trace[id], **self.where)

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.inputs.tokens[self.sentence]

    @property
    def keys(self) -> Inputs:
        """The sentences that keys and values are made from."""
        return self.context or self.inputs

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Labels by axis: tokens, and in words what features stand for, by the keys of `Names`."""
        query = self.asking or self.tokens[-self.trace.sizes["query"] :]
        key = self.keys.tokens[self.sentence]
        earlier = self.trace.sizes.get("past", 0)
        parts = {"past": key[:earlier], "new": key[earlier:]} if earlier else {}
        features = {axis: tuple(say(f"feature.{id}", of=of) for id, of in names) for axis, names in self.names.items()}
        return {"query": query, "key": key, **parts, **features}


def run(
    config: Config,
    context: str | None = None,
    *,
    record_mask: bool = False,
    crossing: bool = False,
    unmasked: bool = False,
) -> Run:
    """The traced run of a configuration, without gradients, computed or from the memo. It is shared: do not change it.

    context: a text, for cross-attention to it. record_mask: record the mask even where it hides nothing. crossing: take
    the layer for two texts even for a single text. unmasked: let each query see every key, with the same layer.
    """
    file = brought.of(config)
    # Runs of a file are freed together with the file.
    memo, lacks = file.runs if file else _memo(), _lacks(config, file)
    asked, config = config, brought.settled(config).complete()
    return memo.get(
        # The language is in the key because the notes of a run are sentences.
        (config, context, record_mask, crossing, unmasked, spoken(), learned.used(config), lacks),
        lambda: computed(asked, context, record_mask, crossing, unmasked),
        weigh,
    )


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)


def computed(
    config: Config,
    context: str | None = None,
    record_mask: bool = False,
    crossing: bool = False,
    unmasked: bool = False,
) -> Run:
    """As `run`, without the memo."""
    file = brought.of(config)
    lacks = _lacks(config, file)
    config = brought.settled(config).complete()
    ready, notes, source = prepared(config, context, crossing=crossing)
    notes = (*((say(lacks),) if lacks else ()), *notes)
    if file is not None:
        return of_file(config, file.shown, notes, record_mask, unmasked)
    typed = typed_numbers.of(config.edited, config.preset)
    ready, homeless = typed_over(ready, typed)
    if off := learned.off(config, ready.module.heads):
        ready = replace(ready, module=without(ready.module, off))
    inputs, device = ready.inputs, torch.device(config.device)
    keys = source or inputs
    # A shallow copy, since visitors share the parameters and not the dropout.
    module = copy.copy(ready.module)
    module.dropout, module.training = config.dropout, config.mode == "training"
    computing = module if device.type == "cpu" else copy.deepcopy(module).to(device)
    trace = reading.Trace()
    x = inputs.x.to(device)
    new = 0 if source else variants.new_tokens(config)
    queries = min(new or config.last, x.shape[-2]) or x.shape[-2]
    with torch.inference_mode():
        past = variants.cached(config, computing, x[:, :-queries]) if new and queries < x.shape[-2] else None
        computing(
            x[:, -queries:],
            keys.x.to(device) if source or (config.last and not new) else None,
            past=past,
            mask=None if unmasked else mask_of(config, keys, queries, device, record_mask),
            scale=scale_of(config, module),
            **(variants.options(config, module, queries, keys.x.shape[-2]) if config.preset == RANDOM else {}),
            # Seeds of different draws never coincide.
            generator=torch.Generator().manual_seed(config.seed + SEEDS * config.draw),
            trace=trace,
        )
    # Records go to the CPU: views read single numbers, and compare records that different devices computed.
    made = Run(config, inputs, module, trace.to("cpu"), ready.focus, notes, source, names=ready.names)
    return replace(made, typed=typed, homeless=homeless)


def _lacks(config: Config, file: Brought | None) -> str:
    """The key of the text that says why a file is not shown; "" where none is wanted, or it is shown."""
    return "" if file or config.preset != FILE else "file.gone" if config.tensors else "file.none"


def weigh(run: Run) -> int:
    """The bytes of the record of a run."""
    return sum(step.value.nbytes for step in run.trace.values())


def of_file(
    config: Config, given: Given, notes: tuple[str, ...] = (), record_mask: bool = False, unmasked: bool = False
) -> Run:
    """Attention over the tensors of a file, under the mask, the scale and the dropout of the screen."""
    ready, context = brought.prepared(given), brought.context(given)
    module, trace = copy.copy(ready.module), Trace()
    module.dropout, module.training = config.dropout, config.mode == "training"
    shown = given.last(config.last)
    queries, own = shown.queries.shape[-2], shown.mask if config.padding else None
    mask = mask_of(config, context or ready.inputs, queries, torch.device("cpu"), record_mask or own is not None)
    if mask is not None and own is not None:
        mask = mask & own
    with torch.inference_mode():
        replace(shown, mask=None).attend(
            trace,
            mask=None if unmasked else mask,
            scale=scale_of(config, module),
            dropout=config.dropout if module.training else 0.0,
            generator=torch.Generator().manual_seed(config.seed + SEEDS * config.draw),
        )
    return Run(config, ready.inputs, module, trace, ready.focus, notes, context)


def mask_of(config: Config, looked_at: Inputs, queries: int, device: torch.device, whole: bool) -> Tensor | None:
    """The mask of a screen, with painted cells and padding. None where it hides nothing, unless `whole`."""
    keys, lengths = looked_at.x.shape[-2], looked_at.lengths
    hides_padding = config.padding and min(lengths) < keys
    flips = painted_cells(config, queries, keys)
    if config.mask == "full" and not (hides_padding or flips or whole):
        return None
    parameters = {name: getattr(config, name) for name in MASKS[config.mask].parameters}
    # New tokens follow the tokens in the cache.
    corner = "lower_right" if variants.new_tokens(config) else config.corner
    mask = flipped(grid(config.mask, queries, keys, corner=corner, device=device, **parameters), flips)
    return mask & padding(lengths, keys, device=device) if hides_padding else mask


def earlier(queries: int, keys: int) -> int:
    """The number of tokens before the first query. Queries are the last tokens; more queries than keys are another
    text, with no token before them."""
    return max(0, keys - queries)


def painted_cells(config: Config, queries: int, keys: int) -> tuple[Cell, ...]:
    """The painted cells as rows and columns of the mask. A painted cell belongs to two tokens: where only the last
    tokens are queries, cells of earlier queries are left out, and the others move up."""
    rows = ((query - earlier(queries, keys), key) for query, key in cells(config.painted))
    return tuple((row, key) for row, key in rows if 0 <= row and key < keys and row < queries)


def scale_of(config: Config, module: MultiHeadAttention) -> float | None:
    """The factor of the scores; None leaves it to the implementation."""
    if config.scale == "sqrt_d_k":
        return None
    return SCALES[config.scale](module.d_k, module.d_model, module.heads)
