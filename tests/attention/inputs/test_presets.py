"""The numbers that the presets exist for, to the digits in which they were written down."""

import pytest
import torch

from attention import MultiHeadAttention, Trace
from attention.inputs.names import Name
from attention.inputs.presets import PRESETS, STORY, Prepared, notebook, story, token_by_token
from attention.masks import grid

WORDS = STORY.split()
ADJECTIVES, NOUNS = ("fluffy", "blue", "verdant"), ("creature", "forest")
EMPTY = (0.0,) * 8


def traced(prepared: Prepared, mask: str = "full", scale: float | None = None) -> Trace:
    trace = Trace()
    x = prepared.inputs.x.to(prepared.module.w_q.dtype)
    n = x.shape[-2]
    allowed = None if mask == "full" else grid(mask, n, n)
    prepared.module(x, mask=allowed, scale=scale, trace=trace)
    return trace


def told(positions: bool = True, mask: str = "causal", scale: float | None = None) -> Trace:
    """The story in float64: 0.4739574969 is so close to the border that float32 rounds it to another sixth digit."""
    prepared = story(positions)
    prepared.module.double()
    return traced(prepared, mask, scale)


def rows(step: str, trace: Trace) -> torch.Tensor:
    """The matrix of the one sentence and, where there are heads, of the one head."""
    value = trace[step].value
    return value.reshape(value.shape[-2:])


def written(values: torch.Tensor, digits: str) -> list[list[str]]:
    return [[f"{number:{digits}}" for number in row] for row in values.tolist()]


def split(printed: str) -> list[list[str]]:
    return [line.split() for line in printed.strip().splitlines()]


def on_adjectives(adjective: float, other: float) -> tuple[float, ...]:
    return tuple(adjective if word in ADJECTIVES else other for word in WORDS)


FOREST = (0.000318, 0.017340, 0.017340, 0.000318, 0.000318, 0.017340, 0.946711, 0.000318)
ANY_NOUN = on_adjectives(0.323459, 0.005924)
# (mask, positions): word -> its weights from the first word on; what is left out is zero.
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


# What the notebook prints of its second example, typed off.
NOTEBOOK = {
    "x": """
        0.8676 0.3806 0.7488
        0.4281 0.2807 0.4111
        0.7204 0.1757 0.7430
        0.4438 0.3186 0.8127""",
    "queries": """
        0.6024 0.8510 0.9420 1.0115 0.9547
        0.3446 0.4839 0.5289 0.6024 0.5216
        0.5352 0.7232 0.7775 0.7431 0.8534
        0.5880 0.7507 0.7546 0.7756 0.8341""",
    "keys": """
        1.0095 0.6294 0.5370 1.0863 1.4507
        0.5679 0.3754 0.3235 0.6280 0.7935
        0.8376 0.4398 0.4392 0.8453 1.2114
        0.8223 0.4393 0.5191 0.8453 1.0981""",
    "values": """
        1.4581 0.4302 1.2097 1.2391 1.5576
        0.7631 0.2405 0.6888 0.7100 0.8673
        1.2940 0.3278 1.0332 0.9182 1.2526
        1.1068 0.2844 1.0820 0.8428 1.1486""",
    "scores": """
        4.1332 2.3591 3.3040 3.2614
        2.3474 1.3407 1.8748 1.8524
        3.4583 1.9709 2.7699 2.7268
        3.5239 2.0089 2.8202 2.7766""",
    "scaled": """
        1.8484 1.0550 1.4776 1.4586
        1.0498 0.5996 0.8384 0.8284
        1.5466 0.8814 1.2387 1.2195
        1.5759 0.8984 1.2612 1.2417""",
    "weights": """
        0.3547 0.1604 0.2448 0.2402
        0.3078 0.1962 0.2492 0.2467
        0.3367 0.1731 0.2475 0.2427
        0.3385 0.1719 0.2471 0.2424""",
    "output": """
        1.2221 0.3397 1.0523 0.9805 1.2740
        1.1942 0.3315 1.0320 0.9575 1.2452
        1.2119 0.3366 1.0449 0.9719 1.2633
        1.2129 0.3369 1.0456 0.9728 1.2644""",
}


@pytest.mark.parametrize("step", NOTEBOOK)
def test_the_notebook_prints_these_numbers(step):
    assert written(rows(step, traced(notebook())), ".4f") == split(NOTEBOOK[step])


# Of its first example it prints one query: q, k and v of the first token, and what follows for it.
FIRST_TOKEN = {
    "queries": "1.4568 2.2420 1.6187",
    "keys": "0.8648 1.8542 1.7760",
    "values": "2.1730 1.7953 1.6097",
    "scores": "8.2921 15.1280 21.9640 28.8000",
    "scaled": "4.7874 8.7342 12.6809 16.6277",
    "output": "7.6371 6.2040 5.6893",
}


@pytest.mark.parametrize("step", FIRST_TOKEN)
def test_token_by_token_prints_these_numbers(step):
    assert written(rows(step, traced(token_by_token()))[:1], ".4f") == split(FIRST_TOKEN[step])


def test_token_by_token_prints_its_weights_to_five_significant_digits():
    weights = rows("weights", traced(token_by_token()))[:1]
    assert written(weights, ".4e") == split("7.0690e-06 3.6594e-04 1.8944e-02 9.8068e-01")


def test_token_by_token_starts_from_the_tokens_of_the_notebook():
    x = token_by_token().inputs.x[0]
    assert written(x, ".1f") == split("1.1 1.2 1.3\n2.1 2.2 2.3\n3.1 3.2 3.3\n4.1 4.2 4.3")


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
@pytest.mark.parametrize("preset", [notebook, token_by_token])
def test_notebook_weights_could_come_from_its_uniform_generator(preset, name):
    parameter = preset().module.get_parameter(name)
    assert ((parameter >= 0) & (parameter < 1)).all()


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_fits_together(preset):
    prepared = preset()
    assert isinstance(prepared.module, MultiHeadAttention)
    assert prepared.inputs.x.shape == (1, len(prepared.inputs.tokens[0]), prepared.module.d_model)
    assert prepared.inputs.lengths == (len(prepared.inputs.tokens[0]),)
    assert prepared.module.heads == 1
    assert -prepared.inputs.x.shape[1] <= prepared.focus < prepared.inputs.x.shape[1]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_leaves_the_shared_generator_alone(preset):
    before = torch.get_rng_state()
    preset()
    torch.testing.assert_close(torch.get_rng_state(), before, rtol=0, atol=0)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_names_are_as_many_as_their_axis_is_long(preset):
    prepared = preset()
    trace = traced(prepared)
    for key, names in prepared.names.items():
        step, _, axis = key.rpartition(".")
        assert len(names) == trace.sizes[axis], key
        assert not step or axis in trace[step].axes


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
