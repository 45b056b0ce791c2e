"""Claims about several heads."""

from dataclasses import replace

from torch import Tensor

from attention.inputs.grammar import ANSWERS, NOTHING
from pages.shell.i18n import catalogue, say
from pages.shell.i18n.numbers import fixed
from pages.shell.runs import asking as of_words
from pages.shell.runs import learned, learned_scores
from pages.shell.runs.run import Run, run
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Heads
from pages.shell.views import asking
from pages.shell.views.head_arcs import asked_of
from tests.support.claims.claim import Values, claim, near, number


@claim("heads.now", "heads.parameters", {}, {"heads": 8, "fixed_d_k": True})
def _(screen: Screen, values: Values) -> bool:
    return number(values["count"]) == sum(one.numel() for one in screen.run.module.parameters())


@claim("heads.try", "heads.parameters", {"preset": "random"})
def _(screen: Screen, values: Values) -> bool:
    """The claim follows the sentence: it turns the switch on, then changes the number of heads."""
    counts = set()
    for heads in ("2", "4", "8"):
        other = Screen(screen.page, {**screen.parameters, "fixed_d_k": "true", "heads": heads}, screen.language)
        counts.add(sum(one.numel() for one in other.run.module.parameters()))
    return not screen.own(Heads).fixed_d_k and (
        len(counts) > 1 or screen.run.config.preset not in ("learned", "random")
    )


@claim("heads.reached", "heads.facts", {})
def _(screen: Screen, values: Values) -> bool:
    first = screen.run.trace["w_q"].value[:, 0]
    return number(values["heads"]) == len(first) > 1 and number(values["reached"]) == int(first.ne(0).any(-1).sum())


@claim("heads.split", "heads.split", {}, {"heads": 2})
def _(screen: Screen, values: Values) -> bool:
    return screen.run.trace["queries"].value.shape[1::2] == (number(values["h"]), number(values["d_k"]))


@claim("heads.average_note", "heads.average", {}, {"heads": 2, "mask": "causal"})
def _(screen: Screen, values: Values) -> bool:
    """The distance is total variation, averaged over the queries."""
    weights = screen.run.trace["weights"].value[screen.run.sentence].double()
    far = (weights - weights.mean(0)).abs().sum(-1).mean(-1) / 2
    return abs(number(values["nearest"]) - float(far.min())) < 0.006


def _right(made: Run) -> float:
    """The share of right answers over the questions of the test sentences."""
    tested = learned_scores.tested(made.config, made.module)
    assert tested is not None
    return sum(tested.scores.accuracy) / len(tested.scores.accuracy)


@claim("all_heads.tested_less", "heads.answers", {"heads_off": "2"})
def _(screen: Screen, values: Values) -> bool:
    every, left = _right(run(replace(screen.run.config, heads_off=""))), _right(screen.run)
    return left < every and near(values["before"], every) and near(values["now"], left)


@claim("all_heads.why", "heads.answers", {}, {"heads": 8}, {"heads_off": "2"})
def _(screen: Screen, values: Values) -> bool:
    """A head's weights sum to 1, so no head alone can give each of n words more than 1/n, as the heads do together."""
    taken = _taken(screen)
    best = taken.max(0).values
    sums = screen.run.trace["weights"].value.sum(-1)
    return (
        len(taken) > 1
        and _is_said_with(screen, values, len(taken))
        and near(values["least"], float(best.min()))
        and near(values["share"], 1 / taken.shape[1])
        and best.min() > 1 / taken.shape[1]
        and float(sums.max()) < 1 + 1e-5
    )


@claim("all_heads.one_look", "heads.answers", {"heads": 1})
def _(screen: Screen, values: Values) -> bool:
    row = screen.run.trace["weights"].value[screen.run.sentence, 0, asked_of(screen)]
    others = float(row.sum() - row.max())
    return (
        len(screen.run.trace["w_q"].value) == 1
        and near(values["share"], float(row.max()))
        and near(values["rest"], others)
    )


@claim("all_heads.several_share", "heads.answers", {"heads": 2}, {"mask": "window"})
def _(screen: Screen, values: Values) -> bool:
    taken = _taken(screen)
    most = taken.max(0).values
    return _is_said_with(screen, values, len(taken)) and all(fixed(share) in values["given"] for share in most)


def _taken(screen: Screen) -> Tensor:
    """The weights of each head that is on at the words that answer the questions of the word that is looked at."""
    run, query = screen.run, asked_of(screen)
    words = {one.target for one in asking.questions(run, query) if not of_words.is_nothing(run, one)}
    off = screen.parameters.get("heads_off", "").split(",")
    acting = [head for head in range(run.module.heads) if str(head + 1) not in off]
    return run.trace["weights"].value[run.sentence, acting][:, query, sorted(words)]


def _is_said_with(screen: Screen, values: Values, acting: int) -> bool:
    """Whether the sentence counts the heads that are on, and says so if others are off."""
    kind = "all" if not screen.parameters.get("heads_off") else "one" if acting == 1 else "on"
    return values["which"] == catalogue(screen.language)[f"all_heads.with.{kind}"].replace("{{heads}}", str(acting))


def _leads(made: Run, made_in: str, query: int, right: str, wrong: str) -> list[float]:
    """The lead of the right answer's logit over the wrong one's, for each question of the query that has both."""
    setting = learned.used(made.config)
    assert setting is not None
    logits = learned.layer(setting).logits(made.trace["projected"].value[made.sentence, query].cpu())
    found = []
    for one in asking.questions(made, query):
        words = [say("all_heads.no_adjective", made_in) if word == NOTHING else word for word in ANSWERS[one.question]]
        if {right, wrong} <= {*words}:
            found.append(float(logits[one.question][words.index(right)] - logits[one.question][words.index(wrong)]))
    return found


@claim("votes.led", "heads.votes", {"heads_off": "3"}, {"heads_off": "1"}, {"heads": 8, "heads_off": "5"})
def _(screen: Screen, values: Values) -> bool:
    """Without the heads that are off, their part of the lead is gone, and the other answer leads."""
    every, query = run(replace(screen.run.config, heads_off="")), asked_of(screen)
    named = screen.language, query, values["right"], values["wrong"]
    pairs = zip(_leads(every, *named), _leads(screen.run, *named), strict=True)
    gave, behind = number(values["gave"]), number(values["behind"])
    return any(led > 0 >= leads and abs(led - leads - gave) < 0.06 > abs(leads + behind) for led, leads in pairs)


@claim("votes.wide", "heads.votes", {"heads_off": "3"}, {"heads": 8, "heads_off": "5"})
def _(screen: Screen, values: Values) -> bool:
    """A head that is on looks at the word that answers, and the answer is wrong."""
    made, query = screen.run, asked_of(screen)
    head = number(values["head"]) - 1
    places = [one.target for one in asking.questions(made, query) if made.labels["key"][one.target] in values["word"]]
    weights = made.trace["weights"].value[made.sentence, int(head), query]
    is_on = int(head) not in learned.off(made.config, made.module.heads)
    return is_on and any(near(values["share"], float(weights[at])) for at in places)
