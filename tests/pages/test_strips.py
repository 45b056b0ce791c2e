"""The strips of layers on the page about costs: published ones, and one that a visitor brings."""

import json

import pytest

from attention.configuration import READ, strip
from attention.published_layers import PUBLISHED_LAYERS
from pages.shell.i18n import say
from pages.shell.state.configurations import MOST, QUOTED, compact
from pages.shell.views import costs
from tests.support.app import linked

OWN = {"num_hidden_layers": 5, "num_attention_heads": 7, "head_dim": 3, "full_attention_interval": 2}


def drawn(**link):
    blocks = list(costs.strips.blocks(linked("costs", **link)))
    return blocks[-1]["cards"][0], blocks[:-1]


@pytest.mark.parametrize("tokens", [16, 131_072])
def test_every_published_model_has_its_layers_and_its_cache(tokens):
    figure, notes = drawn(cost_n=str(tokens))
    assert not notes
    for row, name, one in zip(figure["strips"], figure["labels"]["names"], PUBLISHED_LAYERS, strict=True):
        assert (name, row["keeps"], len(row["cells"])) == (
            one.name,
            one.strip.bytes(tokens),
            len(one.strip.layers),
        )


def test_layers_that_read_the_keys_of_others_are_counted_and_pale():
    """In Gemma 3n, the last 15 of 35 layers read the keys of the 19th, a window, and of the 20th, which sees all."""
    figure, _ = drawn()
    owns = dict(zip(figure["labels"]["names"], figure["labels"]["owns"], strict=True))
    assert owns["Gemma 3n E4B"] == "20 / 35"
    assert owns["Llama-3-8B"] == "32 / 32"
    assert figure["labels"]["own"] == say("costs.strips.own_kv")
    at = figure["labels"]["names"].index("Gemma 3n E4B")
    row = figure["strips"][at]
    assert [layer + 1 for layer, said in enumerate(row["cells"]) if said in row["reads"]] == [*range(21, 36)]
    told = {figure["labels"]["says"][at][said].rpartition(" ")[2] for said in row["reads"]}
    assert told == {"19", "20"}
    assert not any(one["reads"] for place, one in enumerate(figure["strips"]) if place != at)
    assert say("costs.strips.shares", model="Gemma 3n E4B", own=20, layers=35, share="57%") in figure["note"]


def test_a_model_of_ones_own_stands_first():
    figure, notes = drawn(cost_config=json.dumps(OWN))
    assert not notes
    assert figure["labels"]["names"][0] == say("costs.strips.own")
    assert figure["strips"][0]["keeps"] == strip(OWN).bytes(1024)
    assert figure["strips"][0]["cells"] == [0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "given", ["{", "no JSON", "[1, 2]", '{"num_hidden_layers": "many"}', "[" * 9000, '"</script>"']
)
def test_what_is_no_configuration_is_said_and_the_others_stay(given):
    figure, (note,) = drawn(cost_config=given)
    assert note["kind"] == "note"
    assert len(figure["strips"]) == len(PUBLISHED_LAYERS)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "  {",
        json.dumps(OWN, indent=4),
        json.dumps({"text_config": OWN, "vision_config": {"num_hidden_layers": 99}}),
        json.dumps(OWN) + "\0",
        json.dumps(OWN | {"a": "b" * (QUOTED - 90)}) + " then more " * 40,
        json.dumps({"torch_dtype": "bfloat16"}),
        "x" * 3 * MOST,
    ],
)
def test_a_setting_is_its_own_short_form(raw):
    assert compact(compact(raw)) == compact(raw)
    assert len(compact(raw)) <= MOST


def test_only_the_entries_that_are_read_are_kept():
    text = compact(json.dumps({"text_config": OWN | {"vocab_size": 5}, "architectures": ["A"]}))
    assert json.loads(text) == OWN
    assert set(OWN) <= set(READ)
