"""All words of a text of which figures show the first: one sentence and one head, computed without dropout."""

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

# Bytes of records of typed texts; beside those of `run`, so that a long text pushes no other screen out.
_REMEMBERED = 32_000_000


def whole(run: Run) -> Run:
    """The sentence and the head that a run shows, with all their words; the run, where it has them all."""
    sentence, head = run.sentence, run.head
    config = replace(run.config, sentence=1, head=1, dropout=0.0)
    if file := brought.of(run.config):
        own = file.whole.alone(sentence, head)
        asked = ("whole", config, sentence, head)
        return file.runs.get(asked, lambda: of_file(config, own), weigh)
    if run.context is not None or not (words := all_words(run.config)):
        return run
    # A layer of these sizes may have been trained meanwhile.
    key = (run.config, sentence, head, words, learned.used(run.config))
    return _memo().get(key, lambda: _computed(run, config, words), weigh)


@cache
def _memo() -> Memo:
    return Memo(_REMEMBERED)


def _computed(run: Run, config: Config, words: tuple[str, ...]) -> Run:
    """With the weights of the layer that the run has, whatever was typed over in them."""
    device, n = torch.device(config.device), len(words)
    inputs = _inputs(run, words)
    x = inputs.x.to(device)
    new = variants.new_tokens(config)
    queries = min(new or config.last, n) or n
    # The factor and the slopes are those of a layer of all heads.
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
    """The input of the words, with the numbers of X that were typed over."""
    here = [one._replace(block=0) for one in run.typed if (one.matrix, one.block) == ("x", run.sentence)]
    ready, _ = typed_over(Prepared(embedded(run.config, words), run.module), here)
    return ready.inputs
