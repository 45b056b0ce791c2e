"""Answers that sharing loses and further training brings back: by stage, on the sentence and on test sentences."""

from collections.abc import Iterator, Sequence

from attention.experiments.learning import TEST
from attention.inputs.grammar import LENGTHS
from attention.inputs.shared_keys import EVERY, SETTING, UPDATES, recovered
from pages.shell.component.repair import Repair, Stage
from pages.shell.i18n import listed, say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import FewerKeys
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.fewer_keys import layers
from pages.shell.views.fewer_keys.layers import HEADS, Measured

# The number of test sentences.
TESTED = TEST * len(LENGTHS)
# The share of right answers that counts as repaired. The price is the number of updates until then.
_REPAIRED = 0.9
# A sentence is lucky if its share of right answers is more than this factor times that of the test questions.
_LUCKY = 2


def repair(screen: Screen) -> Iterator[Block]:
    """By stage, the layer's answers to the verb of the sentence and its right answers on test sentences, and the price
    of the training."""
    chosen = screen.own(FewerKeys)
    kv_heads = int(chosen.kv_of_8)
    made, sentence = layers.stages(screen), layers.sentence(screen)
    labels = {
        "rights": say("fewer.rights", sentences=TESTED),
        "answered": answered(made[0]),
        "here": say("fewer.here"),
        "stage": say("fewer.stage_column"),
        "first": "0",
        "last": say("fewer.updates", updates=UPDATES),
        "kind": say("fewer.repair"),
        "keys": "",
    }
    yield blocks.figures(
        Repair(
            "repair",
            say("fewer.repair"),
            [layers.question(one.question) for one in layers.asked(sentence)],
            [_stage(*words, of) for words, of in zip(_stages(kv_heads), made, strict=True)],
            *_way(kv_heads),
            int(chosen.kv_trained) // EVERY,
            labels,
            say("fewer.reads_all", heads=HEADS) if kv_heads == HEADS else _price(kv_heads, made[1]),
        )
    )


def answered(of: Measured) -> str:
    """The line above answers: the sentence, and the word that asks."""
    words = of.sentence.words
    return say("fewer.answered", sentence=" ".join(words), word=words[of.sentence.verb])


def here(of: Measured) -> str:
    return say("fewer.right_of", right=sum(of.are_right), all=len(of.are_right))


def percent(share: float) -> str:
    return f"{share:.1%}"


def short_stages() -> list[str]:
    """The names of the stages, in a word or two."""
    return [say(f"fewer.short.{stage}") for stage in ("own", "averaged", "later")]


def _way(kv_heads: int) -> tuple[Sequence[float], int]:
    """The share of right answers in the course of the training, and the step at which it counts as repaired."""
    if kv_heads == HEADS:
        return (), -1
    return recovered(kv_heads), layers.updates_until(_REPAIRED, kv_heads) // EVERY


def _stage(said: str, short: str, of: Measured) -> Stage:
    return Stage(said, short, of.right, percent(of.right), of.answers, of.are_right, here(of))


def _price(kv_heads: int, shared: Measured) -> str:
    """The answers that sharing loses, here and on test sentences; the price of training them back, and the saving."""
    right, among = sum(shared.are_right), len(shared.are_right)
    told = say(
        "fewer.reads_note",
        right=right,
        all=among,
        averaged=percent(shared.right),
        updates=UPDATES,
        first=SETTING.steps,
        times=HEADS // kv_heads,
    )
    # Few answers of one sentence say little. If they mislead, the note says so.
    is_lucky = right / among > _LUCKY * shared.right
    return listed("sentence", (told, say("fewer.lucky"))) if is_lucky else told


def _stages(kv_heads: int) -> list[tuple[str, str]]:
    """The names of the stages, each long and in a word or two."""
    made = [say("fewer.stage.own"), say("fewer.stage.not_shared"), say("fewer.stage.not_trained")]
    if kv_heads < HEADS:
        until = layers.updates_until(_REPAIRED, kv_heads)
        made[1] = say("fewer.stage.averaged", heads=kv_heads)
        made[2] = say("fewer.stage.later", share=f"{_REPAIRED:.0%}", updates=until)
    return list(zip(made, short_stages(), strict=True))
