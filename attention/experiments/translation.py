"""Training on the dictionary: each word of a sentence names its counterpart in another sentence.

Y = attention of X to C, logits = Y R, and no residual connection: only attention brings words of C to the answer. Each
word of C is English or Portuguese at random: in a fixed translation the answer would follow from the asking word alone,
and the layer could give it without looking at that word of C.
"""

from dataclasses import dataclass
from functools import cache

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from attention.experiments.learner import Learner
from attention.inputs.dictionary import BOTH, translated
from attention.inputs.grammar import CLASSES, VOCABULARY, pools
from attention.inputs.learned import Setting
from attention.inputs.translating import Translator
from attention.positions import sinusoidal
from attention.trace import Trace

BATCH = 20
_RATE, _TRAINING, _TEST = 0.02, 400, 100
_INDEX = {word: index for index, word in enumerate(BOTH)}
# These Portuguese words each stand for two English words ("to the").
_FUSED = [_INDEX["ao"], _INDEX["à"]]
KINDS = tuple(CLASSES)
_KIND = torch.tensor([next(at for at, of in enumerate(CLASSES.values()) if word in of) for word in VOCABULARY])


@dataclass(frozen=True)
class Pairs:
    """Sentences of one length and their contexts: ids (count, n) and (count, m); by word its place in the context."""

    ids: Tensor
    contexts: Tensor
    targets: Tensor

    @property
    def answers(self) -> Tensor:
        """The ids of the right answers (count, n)."""
        return self.contexts.gather(1, self.targets)


@dataclass(frozen=True)
class Scores:
    """Scores on fresh sentences, by class of the asking word (KINDS). accuracy: the share of right answers; found: the
    share of words for which some head puts more than half of its weight on the right word; mean: the accuracy over all
    words; words: their number."""

    accuracy: tuple[float, ...]
    found: tuple[float, ...]
    mean: float
    words: int


def pairs(each: int, generator: Generator, mixed: bool) -> tuple[Pairs, ...]:
    """`each` sentences of each length beside their translations.

    mixed: each word of a translation is left in English with a chance of one half, but for `à` and `ao`.
    """
    made = []
    for pool in pools(each, generator):
        both = [translated([VOCABULARY[id] for id in row]) for row in pool.ids.tolist()]
        contexts = torch.tensor([[_INDEX[word] for word in one.words] for one in both])
        targets = torch.tensor([one.targets for one in both])
        if mixed:
            stays = torch.isin(contexts, torch.tensor(_FUSED))
            english = contexts.scatter(1, targets, pool.ids)
            swapped = torch.rand(contexts.shape, generator=generator) < 0.5
            contexts = torch.where(swapped & ~stays, english, contexts)
        made.append(Pairs(pool.ids, contexts, targets))
    return tuple(made)


def trained(setting: Setting) -> Translator:
    """Train a setting to its end."""
    learner = Learner(setting, Translator.drawn, _drawn_loss, _RATE)
    for step in range(setting.steps):
        learner.look()
        learner.learn(step)
    return learner.finished()


def _drawn_loss(layer: Translator, setting: Setting, generator: Generator) -> Tensor:
    every = _training()
    pool = every[int(torch.randint(len(every), (1,), generator=generator))]
    rows = torch.randint(len(pool.ids), (BATCH,), generator=generator)
    logits = _answered(layer, pool.ids[rows], pool.contexts[rows], generator)
    return F.cross_entropy(logits.flatten(0, 1), pool.answers[rows].flatten())


def _answered(
    layer: Translator, ids: Tensor, contexts: Tensor, generator: Generator | None = None, trace: Trace | None = None
) -> Tensor:
    x, c = (layer.words[of] + sinusoidal(of.shape[-1], layer.setting.d_model) for of in (ids, contexts))
    return layer.logits(layer.module(x, c, scale=layer.setting.factor, generator=generator, trace=trace))


@cache
def _training() -> tuple[Pairs, ...]:
    return pairs(_TRAINING, Generator().manual_seed(1), True)


@cache
def _test() -> tuple[Pairs, ...]:
    return pairs(_TEST, Generator().manual_seed(2), False)


def measure(layer: Translator) -> Scores:
    """Score a layer on translations of test sentences, none of their words left in English."""
    right, found, count = (torch.zeros(len(KINDS)) for _ in range(3))
    for pool in _test():
        trace = Trace()
        with torch.no_grad():
            said = _answered(layer, pool.ids, pool.contexts, trace=trace).argmax(-1)
        kind = _KIND[pool.ids]
        weights = trace["weights"].value
        there = pool.targets[:, None, :, None].expand(*weights.shape[:3], 1)
        most = weights.gather(3, there)[..., 0].amax(1)
        for sums, each in ((right, said == pool.answers), (found, most > 0.5), (count, kind >= 0)):
            sums.index_add_(0, kind.flatten(), each.float().flatten())
    return Scores(
        tuple((right / count).tolist()),
        tuple((found / count).tolist()),
        float(right.sum() / count.sum()),
        int(count.sum()),
    )
