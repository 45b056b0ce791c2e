"""The words that the layer of two texts says for the words of the text."""

from attention.inputs.dictionary import BOTH
from pages.shell.runs import translating
from pages.shell.runs.run import Run

Answers = list[tuple[str, float]]


def answers(run: Run) -> list[Answers]:
    """For each word of the text, the layer's two most probable words, each with its probability; empty for other
    layers."""
    translator = translating.layer(run.config) if run.context is not None else None
    if translator is None:
        return []
    output = run.trace["projected"].value[run.sentence, : run.inputs.lengths[run.sentence]].cpu().float()
    sure, words = translator.logits(output).softmax(-1).topk(2)
    return [
        [(BOTH[word], each) for word, each in zip(two, likely, strict=True)]
        for two, likely in zip(words.tolist(), sure.tolist(), strict=True)
    ]
