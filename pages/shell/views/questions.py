"""The questions that pages ask before their figures: their pages and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """page: the page that asks; answers: their ids in the catalogue, one of them the right one (`predict.*.right`); of:
    the only preset whose figures answer it, "" for any; refuted: the wrong answers with a reply of their own
    (`refuted.*`)."""

    page: str
    answers: tuple[str, ...]
    of: str = ""
    refuted: tuple[str, ...] = ()


QUESTIONS: Mapping[str, Question] = {
    "hidden": Question("backward", ("most", "little", "none")),
    "variation": Question("compare", ("half", "each", "sum")),
    "costs": Question("costs", ("smaller", "same", "larger")),
    "doubled": Question("costs", ("twice", "four", "eight")),
    "dropped": Question("cross_attention", ("same", "fewer", "below"), of="learned"),
    "rectangle": Question("cross_attention", ("rows", "columns", "square")),
    "two_arcs": Question("dropout", ("half", "quarter", "never"), of="learned", refuted=("half", "never")),
    "row_sums": Question("dropout", ("fifth", "one", "five")),
    "first_token": Question("dropout", ("same", "less", "either"), of="story"),
    "bias": Question("experiments", ("scores", "weights", "both")),
    "shared": Question("fewer_keys", ("none", "one", "two", "three")),
    "latent": Question("fewer_keys", ("nothing", "rank", "order")),
    "heads": Question("heads", ("same", "more", "fewer")),
    "future": Question("masks", ("zero_before", "zero_after", "neither")),
    "polarity": Question("masks", ("may", "may_not", "depends")),
    "padding": Question("masks", ("columns", "rows", "both")),
    "empty": Question("masks", ("nan", "zero", "depends")),
    "importance": Question("models", ("largest", "not_always", "never")),
    "sink": Question("models", ("tenth", "third", "most")),
    "length": Question("one_query", ("flatter", "same", "doubled", "sharper")),
    "cached": Question("one_token", ("too_large", "spent", "from_key"), refuted=("too_large", "from_key")),
    "corner": Question("one_token", ("last", "first", "error")),
    "order": Question("order", ("nothing", "two", "every")),
    "moved": Question("positions", ("all", "relative", "nobody")),
    "beyond": Question("positions", ("all_seen", "slow", "fast")),
    "root": Question("scaling", ("more", "same", "less")),
    "refuted": Question("scaling", ("wrong", "stands", "unlucky")),
    "top": Question("scaling", ("quarter", "half", "most")),
    "gradient": Question("scaling", ("smaller", "larger", "same")),
    "stretched": Question("taming", ("rises", "stays", "falls")),
    "leak": Question("taming", ("nothing", "hidden", "flatter")),
    "left_over": Question("taming", ("match", "no_match", "alike")),
    "drown": Question("taming", ("same", "tenth", "nothing")),
    "tiles": Question("tiles", ("same", "approximate", "depends")),
    "field": Question("tiles", ("four", "seven", "eight")),
    "sums": Question("walkthrough", ("rows", "columns", "both")),
    "forest": Question("walkthrough", ("nearest", "all", "first"), of="story"),
    "creature": Question("walkthrough", ("full", "halves", "itself"), of="story"),
    "race": Question("scaling", ("none_learns", "all", "slower")),
}
