"""The words that the layer of two texts says for the words that ask."""

from attention.inputs.dictionary import BOTH
from pages.shell.runs import translating
from pages.shell.runs.run import Run

Answers = list[tuple[str, float]]


def answers(run: Run) -> list[Answers]:
    """Of each word of the text, the word that the layer says for it, and the one that it would say next, each with its
    probability; nothing of other layers."""
    translator = translating.layer(run.config) if run.context is not None else None
    if translator is None:
        return []
    output = run.trace["projected"].value[run.sentence, : run.inputs.lengths[run.sentence]].cpu().float()
    sure, words = translator.logits(output).softmax(-1).topk(2)
    return [
        [(BOTH[word], each) for word, each in zip(two, likely, strict=True)]
        for two, likely in zip(words.tolist(), sure.tolist(), strict=True)
    ]
