"""The worked sentence: the weights, outputs and entropies that were written down for it, and the reasons for them."""

import pytest
import torch

from attention import Trace
from attention.inputs.names import Name
from attention.inputs.presets import STORY, story
from tests.support.presets import rows, split, traced, written

WORDS = STORY.split()


ADJECTIVES, NOUNS = ("fluffy", "blue", "verdant"), ("creature", "forest")


EMPTY = (0.0,) * 8


def told(positions: bool = True, mask: str = "causal", scale: float | None = None) -> Trace:
    """The story in float64: 0.4739574969 is so close to the border that float32 rounds it to another sixth digit."""
    prepared = story(positions)
    prepared.module.double()
    return traced(prepared, mask, scale)


def on_adjectives(adjective: float, other: float) -> tuple[float, ...]:
    return tuple(adjective if word in ADJECTIVES else other for word in WORDS)


FOREST = (0.000318, 0.017340, 0.017340, 0.000318, 0.000318, 0.017340, 0.946711, 0.000318)


ANY_NOUN = on_adjectives(0.323459, 0.005924)


# (mask, positions): word -> its weights from the first word on; omitted ones are zero.
STORIES: dict[tuple[str, bool], dict[str, tuple[float, ...]]] = {
    ("causal", True): {
        "a": (1.0,),
        "fluffy": (0.982014, 0.017986),
        "blue": (0.495463, 0.495463, 0.009075),
        "creature": (0.000168, 0.499832, 0.499832, 0.000168),
        "roamed": (0.008913, 0.008913, 0.486631, 0.486631, 0.008913),
        "the": (0.008834, 0.008834, 0.008834, 0.482332, 0.482332, 0.008834),
        "verdant": (0.008757, 0.008757, 0.008757, 0.008757, 0.478108, 0.478108, 0.008757),
        "forest": FOREST,
    },
    ("causal", False): {
        "creature": (0.008993, 0.491007, 0.491007, 0.008993),
        "roamed": (0.2,) * 5,
        "forest": ANY_NOUN,
    },
    ("full", True): {
        "creature": (0.000166, 0.495051, 0.495051, 0.000166, 0.000166, 0.000166, 0.009067, 0.000166),
        "roamed": (0.008681, 0.008681, 0.473957, 0.473957, 0.008681, 0.008681, 0.008681, 0.008681),
        "forest": FOREST,
    },
    ("full", False): {"creature": ANY_NOUN, "roamed": (0.125,) * 8, "forest": ANY_NOUN},
}


@pytest.mark.parametrize(("mask", "positions"), STORIES)
def test_the_story_has_the_weights_that_were_written_down(mask, positions):
    weights = rows("weights", told(positions, mask))
    for word, expected in STORIES[mask, positions].items():
        padded = (*expected, *EMPTY[len(expected) :])
        assert written(weights[WORDS.index(word), None], ".6f") == [[f"{number:.6f}" for number in padded]], word


def test_nouns_find_the_adjectives_right_before_them():
    weights = rows("weights", told())
    on = {(i, j): weights[WORDS.index(i), WORDS.index(j)].item() for i in NOUNS for j in ADJECTIVES}
    assert (
        f"{on['creature', 'fluffy']:.2f} {on['creature', 'blue']:.2f} {on['forest', 'verdant']:.2f}" == "0.50 0.50 0.95"
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("creature", "0.499832 0.499832 0.000000"),
        ("roamed", "0.008913 0.486631 0.000000"),
        ("forest", "0.017340 0.017340 0.946711"),
    ],
)
def test_the_story_has_the_outputs_that_were_written_down(word, expected):
    output = rows("output", told())
    assert written(output[WORDS.index(word), None], ".6f") == split(expected)


def test_the_output_weights_write_each_adjective_back_where_x_keeps_it():
    trace = told()
    torch.testing.assert_close(rows("projected", trace)[:, 3:6], rows("output", trace), rtol=0, atol=0)


def test_the_story_has_the_entropies_that_were_written_down():
    weights = rows("weights", told())
    entropies = torch.special.entr(weights).sum(-1)
    expected = "0.000000 0.090095 0.738562 0.696165 0.827205 0.870471 0.913056 0.273000"
    assert written(entropies[None], ".6f") == split(expected)


def test_the_story_has_the_column_sums_that_were_written_down():
    sums = rows("weights", told()).sum(-2)
    expected = "2.504466 1.057125 1.030468 0.978204 0.969670 0.504282 0.955468 0.000318"
    assert written(sums[None], ".6f") == split(expected)


def test_unscaled_the_forest_sees_nothing_but_verdant():
    weights = rows("weights", told(scale=1.0))
    assert f"{weights[WORDS.index('forest'), WORDS.index('verdant')]:.6f}" == "0.999982"


@pytest.mark.parametrize("positions", [True, False])
def test_scaled_scores_count_the_evidence_in_fours(positions):
    scaled = rows("scaled", told(positions, "full"))
    for i, query in enumerate(WORDS):
        for j, key in enumerate(WORDS):
            evidence = (query in NOUNS and key in ADJECTIVES) + (positions and i - j in (1, 2))
            assert scaled[i, j] == 4 * evidence, (query, key)


@pytest.mark.parametrize(("name", "count", "value"), [("w_q", 14, 12.0), ("w_k", 9, 1.0), ("w_v", 3, 1.0)])
def test_the_weights_of_the_story_are_a_few_equal_numbers(name, count, value):
    parameter = story().module.get_parameter(name).detach()
    assert parameter[parameter != 0].tolist() == [value] * count


def test_the_story_without_positions_lacks_only_the_position_features():
    with_positions, without = (story(positions).inputs.x for positions in (True, False))
    assert without[..., 6:].count_nonzero() == 0
    torch.testing.assert_close(without[..., :6], with_positions[..., :6], rtol=0, atol=0)
    torch.testing.assert_close(with_positions[0, :, 6:], torch.eye(len(WORDS)), rtol=0, atol=0)


def test_the_features_of_the_story_are_what_their_names_say():
    prepared = story()
    named = {name: prepared.inputs.x[0, :, at].tolist() for at, name in enumerate(prepared.names["model"])}
    for kind, words in {"adjective": ADJECTIVES, "noun": NOUNS}.items():
        assert named[Name(kind)] == [word in words for word in WORDS]
    for word in ADJECTIVES:
        assert named[Name("token", word)] == [each == word for each in WORDS]
    for place in range(len(WORDS)):
        assert named[Name("position", str(place + 1))] == [each == place for each in range(len(WORDS))]


def test_a_query_wants_what_the_names_of_its_channels_say():
    prepared = story()
    trace = traced(prepared)
    queries, names = rows("queries", trace), prepared.names["queries.feature"]
    for word, query in zip(WORDS, queries, strict=True):
        wanted = {names[at] for at in query.nonzero().flatten().tolist()}
        place = WORDS.index(word) + 1
        before = {Name("wants_position", str(each)) for each in (place - 2, place - 1) if each > 0}
        assert wanted == before | ({Name("wants_adjective")} if word in NOUNS else set())
    keys, names = rows("keys", trace), prepared.names["feature"]
    for place, (word, key) in enumerate(zip(WORDS, keys, strict=True), 1):
        has = {names[at] for at in key.nonzero().flatten().tolist()}
        assert has == {Name("position", str(place))} | ({Name("adjective")} if word in ADJECTIVES else set())
