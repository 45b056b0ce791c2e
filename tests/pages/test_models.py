"""The page on real models: what it draws is what the models computed; and the page without their weights."""

import base64
import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention.analysis.head_patterns import PATTERNS, patterns
from attention.inputs import trained as package
from pages.shell.i18n import LANGUAGES, say
from pages.shell.runs import trained
from pages.shell.runs.trained import Asked
from pages.shell.state.page_controls import Models
from tests.support.app import app, decoded, no_exception
from tests.support.trained import hide, needed

REPEATED = {"model": "smollm2", "model_text": trained.REPEATED, "model_layer": 18, "model_head": 6}


def payloads(at: AppTest) -> list[dict]:
    return [json.loads(component.proto.json) for component in at.get("bidi_component")]


def wall(at: AppTest) -> dict:
    (found,) = (payload["wall"] for payload in payloads(at) if "wall" in payload)
    return found


def card(at: AppTest, id: str) -> dict:
    (found,) = (card for payload in payloads(at) for card in payload.get("cards", ()) if card["id"] == id)
    return found


def series(card: dict, place: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(card["chart"]["series"][place]["y"]), "<f4")


def said(at: AppTest) -> str:
    return "\n".join(each.value for each in at.main.markdown)


def test_an_encoder_shows_all_heads_and_the_numbers_of_the_one_that_is_opened():
    needed("minilm")
    at = app("models", model_text="Two quiet rivers met below the town", model_layer=4, model_head=5)
    assert no_exception(at)
    found = trained.seen(Asked("minilm", "Two quiet rivers met below the town"))
    heads = [head for group in wall(at)["groups"] for head in group["heads"]]
    assert sorted(head["id"] for head in heads) == sorted(f"{a}.{b}" for a in range(1, 7) for b in range(1, 13))
    told = patterns(found.weights, found.tokens)
    for group, kind in zip(
        wall(at)["groups"], (each for each in PATTERNS if (told.kinds() == PATTERNS.index(each)).any()), strict=True
    ):
        for head in group["heads"]:
            layer, number = (int(part) - 1 for part in head["id"].split("."))
            assert float(head["number"]) == pytest.approx(float(told.numbers[kind][layer, number]), abs=0.0051)
    drawn = decoded(card(at, "weights"))
    np.testing.assert_allclose(drawn, found.weights[3, 4].numpy(), atol=1e-6)
    assert "`town`" in said(at)


def test_a_decoder_says_what_comes_next_before_and_after_a_head_is_switched_off():
    needed("smollm2")
    at = app("models", model_off="18.6", **REPEATED)
    assert no_exception(at)
    model = trained.loaded("smollm2")
    plain = model.output(trained.REPEATED)
    changed = model.output(trained.REPEATED, off={17: (5,)})
    drawn = card(at, "next")
    first = int(plain.argmax())
    assert drawn["chart"]["x"]["names"][0] == model.shown([first])[0] == "␣quickly"
    assert series(drawn, 0)[0] == pytest.approx(float(plain[first]), abs=1e-5)
    assert series(drawn, 1)[0] == pytest.approx(float(changed[first]), abs=1e-5)
    assert f"{float(changed[first]):.2f}" in drawn["note"]
    # The head that the page found, its weight on what followed, and what is lost without it.
    followed = next(each.value for each in at.main.markdown if "followed last time" in each.value and "`" in each.value)
    assert "0.89" in followed
    assert "layer 18, head 6" in followed
    assert f"{float(plain[first]):.2f}" in followed
    assert f"{float(changed[first]):.2f}" in followed
    sinks = series(card(at, "sink-share"), 0)
    weights = trained.seen(Asked("smollm2", trained.REPEATED, off=((17, 5),))).weights
    np.testing.assert_allclose(sinks, weights[:, :, 1:, 0].mean((1, 2)).numpy(), atol=1e-6)


def test_the_knobs_reach_the_model():
    needed("minilm")
    knobs = {"model_scale": "none", "model_dropout": 0.3, "rank": 2, "hide_first": True, "everywhere": False}
    at = app("models", model_layer=2, model_head=9, **knobs)
    assert no_exception(at)
    wanted = Asked("minilm", trained.TEXTS["minilm"], "none", None, 0.3, (), (1, 8, 2), True, 1)
    assert (
        trained.asked(
            Models.of(
                {name: str(value).lower() for name, value in knobs.items()} | {"model_layer": "2", "model_head": "9"}
            )
        )
        == wanted
    )
    weights = trained.seen(wanted).weights[1, 8]
    np.testing.assert_allclose(np.nan_to_num(decoded(card(at, "weights"))), weights.numpy(), atol=1e-6)
    assert weights[:, 0].abs().max() == 0


@pytest.mark.parametrize(
    "text", [" ", "word " * 79, "<b>*bold*</b> $x$ `code` | 🙂", "[CLS]"], ids=["none", "long", "hostile", "special"]
)
def test_any_text_is_shown_as_it_is(text):
    needed("minilm")
    at = app("models", model_text=text)
    assert no_exception(at)
    shown = len(trained.seen(Asked("minilm", text.strip() or trained.TEXTS["minilm"])).tokens)
    assert shown <= 64
    assert bool(at.warning) == (len(text) > 300)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_weights_a_sentence_says_how_to_get_them(language, monkeypatch, tmp_path):
    hide(monkeypatch, tmp_path)
    monkeypatch.setattr(trained, "loaded", lambda name: None)
    at = app("models", lang=language)
    assert no_exception(at)
    (told,) = at.info
    assert told.value == say("models.missing", language, command="`make models`", folder="`ATTENTION_MODELS`")
    assert package.COMMAND in told.value
    # What stays: a question, and all heads on one sentence, as they were recorded.
    assert at.radio
