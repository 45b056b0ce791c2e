"""The visitor's guesses: one control for the questions of all pages."""

from dataclasses import dataclass

from pages.shell.state.controls import Controls, knob
from pages.shell.state.fields import Flag, Text


@dataclass(frozen=True)
class Guesses(Controls):
    """The guesses before figures of any page, as question.answer with commas; whether a figure with a question waits
    for its guess."""

    guess: str = knob("", Text(400), in_figures=True)
    guess_first: bool = knob(False, Flag(), in_figures=True)

    @property
    def by_question(self) -> dict[str, str]:
        pairs = (one.partition(".") for one in self.guess.split(","))
        return {question: answer for question, _, answer in pairs if question and answer}

    def answering(self, question: str, answer: str) -> dict[str, str]:
        """The settings with an answer to a question, beside the answers to others; "" takes its answer back."""
        others = {name: one for name, one in self.by_question.items() if name != question}
        chosen = {question: answer} if answer else {}
        return {"guess": ",".join(f"{name}.{one}" for name, one in (others | chosen).items())}
