"""What sharing takes from the answers, and how training gives it back: by stage, here and on test sentences."""

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

# On how many sentences it is measured how much is right.
TESTED = TEST * len(LENGTHS)
# What counts as repaired: the price is told by the updates until then.
_REPAIRED = 0.9
# A sentence is called lucky if more than so many times the share of the test questions is right in it.
_LUCKY = 2


def repair(screen: Screen) -> Iterator[Block]:
    """What the layer answers to the verb of the sentence and rightly on test sentences, by stage, and what the training
    took."""
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
    """What stands above answers: the sentence, and the word that asks."""
    words = of.sentence.words
    return say("fewer.answered", sentence=" ".join(words), word=words[of.sentence.verb])


def here(of: Measured) -> str:
    return say("fewer.right_of", right=sum(of.are_right), all=len(of.are_right))


def percent(share: float) -> str:
    return f"{share:.1%}"


def short_stages() -> list[str]:
    """What the layer is at each stage, in a word or two."""
    return [say(f"fewer.short.{stage}") for stage in ("own", "averaged", "later")]


def _way(kv_heads: int) -> tuple[Sequence[float], int]:
    """How much is answered rightly on the way of the training, and the step at which that is enough."""
    if kv_heads == HEADS:
        return (), -1
    return recovered(kv_heads), layers.updates_until(_REPAIRED, kv_heads) // EVERY


def _stage(said: str, short: str, of: Measured) -> Stage:
    return Stage(said, short, of.right, percent(of.right), of.answers, of.are_right, here(of))


def _price(kv_heads: int, shared: Measured) -> str:
    """What sharing takes from the answers, here and on test sentences; what is paid for it, and what it saves."""
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
    # Few answers of one sentence say little: where they mislead, that is said.
    is_lucky = right / among > _LUCKY * shared.right
    return listed("sentence", (told, say("fewer.lucky"))) if is_lucky else told


def _stages(kv_heads: int) -> list[tuple[str, str]]:
    """Of each stage what the layer is, and the same in a word or two."""
    made = [say("fewer.stage.own"), say("fewer.stage.not_shared"), say("fewer.stage.not_trained")]
    if kv_heads < HEADS:
        until = layers.updates_until(_REPAIRED, kv_heads)
        made[1] = say("fewer.stage.averaged", heads=kv_heads)
        made[2] = say("fewer.stage.later", share=f"{_REPAIRED:.0%}", updates=until)
    return list(zip(made, short_stages(), strict=True))
