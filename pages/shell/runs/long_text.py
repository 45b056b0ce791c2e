"""Runs over all words of a text that is too long for figures: one sentence and one head, without dropout."""

from dataclasses import replace
from functools import cache

import torch

from attention import reading
from attention.analysis.heads import alone
from attention.inputs.edits import typed_over
from attention.inputs.presets import Prepared
from attention.inputs.tokens import Inputs
from pages.shell.runs import brought, learned, variants
from pages.shell.runs.memo import Memo
from pages.shell.runs.preparation import all_words, embedded
from pages.shell.runs.run import Run, mask_of, of_file, scale_of, weigh
from pages.shell.state.config import RANDOM, Config

# Bytes of records of typed texts. Their memo is not that of `run`, so that a long text evicts no other screen.
_REMEMBERED = 32_000_000


def whole(run: Run) -> Run:
    """A run of the shown sentence and head over all words of the text; the run itself where it has them all."""
    sentence, head = run.sentence, run.head
    config = replace(run.config, sentence=1, head=1, dropout=0.0)
    if file := brought.of(run.config):
        own = file.whole.alone(sentence, head)
        asked = ("whole", config, sentence, head)
        return file.runs.get(asked, lambda: of_file(config, own), weigh)
    if run.context is not None or not (words := all_words(run.config)):
        return run
    # `used` is in the key because a layer of these sizes may be trained meanwhile.
    key = (run.config, sentence, head, words, learned.used(run.config))
    return _memo().get(key, lambda: _computed(run, config, words), weigh)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)


def _computed(run: Run, config: Config, words: tuple[str, ...]) -> Run:
    """The run over all words, with the weights of the given run, edits included."""
    device, n = torch.device(config.device), len(words)
    inputs = _inputs(run, words)
    x = inputs.x.to(device)
    new = variants.new_tokens(config)
    queries = min(new or config.last, n) or n
    # Slopes and scale depend on the number of heads, so they are taken from the whole layer.
    given = variants.options(config, run.module, queries, n) if config.preset == RANDOM else {}
    if "slopes" in given:
        given["slopes"] = given["slopes"][run.head : run.head + 1]
    module, trace = alone(run.module, run.head).eval().to(device), reading.Trace()
    with torch.inference_mode():
        module(
            x[:, -queries:],
            x if queries < n else None,
            mask=mask_of(config, inputs, queries, device, False),
            scale=scale_of(config, run.module),
            **given,
            trace=trace,
        )
    return Run(config, inputs, module, trace.to("cpu"), run.focus, names=run.names)


def _inputs(run: Run, words: tuple[str, ...]) -> Inputs:
    """The input of the words, with the edits of X applied."""
    here = [one._replace(block=0) for one in run.typed if (one.matrix, one.block) == ("x", run.sentence)]
    ready, _ = typed_over(Prepared(embedded(run.config, words), run.module), here)
    return ready.inputs
